import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { byItself } from '../family.ts'
import { ganttComponents } from './axes.ts'
import { readGantt, walkBars, type Gantt } from './marks.ts'
import { ganttOption } from './option.ts'
import { describeBars, lostSaid, tipOf } from './words.ts'

/** Bars from a time to another one, in rows. */
export default byItself<Gantt>({
  parts: [CustomChart, TitleComponent],
  read: readGantt,
  option: ganttOption,
  components: ganttComponents,
  size: ({ bars }) => bars.length,
  isEmpty: ({ bars, lost }) => bars.length + lost.open + lost.backward === 0,
  legend: ({ groups }) => groups.filter(({ name }) => name !== ''),
  /** The others stay in their rows. */
  without: ({ bars, ...gantt }, hidden) => ({
    ...gantt,
    bars: bars.filter(({ group }) => !hidden.has(gantt.groups[group]?.name ?? '')),
  }),
  tip: (gantt, at, _, around) => tipOf(gantt, at, around),
  facts({ bars, rows }, at) {
    const bar = bars[at]
    return bar ? { key: bar.key, values: bar.times, name: rows[bar.row]?.name ?? '' } : null
  },
  walk: walkBars,
  describe: (gantt, { kind }, around) =>
    [describeBars(gantt, kind, around), lostSaid(gantt, around)].filter(Boolean).join(' '),
})
