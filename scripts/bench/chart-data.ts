import { buildQueryContext, loadStoredForm, type ChartForm } from '@parquetry/charts'
import type { QueryContext } from '@parquetry/model'
import type { Bench, Workload } from './bench.ts'
import type { Figure } from './figure.ts'
import { medians } from './measure.ts'

/** The body of `chart/data` as the web client creates it. */
export async function buildChartContext(form: ChartForm, datasetId: number, force = false): Promise<QueryContext> {
  const opened = await loadStoredForm({ ...form, datasource: `${datasetId}__table` })
  if (!opened) throw new Error(`no chart draws ${String(form['viz_type'])}`)
  return buildQueryContext(opened.chart, opened.form, { force })
}

/** The statements that a query runs, as reported by the product. */
export async function fetchStatements({ client }: Pick<Bench, 'client'>, context: QueryContext): Promise<string[]> {
  const { result } = await client.json<{ result: { query: string }[] }>('POST', '/api/v1/chart/data', {
    ...context,
    force: false,
  })
  return result.map(({ query }) => query)
}

const week = { x_axis: 'date', time_grain_sqla: 'P1W' }

const chartForms: readonly [name: string, dataset: keyof Bench['datasets'], form: ChartForm][] = [
  ['big number', 'flights', { viz_type: 'big_number_total', metric: 'count' }],
  ['pie of 3', 'flights', { viz_type: 'pie', groupby: ['punctuality'], metric: 'count' }],
  [
    'line by day',
    'flights',
    { viz_type: 'echarts_timeseries_line', x_axis: 'date', time_grain_sqla: 'P1D', metrics: ['avg_delay'] },
  ],
  [
    'area by week',
    'flights',
    { viz_type: 'echarts_area', ...week, metrics: ['count'], groupby: ['distance_band'], stack: 'Stack' },
  ],
  ['top 12', 'flights', { viz_type: 'echarts_timeseries_bar', x_axis: 'origin', metrics: ['count'], row_limit: 12 }],
  [
    'join, 200 rows',
    'flights_with_airports',
    {
      viz_type: 'table',
      query_mode: 'aggregate',
      groupby: ['airport', 'city', 'state'],
      metrics: ['count', 'avg_delay'],
      row_limit: 200,
    },
  ],
]

const rows = (row_limit: number): ChartForm => ({
  viz_type: 'table',
  query_mode: 'raw',
  all_columns: ['date', 'delay', 'distance', 'origin', 'destination'],
  row_limit,
})

/** Chart queries over the same SQL in the bare engine. */
export const chartData: Workload = async (bench) => {
  const measure = async (name: string, dataset: keyof Bench['datasets'], form: ChartForm): Promise<Figure> => {
    const context = await buildChartContext(form, bench.datasets[dataset], true)
    const statements = await fetchStatements(bench, context)
    const { product, raw } = await medians(
      {
        raw: async () => {
          let ms = 0
          for (const sql of statements) ms += await bench.engine.run(sql)
          return ms
        },
        product: async () => {
          const response = await bench.client.send('POST', '/api/v1/chart/data', { body: context })
          if (response.status !== 200) throw new Error(`${name}: ${response.status} ${response.body.toString()}`)
          return response.ms
        },
      },
      bench.runs,
      2,
    )
    return {
      name: `chart uncached: ${name}`,
      unit: 'ms',
      value: product,
      runs: bench.runs,
      floor: raw,
      floorIs: 'DuckDB',
    }
  }
  const figures: Figure[] = []
  for (const [name, dataset, form] of chartForms) {
    const figure = await measure(name, dataset, form)
    figures.push({ ...figure, budget: figure.floor! * 1.25 + 3 })
  }
  const many = await measure('10,000 rows', 'flights', rows(10_000))
  return [...figures, { ...many, budget: many.floor! * 2 + 10 }]
}
