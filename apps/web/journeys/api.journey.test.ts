import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
beforeAll(async () => {
  product = await startProduct()
  await waitForExamples(product.url)
})
afterAll(() => product?.stop())

it('a script goes from SQL on three million rows to a filtered dashboard through the public API alone', async () => {
  const client = await createApiClient(product.url, 'admin')
  const databases = await client.get('/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:examples)))')
  const database_id = databases.body.result[0].id as number
  const sql = 'SELECT origin, count(*) AS flights, avg(delay) AS delay FROM flights GROUP BY origin'

  const run = await client.post('/api/v1/sqllab/execute/', {
    database_id,
    sql,
    schema: 'main',
    queryLimit: 1000,
    runAsync: false,
  })
  expect(run.status).toBe(200)
  expect(run.body.data.reduce((sum: number, row: { flights: number }) => sum + row.flights, 0)).toBe(3_000_000)

  const dataset = await client.post('/api/v1/dataset/', {
    database: database_id,
    schema: 'main',
    table_name: 'flights by origin',
    sql,
  })
  expect(dataset.status).toBe(201)
  const datasource = { id: dataset.body.id, type: 'table' }
  const query = {
    columns: ['origin'],
    metrics: [{ expressionType: 'SIMPLE', column: { column_name: 'flights' }, aggregate: 'SUM', label: 'flights' }],
    orderby: [['flights', false]],
    row_limit: 5,
  }
  const form = {
    viz_type: 'pie',
    datasource: `${dataset.body.id}__table`,
    groupby: ['origin'],
    metric: query.metrics[0],
    row_limit: 5,
  }

  const chart = await client.post('/api/v1/chart/', {
    slice_name: 'Flights by origin',
    viz_type: 'pie',
    datasource_id: dataset.body.id,
    datasource_type: 'table',
    params: JSON.stringify(form),
    query_context: JSON.stringify({
      datasource,
      queries: [query],
      form_data: form,
      result_format: 'json',
      result_type: 'full',
    }),
  })
  expect(chart.status).toBe(201)

  const dashboard = await client.post('/api/v1/dashboard/', { dashboard_title: 'Origins', published: true })
  const positions = {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'], parents: ['ROOT_ID'] },
    'ROW-1': {
      id: 'ROW-1',
      type: 'ROW',
      children: ['CHART-1'],
      parents: ['ROOT_ID', 'GRID_ID'],
      meta: { background: 'BACKGROUND_TRANSPARENT' },
    },
    'CHART-1': {
      id: 'CHART-1',
      type: 'CHART',
      children: [],
      parents: ['ROOT_ID', 'GRID_ID', 'ROW-1'],
      meta: { chartId: chart.body.id, width: 4, height: 50 },
    },
  }
  expect(
    (await client.put(`/api/v1/dashboard/${dashboard.body.id}`, { json_metadata: JSON.stringify({ positions }) }))
      .status,
  ).toBe(200)
  const charts = await client.get(`/api/v1/dashboard/${dashboard.body.id}/charts`)
  expect(charts.body.result.map(({ slice_name }: { slice_name: string }) => slice_name)).toEqual(['Flights by origin'])

  const filters = [{ col: 'origin', op: 'IN', val: ['SEA', 'JFK'] }]
  const data = await client.post('/api/v1/chart/data', {
    datasource,
    queries: [{ ...query, filters }],
    form_data: { slice_id: chart.body.id, dashboardId: dashboard.body.id },
  })
  expect(data.status).toBe(200)
  expect(data.body.result[0].data).toEqual([
    { origin: 'SEA', flights: 50_231 },
    { origin: 'JFK', flights: 31_270 },
  ])
})
