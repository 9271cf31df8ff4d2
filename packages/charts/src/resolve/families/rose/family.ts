import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { describePlots } from '../../axes/describe.ts'
import { axesTip } from '../../axes/tip.ts'
import { negativesSaid, noteUnder } from '../../note.ts'
import { byItself } from '../family.ts'
import { negatives, partsAt, petalsIn, readRose, walkRose, type RoseMarks } from './marks.ts'
import { comparedOpacity, roseOption } from './option.ts'

/** Petals around a middle, each divided into the segments of its series. */
export default byItself<RoseMarks & { isRich: boolean }>({
  parts: [CustomChart, TitleComponent],
  read: (series, reading) => ({ ...readRose(series, reading), isRich: series.isRich !== false }),
  option: roseOption,
  components: (_, marks, around) => ({ title: noteUnder(negativesSaid(negatives(marks), around), around).title }),
  size: (marks) => marks.segments.length * petalsIn(marks),
  isEmpty: ({ segments }) => segments.every(({ y }) => y.every((value) => (value ?? 0) <= 0)),
  legend: ({ segments }) =>
    segments.map(({ name, color, isCompared }) => ({ name, color, ...(isCompared && { opacity: comparedOpacity }) })),
  without: ({ segments, ...marks }, hidden) => ({
    ...marks,
    segments: segments.filter(({ name }) => !hidden.has(name)),
  }),
  tip(marks, place, tooltip, around) {
    const { series, at } = partsAt(marks, place)
    const looks = { tooltip, isTime: marks.axis === 'time', hovered: series, only: !marks.isRich }
    return axesTip(marks.segments, at, looks, around)
  },
  facts(marks, place) {
    const { series, at } = partsAt(marks, place)
    const { name = '', key = {}, x = [], y = [], xColumn = '' } = marks.segments[series] ?? {}
    const along = { column: xColumn, value: x[at] ?? null, axis: marks.axis }
    return at in y ? { key, along, values: { [name]: y[at] ?? null }, name } : null
  },
  walk: walkRose,
  describe(marks, { kind, tooltip }, around) {
    const said = describePlots(marks.segments, { kind, tooltip, isTime: marks.axis === 'time' }, around)
    return [said, negativesSaid(negatives(marks), around)].filter(Boolean).join(' ')
  },
  // behind the segments stand the names of the petals
  atOf: (marks, { dataIndex }) => (dataIndex < marks.segments.length * petalsIn(marks) ? dataIndex : -1),
})
