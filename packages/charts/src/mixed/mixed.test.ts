import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'mixed')

const months = [0, 1, 2, 3].map((month) => Date.UTC(2026, month))
const [january, february, march, april] = months as [number, number, number, number]
const families = await loadFamilies(['line', 'bar', 'scatter'])
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 300,
}
const baseForm: ChartForm = {
  viz_type: 'mixed_timeseries',
  x_axis: 'at',
  time_grain_sqla: 'P1M',
  metrics: ['orders'],
  metrics_b: ['rate'],
  yAxisIndexB: 1,
}
/** The second response lacks one month of the first and has one more. */
const frames = toFrames({
  series: [
    { name: 'at', kind: 'time', values: [january, february, march] },
    { name: 'orders', values: [10, 20, 30] },
  ],
  series_b: [
    { name: 'at', kind: 'time', values: [january, march, april] },
    { name: 'rate', values: [0.1, 0.3, 0.4] },
  ],
})
const buildSpec = (more: ChartForm = {}, answer = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return chart.spec(answer, form, buildSpecContext(form)) as { series: Record<string, unknown>[]; yAxis: unknown }
}
const drawn = (more: ChartForm = {}, answer = frames) => resolveSpec(buildSpec(more, answer), answer, around, families)
const questions = (more: ChartForm = {}) => namedQueries(chart, { ...baseForm, ...more })

it('sends two queries over one axis, each with its own metrics, dimensions, limits and windows', () => {
  const { series, series_b } = questions({
    groupby: ['region'],
    groupby_b: ['shop'],
    series_limit: 3,
    series_limit_b: 5,
    timeseries_limit_metric: 'count',
    row_limit: 100,
    row_limit_b: 50,
    order_desc_b: false,
    rolling_type_b: 'cumsum',
    time_compare: ['1 year ago'],
  })
  const labels = (columns: unknown) =>
    (columns as (string | { label: string })[]).map((each) => (typeof each === 'string' ? each : each.label))
  expect(labels(series?.columns)).toEqual(['at', 'region'])
  expect(labels(series_b?.columns)).toEqual(['at', 'shop'])
  expect(series).toMatchObject({ metrics: ['orders'], series_limit: 3, series_limit_metric: 'count', row_limit: 100 })
  expect(series).toMatchObject({ time_offsets: ['1 year ago'], order_desc: true })
  expect(series_b).toMatchObject({ metrics: ['rate'], series_limit: 5, row_limit: 50, order_desc: false })
  for (const name of ['time_offsets', 'series_limit_metric']) expect(series_b).not.toHaveProperty(name)
  const steps = (query: typeof series) => query?.post_processing?.map((step) => step?.operation)
  expect(steps(series)).toEqual(['pivot', 'rename', 'flatten'])
  expect(steps(series_b)).toEqual(['pivot', 'cum', 'rename', 'flatten'])
})

it('applies to each query its own filters, and to both the time range of the first and the dashboard filters', () => {
  const simple = (subject: string, operator: string, comparator: unknown) => ({
    expressionType: 'SIMPLE',
    clause: 'WHERE',
    subject,
    operator,
    comparator,
  })
  const week = simple('at', 'TEMPORAL_RANGE', 'Last week')
  const sql = { expressionType: 'SQL', clause: 'WHERE', sqlExpression: 'paid' }
  const { series, series_b } = questions({
    adhoc_filters: [week, sql, simple('region', '==', 'EU')],
    adhoc_filters_b: [simple('shop', '==', 7)],
    extra_form_data: { filters: [{ col: 'year', op: '==', val: 2026 }] },
  })
  expect(series?.filters?.map(({ col }) => col)).toEqual(['at', 'region', 'year'])
  expect(series_b?.filters?.map(({ col }) => col)).toEqual(['shop', 'at', 'year'])
  expect([series?.extras?.where, series_b?.extras?.where]).toEqual(['(paid)', undefined])
  const month = simple('at', 'TEMPORAL_RANGE', 'Last month')
  expect(questions({ adhoc_filters: [week], adhoc_filters_b: [month] }).series_b?.filters).toMatchObject([
    { val: 'Last month' },
  ])
})

it('sends one query without a second metric', () => {
  expect(Object.keys(questions({ metrics_b: [] }))).toEqual(['series'])
  expect(buildSpec({ metrics_b: [] }).yAxis).not.toBeInstanceOf(Array)
})

it('draws a left and a right axis, each with its own format and bounds', () => {
  const { series, yAxis } = buildSpec({
    y_axis_format: '$,.0f',
    y_axis_format_secondary: '.0%',
    y_axis_title: 'Orders',
    yAxisTitleSecondary: 'Rate',
    y_axis_bounds_secondary: [0, 1],
    logAxis: true,
  })
  expect(series.map(({ format, yAxisIndex }) => [format, yAxisIndex])).toEqual([
    ['$,.0f', undefined],
    ['.0%', 1],
  ])
  expect(yAxis).toMatchObject([
    { type: 'log', format: '$,.0f', name: 'Orders' },
    { type: 'value', format: '.0%', name: 'Rate', min: 0, max: 1, position: 'right' },
  ])
  expect(buildSpec({ yAxisIndexB: 0 }).yAxis).toMatchObject({ type: 'value' })
})

it('shows the values at each point even when the responses have different rows', () => {
  const picture = drawn()
  const tooltipText = (place: { seriesIndex: number; dataIndex: number }) => {
    const { formatter } = picture.option.tooltip as { formatter(params: unknown): string }
    return formatter([place])
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  }
  expect(tooltipText({ seriesIndex: 0, dataIndex: 1 })).toBe('February 2026 orders 20')
  expect(tooltipText({ seriesIndex: 1, dataIndex: 1 })).toBe('March 2026 orders 30 rate 0.3')
  expect(tooltipText({ seriesIndex: 1, dataIndex: 2 })).toBe('April 2026 rate 0.4')
  const place = picture.fromTarget({ seriesIndex: 1, dataIndex: 2 })
  expect(picture.toTarget(place!)).toEqual({ seriesIndex: 1, dataIndex: 2 })
  expect(picture.mark(place!, baseForm)?.row).toEqual({ at: april, rate: 0.4 })
  expect(picture.describe('Mixed Chart')).toBe(
    'Mixed Chart of orders, January 2026 to April 2026. Highest: 30 (March 2026). Lowest: 10 (January 2026). Last: 30. ' +
      'Mixed Chart of rate, January 2026 to April 2026. Highest: 0.4 (April 2026). Lowest: 0.1 (January 2026). Last: 0.4.',
  )
})

it('arrow keys move to the other series at the same position, and along a series over its own points only', () => {
  const picture = drawn()
  const second = picture.navigate({ series: 0, at: 2 }, 'down')
  expect(picture.markText(second!)).toBe('March 2026, rate: 0.3')
  expect(picture.markText(picture.navigate(second, 'previous')!)).toBe('January 2026, rate: 0.1')
  expect(picture.markText(picture.navigate({ series: 0, at: 1 }, 'down')!)).toMatch(/, rate: /)
})

it('axis categories are the union of both responses', () => {
  const names = toFrames({
    series: [
      { name: 'at', values: ['a', 'b'] },
      { name: 'orders', values: [1, 2] },
    ],
    series_b: [
      { name: 'at', values: ['b', 'c'] },
      { name: 'rate', values: [0.2, 0.3] },
    ],
  })
  const { xAxis, series } = drawn({ seriesType: 'bar' }, names).option as {
    xAxis: { data: string[] }
    series: { data: (number | null | { value: number | null })[] }[]
  }
  expect(xAxis.data).toEqual(['a', 'b', 'c'])
  const numbers = series.map(({ data }) =>
    data.map((each) => (typeof each === 'object' && each !== null ? each.value : each)),
  )
  expect(numbers).toEqual([
    [1, 2, null],
    [null, 0.2, 0.3],
  ])
})

it('series of both queries never have the same name', () => {
  const both = toFrames({
    series: [
      { name: 'at', kind: 'time', values: [january] },
      { name: 'EU', parts: ['EU'], values: [1] },
    ],
    series_b: [
      { name: 'at', kind: 'time', values: [january] },
      { name: 'EU', parts: ['EU'], values: [2] },
    ],
  })
  const names = (more: ChartForm) =>
    buildSpec({ groupby: ['region'], groupby_b: ['region'], ...more }, both).series.map(({ name }) => name)
  expect(names({})).toEqual(['orders, EU', 'rate, EU'])
  expect(names({ metrics_b: ['orders'] })).toEqual(['EU (query A)', 'EU (query B)'])
  expect(buildSpec({ show_query_identifiers: true }).series.map(({ name }) => name)).toEqual([
    'orders (query A)',
    'rate (query B)',
  ])
})

it('regression: the segment to an incomplete period uses the axis of its own series', () => {
  const form = applyDefaults(chart.form, baseForm)
  const { option } = resolveSpec(
    chart.spec(frames, form, buildSpecContext(form, { until: april + 1 })),
    frames,
    around,
    families,
  )
  const ways = (option.series as { id?: string; yAxisIndex?: number }[]).filter(({ id }) =>
    id?.startsWith('unfinished'),
  )
  expect(ways).toMatchObject([{ id: 'unfinished rate', yAxisIndex: 1 }])
})

it('stacks each query separately', () => {
  const stacks = (more: ChartForm) => buildSpec(more).series.map(({ stack }) => stack)
  expect(stacks({ stack: true, stackB: 'Stack' })).toEqual(['series all', 'series_b all'])
  expect(stacks({ stackB: true })).toEqual([undefined, 'series_b all'])
})

it('opens a stored form: undefined settings of the second query are copied from the first, empty ones stay empty', async () => {
  const stored = {
    ...baseForm,
    metrics_b: undefined,
    adhoc_filters: [{ subject: 'a' }],
    groupby: ['x'],
    groupby_b: [],
    limit_b: 4,
  }
  const { form } = (await loadStoredForm(stored))!
  expect(form).toMatchObject({
    metrics_b: ['orders'],
    adhoc_filters_b: [{ subject: 'a' }],
    groupby_b: [],
    series_limit_b: 4,
  })
})

it('converts the legacy dual line chart', async () => {
  const { chart: found, form } = (await loadStoredForm({
    viz_type: 'dual_line',
    granularity_sqla: 'at',
    metric: 'hi',
    metric_2: 'lo',
    y_axis_format: '$,.0f',
    y_axis_2_format: '.0%',
    x_axis_format: '%Y',
    adhoc_filters: [{ subject: 'a' }],
  }))!
  expect(found).toBe(chart)
  expect(form).toMatchObject({
    metrics: ['hi'],
    metrics_b: ['lo'],
    yAxisIndex: 0,
    yAxisIndexB: 1,
    adhoc_filters_b: [{ subject: 'a' }],
  })
  expect(form).toMatchObject({
    y_axis_format_secondary: '.0%',
    x_axis_time_format: '%Y',
    form_data_bak: { metric: 'hi' },
  })
  expect(namedQueries(found, form).series_b).toMatchObject({ metrics: ['lo'], granularity: 'at', is_timeseries: true })
})

it.each(Object.entries(buildHostileFrames('at', 'orders')))(
  'draws %s next to a query that has rows',
  async (_, { rows }) => {
    if (rows.rows > 1000) return
    const second = toFrames({
      b: [
        { name: 'at', values: ['z'] },
        { name: 'rate', values: [1] },
      ],
    }).b!
    const { svg } = await drawChart(
      'mixed_timeseries',
      { series: rows, series_b: second },
      { ...baseForm, seriesType: 'bar' },
    )
    expect(svg).not.toMatch(/NaN|Infinity|<script/)
    expect(svg).not.toContain('No rows')
  },
)
