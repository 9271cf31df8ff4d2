import { labelOfColumn, type QueryFilter } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { buildQueryContext } from '../query/build-query-context.ts'
import { chartEntries } from '../registry.ts'
import { formsByType } from '../testing/stored-forms.ts'
import { drillBy, drillColumns, firstDrillColumn } from './drill-by.ts'
import { resolveQueryForm, listChartQueries } from './query-form.ts'
import { toStandaloneForm } from './standalone-form.ts'
import { buildRowCountContext, buildDrillRowsContext } from './rows.ts'

const dataset = {
  columns: [
    { column_name: 'region', type_generic: 1, groupby: true },
    { column_name: 'city', type_generic: 1, groupby: true },
    { column_name: 'sold', type_generic: 2, is_dttm: true, groupby: true },
    { column_name: 'note', type_generic: 1, groupby: false },
  ],
  metrics: [{ metric_name: 'count' }],
}
const north: QueryFilter = { col: 'region', op: '==', val: 'North' }
const march: QueryFilter = { col: 'sold', op: '==', val: Date.UTC(2024, 2, 1), grain: 'P1M' }

const pie: ChartForm = {
  viz_type: 'pie',
  datasource: '7__table',
  metric: 'count',
  groupby: ['region'],
  adhoc_filters: [
    { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'kind', operator: '==', comparator: 'a' },
    { expressionType: 'SQL', clause: 'HAVING', sqlExpression: 'COUNT(*) > 3' },
  ],
  extra_form_data: { filters: [{ col: 'shop', op: 'IN', val: ['x'] }], time_range: 'Last year' },
}

const summarizeQueries = (drilled: Awaited<ReturnType<typeof drillBy>>) => {
  const [query] = buildQueryContext(drilled!.chart, drilled!.form).queries
  return query!
}

describe('drillBy', () => {
  const both = chartEntries.filter(({ behaviors }) => behaviors.includes('DRILL_BY'))

  it.each(both.map(({ viz_type }) => viz_type))(
    'CHART-038: %s breaks a mark down by another column',
    async (viz_type) => {
      const { form } = formsByType()[viz_type]!
      const query = summarizeQueries(await drillBy({ ...form, viz_type }, [north, march], 'city', dataset))
      const columns = query.columns?.map(labelOfColumn)
      // A box represents the values at its times, so these columns stay.
      expect(viz_type === 'box_plot' ? columns?.slice(-1) : columns).toEqual(['city'])
      expect(query.metrics?.length).toBeGreaterThan(0)
      expect(query.filters).toEqual(expect.arrayContaining([north, march].map((each) => ({ ...each, isExtra: true }))))
      expect(query.extras?.having).toBeUndefined()
    },
  )

  it('keeps the filters of the chart and the dashboard, except conditions on groups', async () => {
    const drilled = await drillBy(pie, [north], 'city', dataset)
    expect(drilled?.chart.viz_type).toBe('pie')
    const query = summarizeQueries(drilled)
    expect(query.filters?.map(({ col, val }) => [col, val])).toEqual([
      ['kind', 'a'],
      ['shop', ['x']],
      ['region', 'North'],
    ])
    expect(query.time_range).toBe('Last year')
    expect(query.extras?.having).toBeUndefined()
  })

  it('drills further into a drilled chart', async () => {
    const first = await drillBy(pie, [north], 'city', dataset)
    const second = summarizeQueries(await drillBy(first!.form, [{ col: 'city', op: 'IS NULL' }], 'sold', dataset))
    expect(second.filters?.map(({ col }) => col)).toEqual(['kind', 'shop', 'region', 'city'])
    expect(second.columns).toEqual([expect.objectContaining({ columnType: 'BASE_AXIS', timeGrain: 'P1D' })])
  })

  it('turns a chart with an axis into bars by the column, largest first, and uses a line for time columns', async () => {
    const line: ChartForm = {
      viz_type: 'echarts_timeseries_line',
      datasource: '7__table',
      x_axis: 'sold',
      metrics: ['count'],
    }
    const bars = await drillBy(line, [march], 'city', dataset)
    expect(bars?.form).toMatchObject({
      viz_type: 'echarts_timeseries_bar',
      x_axis: 'city',
      x_axis_sort: 'count',
      x_axis_sort_asc: false,
    })
    const course = await drillBy(pie, [north], 'sold', dataset)
    expect(course?.form).toMatchObject({ viz_type: 'echarts_timeseries_line', x_axis: 'sold' })
  })

  it('counts rows when drilling into a table of raw rows', async () => {
    const table: ChartForm = {
      viz_type: 'table',
      datasource: '7__table',
      query_mode: 'raw',
      all_columns: ['region', 'city'],
    }
    const query = summarizeQueries(await drillBy(table, [north], 'city', dataset))
    expect(query).toMatchObject({ columns: ['city'], metrics: ['count'] })
  })

  it('starts with a column that the chart does not show yet, identifiers last', () => {
    const columns = ['region', 'order_id', 'city']
    expect(firstDrillColumn(columns, pie)).toBe('city')
    expect(firstDrillColumn(columns.slice(0, 2), pie)).toBe('order_id')
    expect(firstDrillColumn(['region'], pie)).toBe('region')
    expect(firstDrillColumn([], pie)).toBeUndefined()
  })

  it('CHART-038: uses the second query of a mixed chart for its marks', async () => {
    const equals = (subject: string, comparator: string) => [
      { expressionType: 'SIMPLE', clause: 'WHERE', subject, operator: '==', comparator },
    ]
    const mixed: ChartForm = {
      viz_type: 'mixed_timeseries',
      datasource: '7__table',
      x_axis: 'sold',
      metrics: ['count'],
      adhoc_filters: equals('kind', 'a'),
      y_axis_format: ',d',
      metrics_b: ['revenue'],
      adhoc_filters_b: equals('kind', 'b'),
      yAxisIndexB: 1,
      y_axis_format_secondary: '$,.2f',
      extra_form_data: { filters: [{ col: 'shop', op: 'IN', val: ['x'] }] },
    }
    const second = await resolveQueryForm(mixed, 'series_b')
    const drilled = await drillBy(second, [march], 'city', dataset)
    expect(drilled?.form['y_axis_format']).toBe('$,.2f')
    const query = summarizeQueries(drilled)
    expect(query.metrics).toEqual(['revenue'])
    const values = (filters: readonly QueryFilter[] | null | undefined) => filters?.map(({ col, val }) => [col, val])
    expect(values(query.filters)).toEqual([
      ['kind', 'b'],
      ['shop', ['x']],
      ['sold', march.val],
    ])
    const [rows] = buildDrillRowsContext(second, { filters: [march], row_limit: 50 }).queries
    expect(values(rows?.filters)).toEqual(values(query.filters))
    expect(
      summarizeQueries(await drillBy(await resolveQueryForm(mixed, 'series'), [], 'city', dataset)).metrics,
    ).toEqual(['count'])
    expect((await listChartQueries(mixed)).map(({ query, label, form }) => [query, label, form['metrics']])).toEqual([
      ['series', 'Query A', ['count']],
      ['series_b', 'Query B', ['revenue']],
    ])
    expect(await listChartQueries({ ...mixed, metrics_b: [] })).toEqual([])
    expect(await listChartQueries(pie)).toEqual([])
  })

  it('offers groupable columns of which the mark has more than one value', () => {
    const names = (filters: QueryFilter[]) =>
      drillColumns(dataset.columns, filters).map(({ column_name }) => column_name)
    expect(names([])).toEqual(['region', 'city', 'sold'])
    expect(names([north, march])).toEqual(['city', 'sold'])
    expect(names([{ col: 'city', op: 'IN', val: ['a', 'b'] }])).toEqual(['region', 'city', 'sold'])
  })
})

describe('the rows behind a mark', () => {
  it('are queried page by page with all columns, and counted, under all filters', () => {
    const { queries, datasource } = buildDrillRowsContext(pie, { filters: [north], row_limit: 50, row_offset: 100 })
    const [rows] = queries
    const [count] = buildRowCountContext(pie, [north]).queries
    expect(datasource).toEqual({ id: 7, type: 'table' })
    expect(rows).toMatchObject({ columns: [], result_type: 'drill_detail', row_limit: 50, row_offset: 100 })
    expect(rows?.metrics).toBeUndefined()
    expect(count?.metrics).toHaveLength(1)
    for (const query of [rows, count]) {
      expect(query?.filters?.map(({ col }) => col)).toEqual(['kind', 'shop', 'region'])
      expect(query).toMatchObject({ time_range: 'Last year', extras: {} })
    }
  })

  it('are queried with the selected columns only', () => {
    const [rows] = buildDrillRowsContext(pie, { columns: ['city', 'region'], row_limit: 50 }).queries
    expect(rows?.columns).toEqual(['city', 'region'])
    expect(rows?.result_type).toBeUndefined()
  })
})

describe('keptForm', () => {
  it('produces the same query without a dashboard', async () => {
    const drilled = await drillBy({ ...pie, slice_id: 3, dashboardId: 4 }, [north], 'city', dataset)
    const kept = toStandaloneForm(drilled!.form)
    expect(kept).not.toHaveProperty('extra_form_data')
    expect(kept).not.toHaveProperty('slice_id')
    expect(kept).not.toHaveProperty('dashboardId')
    const plain = ({ col, op, val }: QueryFilter) => ({ col, op, val })
    const [before, after] = [summarizeQueries(drilled), summarizeQueries({ chart: drilled!.chart, form: kept })]
    expect(after.filters?.map(plain)).toEqual(before.filters?.map(plain))
    expect(after).toMatchObject({ columns: before.columns, metrics: before.metrics, time_range: before.time_range })
  })

  it('converts a period to its two bounds, and an expression to SQL', () => {
    const col = { expressionType: 'SQL' as const, sqlExpression: 'UPPER(city)', label: 'big' }
    const { adhoc_filters } = toStandaloneForm({
      extra_form_data: { filters: [march, { col, op: '==', val: "O'Hare" }, { col, op: 'IS NULL' }] },
    })
    expect(adhoc_filters).toEqual([
      expect.objectContaining({ subject: 'sold', operator: '>=', comparator: Date.UTC(2024, 2, 1) }),
      expect.objectContaining({ subject: 'sold', operator: '<', comparator: Date.UTC(2024, 3, 1) }),
      expect.objectContaining({ sqlExpression: "(UPPER(city)) = 'O''Hare'" }),
      expect.objectContaining({ sqlExpression: '(UPPER(city)) IS NULL' }),
    ])
  })
})
