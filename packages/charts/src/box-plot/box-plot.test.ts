import { buildFrame, postProcess } from '@parquetry/frame'
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
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'box-plot')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['boxplot'])
const baseForm = { viz_type: 'box_plot', columns: ['day'], groupby: ['kind'], metrics: ['n'] }
const question = (form: object) => Object.values(namedQueries(chart, { ...baseForm, ...form }))[0]
const steps = (form: object) => (question(form)?.post_processing ?? []).flatMap((step) => step ?? [])

const rows = {
  kind: ['a', 'a', 'a', 'a', 'a', 'a', null, null, null],
  n: [1, 2, 3, 4, 5, 100, -4, -2, 0],
  m: [10, 10, 10, 10, 10, 10, 20, 20, null],
}
interface Drawn {
  value: number[] | '-'
  itemStyle: { opacity: number; borderColor: string }
}
function drawn(form: object = {}, answer: Record<string, unknown[]> = rows, looks: object = {}) {
  const settled = applyDefaults(chart.form, { ...baseForm, ...form })
  const frames = { boxes: postProcess(buildFrame(answer), steps(form)).frame }
  const resolved = resolveSpec(
    chart.spec(frames, settled, buildSpecContext(settled)),
    frames,
    { ...around, ...looks },
    families,
  )
  const [boxes, points] = resolved.option.series as [
    { data: Drawn[] },
    { data: { value: number[] }[]; silent: boolean }?,
  ]
  return { resolved, boxes: boxes.data, points: points?.data.map(({ value }) => value), axis: resolved.option.xAxis }
}

it('queries one row per value of the distribution columns and computes the boxes on the server', () => {
  expect(question({ row_limit: 7, series_limit: 3, series_limit_metric: 'm' })).toMatchObject({
    columns: ['day', 'kind'],
    series_columns: ['kind'],
    metrics: ['n'],
    row_limit: 7,
    series_limit: 3,
    series_limit_metric: 'm',
  })
  expect(steps({})).toEqual([
    { operation: 'boxplot', options: { groupby: ['kind'], metrics: ['n'], whisker_type: 'tukey', percentiles: null } },
  ])
  expect(question({ columns: ['kind', 'day'] })?.columns).toEqual(['kind', 'day'])
})

it.each([
  ['Tukey', 'tukey', null],
  ['Min/max (no outliers)', 'min/max', null],
  ['2/98 percentiles', 'percentile', [2, 98]],
  ['9/91 percentiles', 'percentile', [9, 91]],
  ['90/10 percentiles', 'tukey', null],
  ['5/200 percentiles', 'tukey', null],
  ['whatever', 'tukey', null],
])('converts the whisker option %s', (whiskerOptions, whisker_type, percentiles) => {
  expect(steps({ whiskerOptions })[0]?.options).toMatchObject({ whisker_type, percentiles })
})

it('applies the grain to time columns; a legacy form without columns uses its time column', () => {
  const grained = (column: string) => ({
    sqlExpression: column,
    label: column,
    isColumnReference: true,
    expressionType: 'SQL',
    columnType: 'BASE_AXIS',
    timeGrain: 'P1M',
  })
  const time = { time_grain_sqla: 'P1M', temporal_columns_lookup: { day: true, kind: false } }
  expect(question(time)?.columns).toEqual([grained('day'), 'kind'])
  expect(question({ columns: ['city'], ...time })?.columns).toEqual(['city', 'kind'])
  expect(question({ columns: [], granularity_sqla: 'at', time_grain_sqla: 'P1M' })?.columns).toEqual([
    grained('at'),
    'kind',
  ])
  expect(question({ columns: [] })?.columns).toEqual(['kind'])
})

it('draws whiskers, quartiles and median, and outliers as non-interactive points', () => {
  const { boxes, points, resolved } = drawn()
  // quartiles of 1, 2, 3, 4, 5, 100 by midpoint: 2.5 and 4.5, so whiskers reach up to 7.5 and down to -0.5
  expect(boxes.map(({ value }) => value)).toEqual([
    [1, 2.5, 3.5, 4.5, 5],
    [-4, -3, -2, -1, 0],
  ])
  expect(points).toEqual([[0, 100]])
  expect(resolved.fromTarget({ seriesIndex: 1, dataIndex: 0 })).toBe(null)
  expect(drawn({ whiskerOptions: 'Min/max (no outliers)' }).points).toBe(undefined)
})

const tooltipText = (form: object) =>
  (drawn(form).resolved.option.tooltip as { formatter: (params: object) => string })
    .formatter({ seriesIndex: 0, dataIndex: 0 })
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

it('the tooltip names the ends of the whiskers', () => {
  expect(tooltipText({})).toBe(
    ' a Upper whisker 5 3rd quartile 4.5 Mean 19.17 Median 3.5 1st quartile 2.5 Lower whisker 1 Observations 6 Outliers 1 ',
  )
  expect(tooltipText({ whiskerOptions: 'Min/max (no outliers)' })).toMatch(/Max 100 .* Min 1 .*Outliers 0/)
  expect(tooltipText({ whiskerOptions: '10/90 percentiles' })).toMatch(/Percentile 90 52.5 .* Percentile 10 1.5/)
  expect(drawn().resolved.markText({ series: 0, at: 1 })).toMatch(
    /^∅, Upper whisker: 0, 3rd quartile: -1, Mean: -2, Median: -2, .*Outliers: 0$/,
  )
})

it('with several metrics, boxes have the name and color of their metric; without dimensions, only the name', () => {
  const { boxes, axis } = drawn({ metrics: ['n', 'm'] })
  expect((axis as { data: string[] }).data).toEqual(['a, n', 'a, m', '∅, n', '∅, m'])
  expect(new Set(boxes.map(({ itemStyle }) => itemStyle.borderColor)).size).toBe(2)
  expect((drawn({ metrics: ['n', 'm'], groupby: [] }).axis as { data: string[] }).data).toEqual(['n', 'm'])
})

it('filters by a box, fades the others and supports keyboard navigation between boxes', () => {
  const { resolved } = drawn()
  expect(resolved.mark({ series: 0, at: 1 }, baseForm)).toMatchObject({
    filters: [{ col: 'kind', op: 'IS NULL' }],
    row: { kind: null, n__median: -2, n__count: 3 },
  })
  const faded = drawn({}, rows, { selected: { kind: 'a' } }).boxes.map(({ itemStyle }) => itemStyle.opacity)
  expect(faded).toEqual([1, 0.25])
  expect(resolved.navigate({ series: 0, at: 0 }, 'next')).toEqual({ series: 0, at: 1 })
  expect(drawn({ groupby: [] }).resolved.mark({ series: 0, at: 0 }, baseForm)).toBe(null)
})

it('describes how many boxes there are, with the highest and the lowest median', () => {
  expect(drawn().resolved.describe('Box Plot')).toBe(
    'Box Plot of n with 2 boxes. Highest median: 3.5 (a). Lowest median: -2 (∅).',
  )
})

it('rotates box labels as configured', () => {
  const rotate = (x_ticks_layout: string) =>
    (drawn({ x_ticks_layout }).axis as { axisLabel: { rotate?: number } }).axisLabel.rotate
  expect(['auto', 'flat', '45°', '90°', 'staggered'].map(rotate)).toEqual([undefined, 0, 45, 90, 45])
})

it('draws no box without numbers', () => {
  const empty = { kind: ['a', 'b'], n: [null, 3] }
  expect(drawn({}, empty).boxes.map(({ value }) => value)).toEqual(['-', [3, 3, 3, 3, 3]])
  expect(drawn({}, { kind: ['a'], n: [null] }).resolved.isEmpty).toBe(true)
  expect(drawn({}, { kind: [], n: [] }).resolved.isEmpty).toBe(true)
})

it.each(Object.entries(buildHostileFrames('kind', 'n')))('draws %s', async (_, { rows: given }) => {
  // ECharts needs seconds for this many marks, which test nothing new
  if (given.rows > 1000) return
  const { frame } = postProcess(given, steps({}))
  const { svg } = await drawChart('box_plot', { boxes: frame }, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
