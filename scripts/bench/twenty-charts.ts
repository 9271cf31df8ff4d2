import type { ChartForm } from '@parquetry/charts'
import type { Client } from './client.ts'

/** Twenty different queries on three million flights, for all kinds of charts, on one dashboard. */
export const forms: readonly (readonly [name: string, form: ChartForm])[] = [
  ['Flights', { viz_type: 'big_number_total', metric: 'count' }],
  ['Late', { viz_type: 'big_number_total', metric: 'late_share', y_axis_format: '.1%' }],
  ['Average delay', { viz_type: 'big_number_total', metric: 'avg_delay', y_axis_format: '.1f' }],
  ['Miles', { viz_type: 'big_number_total', metric: 'miles' }],
  ['Flights per week', { viz_type: 'big_number', x_axis: 'date', time_grain_sqla: 'P1W', metric: 'count' }],
  ['Delay by day', { viz_type: 'big_number', x_axis: 'date', time_grain_sqla: 'P1D', metric: 'avg_delay' }],
  ['Punctuality', { viz_type: 'pie', groupby: ['punctuality'], metric: 'count' }],
  ['Distances', { viz_type: 'pie', groupby: ['distance_band'], metric: 'miles', donut: true }],
  [
    'Flights by day',
    { viz_type: 'echarts_timeseries_line', x_axis: 'date', time_grain_sqla: 'P1D', metrics: ['count'] },
  ],
  [
    'Delay by week and distance',
    {
      viz_type: 'echarts_timeseries_line',
      x_axis: 'date',
      time_grain_sqla: 'P1W',
      metrics: ['avg_delay'],
      groupby: ['distance_band'],
    },
  ],
  [
    'Delay, a week rolling',
    {
      viz_type: 'echarts_timeseries_line',
      x_axis: 'date',
      time_grain_sqla: 'P1D',
      metrics: ['avg_delay'],
      rolling_type: 'mean',
      rolling_periods: 7,
    },
  ],
  [
    'Flights by week and distance',
    {
      viz_type: 'echarts_area',
      x_axis: 'date',
      time_grain_sqla: 'P1W',
      metrics: ['count'],
      groupby: ['distance_band'],
      stack: 'Stack',
    },
  ],
  [
    'Flights by day and punctuality',
    {
      viz_type: 'echarts_area',
      x_axis: 'date',
      time_grain_sqla: 'P1D',
      metrics: ['count'],
      groupby: ['punctuality'],
      stack: 'Stack',
    },
  ],
  ['Busiest origins', { viz_type: 'echarts_timeseries_bar', x_axis: 'origin', metrics: ['count'], row_limit: 12 }],
  [
    'Latest destinations',
    { viz_type: 'echarts_timeseries_bar', x_axis: 'destination', metrics: ['avg_delay'], row_limit: 12 },
  ],
  ['Delay by hour', { viz_type: 'echarts_timeseries_bar', x_axis: 'hour', metrics: ['avg_delay'] }],
  ['Late by hour', { viz_type: 'echarts_timeseries_bar', x_axis: 'hour', metrics: ['late_share'] }],
  [
    'Origins',
    {
      viz_type: 'table',
      query_mode: 'aggregate',
      groupby: ['origin'],
      metrics: ['count', 'avg_delay', 'late_share'],
      row_limit: 100,
    },
  ],
  [
    'Routes',
    {
      viz_type: 'table',
      query_mode: 'aggregate',
      groupby: ['origin', 'destination'],
      metrics: ['count', 'avg_delay'],
      row_limit: 100,
    },
  ],
  [
    'Newest flights',
    {
      viz_type: 'table',
      query_mode: 'raw',
      all_columns: ['date', 'origin', 'destination', 'delay'],
      order_by_cols: ['["date", false]'],
      row_limit: 100,
    },
  ],
]

const others = ['delay', 'distance', 'hour'].flatMap((column_name) =>
  ['SUM', 'AVG', 'MIN', 'MAX'].map((aggregate) => ({
    expressionType: 'SIMPLE',
    column: { column_name },
    aggregate,
    label: `${aggregate} of ${column_name}`,
  })),
)

/** Returns a form that queries another metric. */
function withOtherMetric(form: ChartForm, at: number): ChartForm {
  const metric = others[at % others.length]!
  return {
    ...form,
    ...('metric' in form && { metric }),
    ...('metrics' in form && { metrics: [metric] }),
    ...(typeof form['row_limit'] === 'number' && { row_limit: form['row_limit'] + at }),
  }
}

export interface BenchDashboard {
  id: number
  /** IDs of the charts in the order of `forms`. */
  charts: number[]
  filterId: string
}

const filterId = 'NATIVE_FILTER-bench-origin'

/** Creates a dashboard of the twenty charts, or of more with other queries, four in a row, with an origin filter. */
export async function createDashboard(
  client: Client,
  datasetId: number,
  count = forms.length,
): Promise<BenchDashboard> {
  const charts: number[] = []
  for (let index = 0; index < count; index += 1) {
    const [name, first] = forms[index % forms.length]!
    const round = Math.floor(index / forms.length)
    const [slice_name, form] = round === 0 ? [name, first] : [`${name} ${round}`, withOtherMetric(first, index + round)]
    const params = { ...form, datasource: `${datasetId}__table` }
    const { id } = await client.json<{ id: number }>('POST', '/api/v1/chart/', {
      slice_name,
      viz_type: form['viz_type'],
      datasource_id: datasetId,
      datasource_type: 'table',
      params: JSON.stringify(params),
    })
    charts.push(id)
  }
  const { id } = await client.json<{ id: number }>('POST', '/api/v1/dashboard/', {
    dashboard_title: `${count} charts`,
    published: true,
  })
  const native_filter_configuration = [
    {
      id: filterId,
      type: 'NATIVE_FILTER',
      name: 'From',
      filterType: 'filter_select',
      targets: [{ datasetId, column: { name: 'origin' } }],
      controlValues: { multiSelect: true, enableEmptyFilter: false },
      defaultDataMask: { extraFormData: {}, filterState: {}, ownState: {} },
      cascadeParentIds: [],
      scope: { rootPath: ['ROOT_ID'], excluded: [] },
    },
  ]
  await client.json('PUT', `/api/v1/dashboard/${id}`, {
    json_metadata: JSON.stringify({
      positions: buildPositions(charts),
      native_filter_configuration,
      parquetry: { apply_filters: 'at_once' },
    }),
  })
  return { id, charts, filterId }
}

/** Turns the cache of these charts on or off. */
export async function setCaching(client: Client, { charts }: BenchDashboard, isKept: boolean): Promise<void> {
  for (const id of charts) await client.json('PUT', `/api/v1/chart/${id}`, { cache_timeout: isKept ? null : -1 })
}

/** Form data of the origin filter. */
export const buildOriginFilter = (origins: readonly string[]): Record<string, unknown> => ({
  filters: [{ col: 'origin', op: 'IN', val: origins }],
})

function buildPositions(charts: readonly number[]): Record<string, unknown> {
  const perRow = 4
  const rows = Array.from({ length: charts.length / perRow }, (_, row) => `ROW-${row}`)
  const inGrid = ['ROOT_ID', 'GRID_ID']
  return {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: rows, parents: ['ROOT_ID'] },
    HEADER_ID: { id: 'HEADER_ID', type: 'HEADER', meta: { text: 'Twenty charts' } },
    ...Object.fromEntries(
      rows.map((id, row) => [
        id,
        {
          id,
          type: 'ROW',
          children: charts.slice(row * perRow, (row + 1) * perRow).map((chart) => `CHART-${chart}`),
          parents: inGrid,
          meta: { background: 'BACKGROUND_TRANSPARENT' },
        },
      ]),
    ),
    ...Object.fromEntries(
      charts.map((chartId, index) => [
        `CHART-${chartId}`,
        {
          id: `CHART-${chartId}`,
          type: 'CHART',
          children: [],
          parents: [...inGrid, rows[Math.floor(index / perRow)]],
          meta: { chartId, width: 3, height: 30 },
        },
      ]),
    ),
  }
}
