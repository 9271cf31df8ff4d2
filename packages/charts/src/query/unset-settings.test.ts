import { expect, it } from 'vitest'
import { chartEntries, loadChart } from '../registry.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries, resolveForm } from './build-query-context.ts'

/** Settings that are on when a stored form lacks them, because the API's clients read them so. */
const onWhenUnset = new Set([
  // Only `false` sorts in ascending order.
  'order_desc',
  'order_desc_b',
  // Only `false` includes rows without a location.
  'filter_nulls',
  // NATF-034: a filter box has a date range filter.
  'date_filter',
  // They name and order what is drawn, and do not decide which rows are read.
  'truncate_metric',
  'truncate_metric_b',
  'show_empty_columns',
  'x_axis_sort_asc',
])

it('regression: a switch of the query that a stored form does not have is off, for every chart type', async () => {
  const on: string[] = []
  for (const { viz_type } of chartEntries) {
    const { form } = (await loadChart(viz_type))!
    for (const [name, schema] of Object.entries(form.properties as Record<string, Switch>))
      if (schema.control?.group === 'query' && schema.default === true && !onWhenUnset.has(name))
        on.push(`${viz_type}.${name}`)
  }
  expect(on).toEqual([])
})

interface Switch {
  default?: unknown
  control?: { group: string }
}

it.each(['pie', 'funnel', 'gauge_chart', 'sankey_v2', 'sunburst_v2', 'treemap_v2', 'word_cloud', 'chord', 'world_map'])(
  'regression: %s without `sort_by_metric` is not sorted, and a new one is',
  async (viz_type) => {
    const chart = (await loadChart(viz_type))!
    const form = { groupby: ['a'], columns: ['a'], source: 'a', target: 'b', series: 'a', entity: 'a', metric: 'm' }
    const orders = (more: object) =>
      Object.values(namedQueries(chart, { viz_type, ...form, ...more })).map((query) => query.orderby)
    expect(orders({})).toEqual([[]])
    if (viz_type !== 'world_map') expect(orders(chart.initialSettings!)).toEqual([[['m', false]]])
  },
)

it('regression: a table without `order_desc` sorts by its sort metric in ascending order', async () => {
  const table = (await loadChart('table'))!
  const orderOf = (more: object) => namedQueries(table, { groupby: ['a'], metrics: ['m'], ...more }).rows?.orderby
  expect(orderOf({ timeseries_limit_metric: 'n' })).toEqual([['n', true]])
  expect(orderOf({ timeseries_limit_metric: 'n', order_desc: true })).toEqual([['n', false]])
  expect(orderOf({})).toEqual([['m', false]])
})

it('regression: `row_limit: null` is the default of the type', async () => {
  const limits = await Promise.all(
    ['pie', 'funnel', 'gauge_chart', 'radar', 'word_cloud', 'table', 'treemap_v2', 'deck_hex'].map(async (viz_type) => {
      const form = { viz_type, groupby: ['a'], metric: 'm', metrics: ['m'], series: 'a', row_limit: null }
      return Object.values(namedQueries((await loadChart(viz_type))!, form))[0]?.row_limit
    }),
  )
  expect(limits).toEqual([100, 10, 10, 10, 100, 1000, 10_000, 10_000])
})

/** Settings of other chart types, as changes of type by other clients leave them. */
const foreign = {
  columns: ['left'],
  all_columns: ['left'],
  groupby: ['left'],
  series: 'left',
  x_axis: 'left',
  metrics: ['left'],
  metric: 'left',
  metric_2: 'left',
  secondary_metric: 'left',
  x: 'left',
  y: 'left',
  size: 'left',
  query_mode: 'raw',
  row_limit: 3,
  order_by_cols: ['["left", true]'],
  order_desc: false,
  series_limit: 3,
  series_limit_metric: 'left',
  group_others_when_limit_reached: true,
  annotation_layers: [{ name: 'left', annotationType: 'EVENT', sourceType: 'line', value: 1, show: true }],
  sort_by_metric: true,
  server_pagination: true,
  contributionMode: 'row',
  order_by_entity: true,
  y_axis_format: '.9f',
  number_format: '.9f',
  valueFormat: '.9f',
  currency_format: { symbol: 'EUR', symbolPosition: 'prefix' },
}

it('regression: settings that belong to another chart type have no effect', async () => {
  const affected: string[] = []
  for (const { viz_type } of chartEntries) {
    const chart = (await loadChart(viz_type))!
    const names = new Set(Object.keys(chart.form.properties))
    // One setting under two names.
    if (names.has('timeseries_limit_metric')) names.add('series_limit_metric')
    const left = Object.fromEntries(Object.entries(foreign).filter(([name]) => !names.has(name)))
    const summarize = (form: object) => {
      const settled = resolveForm(chart, { viz_type, ...form })
      return JSON.stringify([namedQueries(chart, { viz_type, ...form }), buildSpecContext(settled).formatOf('m')])
    }
    for (const [name, value] of Object.entries(left))
      if (summarize({ [name]: value }) !== summarize({})) affected.push(`${viz_type}.${name}`)
  }
  expect(affected).toEqual([])
})
