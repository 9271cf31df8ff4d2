import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { navigateList } from '../../items/items-family.ts'
import type { LegendEntry } from '../../layer.ts'
import { defineStandaloneFamily } from '../family.ts'
import { readWaterfall, type WaterfallMarks, type WaterfallChange } from './marks.ts'
import { waterfallAxes } from './axes.ts'
import { waterfallOption } from './option.ts'
import { describeWaterfall, buildWaterfallTooltip } from './texts.ts'

const listLegendEntries = ({ bars, names, colors }: WaterfallMarks): LegendEntry[] =>
  (['increase', 'decrease', 'total'] as WaterfallChange[]).flatMap((change) =>
    bars.some((bar) => bar.change === change) ? [{ name: names[change], color: colors[change] }] : [],
  )

/** Bars that start where the previous ones end. */
export default defineStandaloneFamily<WaterfallMarks>({
  parts: [CustomChart, TitleComponent],
  read: readWaterfall,
  option: waterfallOption,
  components: waterfallAxes,
  size: ({ bars }) => bars.length,
  isEmpty: ({ bars }) => bars.every(({ value, change }) => value === null || change === 'total'),
  legend: listLegendEntries,
  /** Removes hidden bars without moving the others. */
  without: ({ bars, names, ...marks }, hidden) => ({
    ...marks,
    names,
    bars: bars.filter(({ change }) => !hidden.has(names[change])),
  }),
  tip: buildWaterfallTooltip,
  facts: () => null,
  navigate: ({ bars }, index, move) => navigateList(bars.length, index, move),
  describe: describeWaterfall,
})
