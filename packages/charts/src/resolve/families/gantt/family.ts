import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { defineStandaloneFamily } from '../family.ts'
import { ganttComponents } from './axes.ts'
import { readGantt, navigateBars, type Gantt } from './marks.ts'
import { ganttOption } from './option.ts'
import { describeGantt, describeOmittedRows, buildGanttTooltip } from './texts.ts'

/** Bars from a start time to an end time, arranged in rows. */
export default defineStandaloneFamily<Gantt>({
  parts: [CustomChart, TitleComponent],
  read: readGantt,
  option: ganttOption,
  components: ganttComponents,
  size: ({ bars }) => bars.length,
  isEmpty: ({ bars, omitted }) => bars.length + omitted.open + omitted.backward === 0,
  legend: ({ groups }) => groups.filter(({ name }) => name !== ''),
  /** Other bars stay in their rows. */
  without: ({ bars, ...gantt }, hidden) => ({
    ...gantt,
    bars: bars.filter(({ group }) => !hidden.has(gantt.groups[group]?.name ?? '')),
  }),
  tip: (gantt, index, _, around) => buildGanttTooltip(gantt, index, around),
  facts({ bars, rows }, index) {
    const bar = bars[index]
    return bar ? { key: bar.key, values: bar.times, name: rows[bar.row]?.name ?? '' } : null
  },
  navigate: navigateBars,
  describe: (gantt, { kind }, around) =>
    [describeGantt(gantt, kind, around), describeOmittedRows(gantt, around)].filter(Boolean).join(' '),
})
