import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { withSign } from '../resolve/families/waterfall/texts.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { formatter } from '../shared/formats/format.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames, type FixtureColumn } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'waterfall')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 400,
}
const families = await loadFamilies(['waterfall'])
const plain: FixtureColumn[] = [
  { name: 'post', values: ['sales', 'wages', 'tax', null] },
  { name: 'n', values: [50, -80, null, 40] },
]
const parted: FixtureColumn[] = [
  { name: 'post', values: ['a', 'a', 'b', 'b'] },
  { name: 'shop', values: ['east', 'west', 'east', 'west'] },
  { name: 'n', values: [5, -2, -4, 1] },
]
interface Bar {
  name: string
  title: string
  change: string
  value: number | null
  from: number
  to: number
}
const buildSpec = (columns: FixtureColumn[], more: object = {}) => {
  const form = applyDefaults(chart.form, { viz_type: 'waterfall', x_axis: 'post', metric: 'n', ...more })
  return chart.spec(toFrames({ changes: columns }), form, buildSpecContext(form))
}
const drawBars = (...given: Parameters<typeof buildSpec>) => (buildSpec(...given).series as { data: Bar[] }[])[0]!.data
const ways = (bars: Bar[]) => bars.map(({ name, change, from, to }) => [name, change, from, to])
const drawn = (columns: FixtureColumn[], more: object = {}, hidden = new Set<string>()) =>
  resolveSpec(buildSpec(columns, more), toFrames({ changes: columns }), { ...around, hidden }, families)

it('queries the changes sorted by axis and breakdown', () => {
  const buildQuery = (more: object) => namedQueries(chart, { viz_type: 'waterfall', metric: 'n', ...more }).changes
  expect(buildQuery({ x_axis: 'post', groupby: 'shop' })).toMatchObject({
    columns: [{ sqlExpression: 'post', columnType: 'BASE_AXIS' }, 'shop'],
    metrics: ['n'],
    orderby: [
      ['post', true],
      ['shop', true],
    ],
  })
  expect(buildQuery({ granularity_sqla: 'day' })).toMatchObject({ columns: ['day'], orderby: [['day', true]] })
})

it('starts each bar where the previous one ends, also across zero, and ends with the total', () => {
  expect(ways(drawBars(plain))).toEqual([
    ['sales', 'increase', 0, 50],
    ['wages', 'decrease', 50, -30],
    ['tax', 'increase', -30, -30],
    ['∅', 'increase', -30, 10],
    ['Total', 'total', 0, 10],
  ])
  expect(drawBars(plain)[2]!.value).toBeNull()
  expect(ways(drawBars(plain, { show_total: false })).at(-1)).toEqual(['∅', 'increase', -30, 10])
})

it('breaks each change down into parts, followed by the running total of each position', () => {
  expect(ways(drawBars(parted, { groupby: ['shop'] }))).toEqual([
    ['east', 'increase', 0, 5],
    ['west', 'decrease', 5, 3],
    ['a', 'total', 0, 3],
    ['east', 'decrease', 3, -1],
    ['west', 'increase', -1, 0],
    ['b', 'total', 0, 0],
  ])
  const bare = drawBars(parted, { groupby: ['shop'], show_total: false })
  expect(bare.map(({ name }) => name)).toEqual(['east\na', 'west\na', 'east\nb', 'west\nb'])
  expect(bare[3]).toMatchObject({ title: 'b, west', from: -1, to: 0 })
})

it('adds up several rows of one position', () => {
  expect(ways(drawBars(parted)).slice(0, 2)).toEqual([
    ['a', 'increase', 0, 3],
    ['b', 'decrease', 3, 0],
  ])
})

it('labels times by their grain', () => {
  const months: FixtureColumn[] = [
    { name: 'post', kind: 'time', values: [Date.UTC(2025, 10, 1), Date.UTC(2025, 11, 1), Date.UTC(2026, 0, 1)] },
    { name: 'n', values: [1, 2, 3] },
  ]
  const names = (more: object) => drawBars(months, { show_total: false, ...more }).map(({ name }) => name)
  expect(names({ time_grain_sqla: 'P1M' })).toEqual(['Nov 2025', 'Dec', 'Jan 2026'])
  expect(names({ x_axis_time_format: '%m/%y' })).toEqual(['11/25', '12/25', '01/26'])
  expect(drawBars(months, { time_grain_sqla: 'P1M' })[1]!.title).toBe('December 2025')
})

it('includes the year in each of many months, because not all labels fit', () => {
  const months: FixtureColumn[] = [
    { name: 'post', kind: 'time', values: Array.from({ length: 13 }, (_, index) => Date.UTC(2025, index, 1)) },
    { name: 'n', values: Array.from({ length: 13 }, () => 1) },
  ]
  const names = drawBars(months, { time_grain_sqla: 'P1M' }).map(({ name }) => name)
  expect([names[5], names[12]]).toEqual(['Jun 2025', 'Jan 2026'])
})

it('shows the change with its sign, and the resulting total', () => {
  const resolved = drawn(plain, { y_axis_format: ',d', decrease_label: 'Cost' })
  expect([0, 1, 2, 4].map((index) => resolved.markText({ series: 0, at: index }))).toEqual([
    'sales, Increase: +50',
    'wages, Cost: -80',
    'tax, Increase: ∅',
    'Total: 10',
  ])
  const tooltip = resolved.option.tooltip as { formatter: (of: object[]) => string }
  expect(tooltip.formatter([{ seriesIndex: 0, dataIndex: 1 }])).toMatch(/Cost.*-80.*Total.*-30/)
  expect(resolved.describe('Waterfall Chart')).toBe(
    'Waterfall Chart of n, sales to ∅. Total: 10. Largest increase: +50 (sales). Largest decrease: -80 (wages).',
  )
})

it('uses the bar names of the form, and keeps other bars in place when one kind is hidden', () => {
  const labels = { increase_label: 'Up', total_label: 'Sum', show_legend: true }
  expect(drawn(plain, labels).legend.map(({ name }) => name)).toEqual(['Up', 'Decrease', 'Sum'])
  expect(drawBars(plain, labels).at(-1)!.name).toBe('Sum')
  const { data } = (drawn(plain, labels, new Set(['Up'])).option.series as { data: unknown }[])[0]!
  expect(data).toEqual([
    [1, 50, -30],
    [4, 0, 10],
  ])
  expect(drawn(plain, { increase_color: { r: 1, g: 2, b: 255 } }).legend).toEqual([])
  expect(drawn(plain, { show_legend: true, increase_color: { r: 1, g: 2, b: 255 } }).legend[0]?.color).toBe('#0102ff')
})

it('applies the label layout of the axis set in the form', () => {
  const label = (x_ticks_layout: string) =>
    (drawn(plain, { x_ticks_layout }).option.xAxis as { axisLabel: Record<string, unknown> }).axisLabel
  expect(['flat', '45°', '90°'].map((layout) => label(layout).rotate)).toEqual([0, 45, 90])
  const staggered = label('staggered').formatter as (text: string, index: number) => string
  expect([staggered('a', 0), staggered('b', 1)]).toEqual(['a', '\nb'])
  expect(label('auto')).not.toHaveProperty('rotate')
})

it('draws bars, connecting lines, and values where they fit', async () => {
  const form = { x_axis: 'post', metric: 'n', show_value: true }
  const svgOf = async (width: number) =>
    (await drawChart('waterfall', toFrames({ changes: plain }), form, { width })).svg
  expect(await svgOf(640)).toContain('>+50<')
  expect(await svgOf(640)).toContain('stroke-dasharray="2,3"')
  expect(await svgOf(90)).not.toContain('>+50<')
})

it.each(Object.entries(buildHostileFrames('post', 'n')))('draws %s', async (name, { rows }) => {
  const form = { viz_type: 'waterfall', x_axis: 'post', metric: 'n', show_value: true, show_legend: true }
  const { svg } = await drawChart('waterfall', { changes: rows }, form)
  expect(svg).not.toContain('NaN')
  expect(svg).not.toContain('<script')
  const settled = applyDefaults(chart.form, form)
  const resolved = resolveSpec(
    chart.spec({ changes: rows }, settled, buildSpecContext(settled)),
    { changes: rows },
    around,
    families,
  )
  expect(resolved.isEmpty).toBe(['no rows', 'only nulls', 'NaN and infinities'].includes(name))
})

it('regression: a format with its own sign gives an increase only one', () => {
  const write = formatter('+,.0f', 'en')
  expect([14, 0, -3, null].map(withSign(write))).toEqual(['+14', '+0', '-3', write(null)])
  expect([14, -3].map(withSign(formatter(',.0f', 'en')))).toEqual(['+14', '-3'])
})
