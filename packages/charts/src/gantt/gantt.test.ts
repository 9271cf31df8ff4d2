import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames, type FixtureColumn } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import { resolveTimeBounds } from './bounds.ts'
import chart from './chart.ts'

chartSuite(chart, 'gantt')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 400,
}
const families = await loadFamilies(['gantt'])
const day = (number: number) => Date.UTC(2026, 0, 1) + (number - 1) * 86_400_000
const works: FixtureColumn[] = [
  { name: 'begin', kind: 'time', values: [day(1), day(3), day(2), day(5), null, day(9)] },
  { name: 'finish', kind: 'time', values: [day(4), day(6), day(2), day(8), day(3), day(7)] },
  { name: 'task', values: ['walls', 'walls', 'roof', null, 'lost', 'backwards'] },
  { name: 'crew', values: ['red', 'blue', 'red', 'blue', 'red', 'red'] },
  { name: 'cost', values: [1200, 5, null, 7, 8, 9] },
]
const base = { viz_type: 'gantt_chart', start_time: 'begin', end_time: 'finish', y_axis: 'task' }
const resolved = (more: object = {}, columns = works, hidden = new Set<string>()) => {
  const form = applyDefaults(chart.form, { ...base, ...more })
  const frames = toFrames({ bars: columns })
  return resolveSpec(chart.spec(frames, form, buildSpecContext(form)), frames, { ...around, hidden }, families)
}
interface Item {
  lane: number
  from: number
  to: number
}
const buildSeriesSpec = (more: object = {}) => {
  const form = applyDefaults(chart.form, { ...base, ...more })
  const spec = chart.spec(toFrames({ bars: works }), form, buildSpecContext(form))
  return (spec.series as { rows: unknown; data: Item[]; omitted: unknown }[])[0]!
}
const at = (place: number) => ({ series: 0, at: place })

it('queries every column that a bar needs once, in row order', () => {
  const { bars } = namedQueries(chart, {
    ...base,
    series: 'crew',
    tooltip_columns: ['crew', 'place'],
    tooltip_metrics: ['cost'],
    order_by_cols: ['["begin", true]', '["rank", false]'],
  })
  expect(bars).toMatchObject({
    columns: ['begin', 'finish', 'task', 'crew', 'place', 'rank'],
    metrics: ['cost'],
    orderby: [
      ['begin', true],
      ['rank', false],
    ],
    series_columns: ['crew'],
  })
})

it('draws one row per value of the y-axis, whose bars share a lane', () => {
  const { rows, data } = buildSeriesSpec({ series: 'crew' })
  expect(rows).toEqual([
    { name: 'walls', lanes: 1 },
    { name: 'roof', lanes: 1 },
    { name: '∅', lanes: 1 },
  ])
  expect(data.map(({ lane, from, to }) => [lane, from, to])).toEqual([
    [0, day(1), day(4)],
    [0, day(3), day(6)],
    [1, day(2), day(2)],
    [2, day(5), day(8)],
  ])
})

it('gives each dimension value of a row its own lane if subcategories are enabled', () => {
  const { rows, data } = buildSeriesSpec({ series: 'crew', subcategories: true })
  expect(rows).toMatchObject([{ lanes: 2 }, { lanes: 1 }, { lanes: 1 }])
  expect(data.map(({ lane }) => lane)).toEqual([0, 1, 2, 3])
  expect(buildSeriesSpec({ subcategories: true }).rows).toMatchObject([{ lanes: 1 }, { lanes: 1 }, { lanes: 1 }])
})

it('reports rows that are not bars, below the chart and in its description', async () => {
  expect(buildSeriesSpec().omitted).toEqual({ open: 1, backward: 1 })
  const words =
    '1 row is not shown because it has no start or no end. 1 row is not shown because it ends before it starts.'
  const { describe, option } = resolved()
  expect(describe('Gantt Chart')).toContain(words)
  expect((option.title as { text: string }).text.replaceAll('\n', ' ')).toBe(words)
  const only = works.map((column) => ({ ...column, values: column.values.slice(4, 5) }))
  expect(resolved({}, only)).toMatchObject({ isEmpty: false })
  const { svg } = await drawChart('gantt_chart', toFrames({ bars: only }), base)
  expect(svg).toContain('1 row is not shown because it has no start or no end.')
})

it('announces the start, end, duration and other details of a bar', () => {
  const more = { series: 'crew', tooltip_columns: ['crew'], tooltip_metrics: ['cost'], tooltipValuesFormat: ',d' }
  expect(resolved(more).markText(at(0))).toBe(
    'walls, red, Start: 2026-01-01, End: 2026-01-04, Duration: 3d, crew: red, cost: 1,200',
  )
  expect(resolved({ tooltipTimeFormat: '%d.%m. %H:%M' }).markText(at(0))).toContain('Start: 01.01. 00:00 UTC')
  const { formatter } = resolved(more).option.tooltip as { formatter: (params: object) => string }
  expect(formatter({ seriesIndex: 0, dataIndex: 4 })).not.toContain('Start')
})

it('describes its bars, rows, time range and longest bar', () => {
  expect(resolved({ series: 'crew' }).describe('Gantt Chart')).toMatch(
    /^Gantt Chart with 4 bars in 3 rows, 2026-01-01 to 2026-01-08\. Longest: walls, red, 3d\./,
  )
})

it('navigates by keyboard along time in a row, and up and down to the bar with the nearest start', () => {
  const { navigate } = resolved()
  expect(navigate(null, 'next')).toEqual(at(0))
  expect(navigate(at(0), 'next')).toEqual(at(1))
  expect(navigate(at(1), 'down')).toEqual(at(2))
  expect(navigate(at(3), 'up')).toEqual(at(2))
  expect(navigate(at(2), 'up')).toEqual(at(0))
  expect(navigate(at(3), 'down')).toBeNull()
  expect(navigate(at(0), 'last')).toEqual(at(3))
})

it('filters other charts by the row and the dimension of a bar', () => {
  const { mark } = resolved({ series: 'crew' })
  const form = { ...base, series: 'crew' }
  expect(mark(at(1), form)?.filters).toEqual([
    { col: 'task', op: '==', val: 'walls' },
    { col: 'crew', op: '==', val: 'blue' },
  ])
  expect(mark(at(3), form)?.filters[0]).toEqual({ col: 'task', op: 'IS NULL' })
  const task = { expressionType: 'SQL', sqlExpression: 'upper(task)', label: 'task' }
  expect(resolved().mark(at(0), { ...base, y_axis: task })?.filters).toEqual([{ col: task, op: '==', val: 'walls' }])
})

it('has a legend of the dimension; hiding a value leaves the others in their rows', () => {
  expect(resolved({ series: 'crew' }).legend.map(({ name }) => name)).toEqual(['red', 'blue'])
  expect(resolved({ series: 'crew', legendSort: 'asc' }).legend.map(({ name }) => name)).toEqual(['blue', 'red'])
  expect(resolved({ series: 'crew', show_legend: false }).legend).toEqual([])
  expect(resolved().legend).toEqual([])
  const { option } = resolved({ series: 'crew' }, works, new Set(['red']))
  expect((option.series as { data: number[][] }[])[0]!.data.slice(0, -1)).toEqual([
    [day(4.5), 0.5],
    [day(6.5), 2.5],
  ])
})

it('begins and ends with its bars, or at times of day on the first and last day', () => {
  const ends = (more: object) => {
    const { min, max } = resolved(more).option.xAxis as { min: number; max: number }
    return [min, max]
  }
  expect(ends({})).toEqual([day(1), day(8)])
  expect(ends({ x_axis_time_bounds: [null, '18:30:00'] })).toEqual([day(1), day(8) + 18.5 * 3_600_000])
  expect(resolveTimeBounds(['25:00', 'noon'], [{ from: 1, to: 2 }])).toEqual([null, null])
  expect(resolveTimeBounds(['20:00', '04:00'], [{ from: day(1), to: day(1) + 1 }])).toEqual([null, null])
})

it('can be zoomed along time, and scrolls through rows that do not fit', () => {
  expect(resolved().option).not.toHaveProperty('dataZoom')
  expect(resolved({ zoomable: true }).option.dataZoom).toMatchObject([{ xAxisIndex: 0, filterMode: 'none' }])
  const many: FixtureColumn[] = [
    { name: 'begin', kind: 'time', values: Array.from({ length: 90 }, (_, row) => day(row + 1)) },
    { name: 'finish', kind: 'time', values: Array.from({ length: 90 }, (_, row) => day(row + 3)) },
    { name: 'task', values: Array.from({ length: 90 }, (_, row) => `task ${row}`) },
  ]
  expect(resolved({}, many).option.dataZoom).toMatchObject([{ yAxisIndex: 0, orient: 'vertical', startValue: 0 }])
})

it('reports in a static image how many rows do not fit', async () => {
  const many = { bars: buildHostileFrames('task', 'begin')['ten thousand categories']!.rows }
  const { svg } = await drawChart('gantt_chart', many, { ...base, end_time: 'begin' })
  expect(svg).toMatch(/9,9\d\d more rows don’t fit/)
})

it.each(Object.entries(buildHostileFrames('task', 'begin')))('draws %s', async (name, { rows }) => {
  const form = { ...base, end_time: 'begin', series: 'task', subcategories: true }
  const { svg } = await drawChart('gantt_chart', { bars: rows }, form)
  expect(svg).not.toContain('NaN')
  expect(svg).not.toContain('<script')
  const settled = applyDefaults(chart.form, form)
  const drawn = resolveSpec(
    chart.spec({ bars: rows }, settled, buildSpecContext(settled)),
    { bars: rows },
    around,
    families,
  )
  expect(drawn.isEmpty).toBe(name === 'no rows')
})
