import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { stepped } from '../../items/of-items.ts'
import type { LegendEntry } from '../../layer.ts'
import { byItself } from '../family.ts'
import { readBars, type Bars, type Change } from './marks.ts'
import { waterfallAxes } from './axes.ts'
import { waterfallOption } from './option.ts'
import { describeBars, tipOf } from './words.ts'

const entriesOf = ({ bars, names, colors }: Bars): LegendEntry[] =>
  (['increase', 'decrease', 'total'] as Change[]).flatMap((change) =>
    bars.some((bar) => bar.change === change) ? [{ name: names[change], color: colors[change] }] : [],
  )

/** Bars that begin where the ones before them end. */
export default byItself<Bars>({
  parts: [CustomChart, TitleComponent],
  read: readBars,
  option: waterfallOption,
  components: waterfallAxes,
  size: ({ bars }) => bars.length,
  isEmpty: ({ bars }) => bars.every(({ value, change }) => value === null || change === 'total'),
  legend: entriesOf,
  /** The others stay where they are. */
  without: ({ bars, names, ...marks }, hidden) => ({
    ...marks,
    names,
    bars: bars.filter(({ change }) => !hidden.has(names[change])),
  }),
  tip: tipOf,
  facts: () => null,
  walk: ({ bars }, at, move) => stepped(bars.length, at, move),
  describe: describeBars,
})
