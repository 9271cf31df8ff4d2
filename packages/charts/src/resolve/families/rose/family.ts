import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { describePlots } from '../../axes/describe.ts'
import { positionValue, type Plot } from '../../axes/plot.ts'
import { buildAxesTooltip } from '../../axes/tooltip.ts'
import { describeNegatives, buildFootnote } from '../../footnote.ts'
import { defineStandaloneFamily } from '../family.ts'
import { countNegatives, locateRoseMark, countPetals, readRose, navigateRose, type RoseMarks } from './marks.ts'
import { comparedOpacity, roseOption } from './option.ts'

/** Petals around a center, each divided into the segments of its series. */
export default defineStandaloneFamily<RoseMarks & { isRich: boolean }>({
  parts: [CustomChart, TitleComponent],
  read: (series, reading) => ({ ...readRose(series, reading), isRich: series.isRich !== false }),
  option: roseOption,
  components: (_, marks, around) => ({
    title: buildFootnote(describeNegatives(countNegatives(marks), around), around).title,
  }),
  size: (marks) => marks.segments.length * countPetals(marks),
  isEmpty: ({ segments }) => segments.every(({ y }) => y.every((value) => (value ?? 0) <= 0)),
  legend: ({ segments }) =>
    segments.map(({ name, color, isCompared }) => ({ name, color, ...(isCompared && { opacity: comparedOpacity }) })),
  without: ({ segments, ...marks }, hidden) => ({
    ...marks,
    segments: segments.filter(({ name }) => !hidden.has(name)),
  }),
  tip(marks, place, tooltip, around) {
    const { series, at } = locateRoseMark(marks, place)
    const looks = { tooltip, isTime: marks.axis === 'time', hovered: series, only: !marks.isRich }
    return buildAxesTooltip(marks.segments, at, looks, around)
  },
  facts(marks, place) {
    const { series, at } = locateRoseMark(marks, place)
    const segment = marks.segments[series] ?? {}
    const { name = '', key = {}, y = [], xColumn = '' }: Partial<Plot> = segment
    const along = { column: xColumn, value: positionValue(segment, at), axis: marks.axis }
    return at in y ? { key, along, values: { [name]: y[at] ?? null }, name } : null
  },
  navigate: navigateRose,
  describe(marks, { kind, tooltip }, around) {
    const summary = describePlots(marks.segments, { kind, tooltip, isTime: marks.axis === 'time' }, around)
    return [summary, describeNegatives(countNegatives(marks), around)].filter(Boolean).join(' ')
  },
  // the names of the petals follow the segments
  fromTarget: (marks, { dataIndex }) => (dataIndex < marks.segments.length * countPetals(marks) ? dataIndex : -1),
})
