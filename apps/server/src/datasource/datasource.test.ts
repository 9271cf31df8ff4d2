import { buildQueryContext, loadStoredForm } from '@parquetry/charts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client would read them
type Body = any
const call = async (method: string, path: string, body?: object, user: TestUser = 'admin') => {
  const response = await cars.server.as(user, 'session').send(method, path, {
    ...(body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: response.statusCode, body: response.body === '' ? ({} as Body) : (response.json() as Body) }
}
const validate = (expression: string, expression_type: string, user: TestUser = 'admin') =>
  call('POST', `/api/v1/datasource/table/${cars.dataset}/validate_expression/`, { expression, expression_type }, user)

describe('validate_expression', () => {
  it.each([
    ['column', 'UPPER("Origin")'],
    ['metric', 'SUM("Horsepower") / COUNT(*)'],
    ['where', '"Horsepower" > 100 -- strong ones'],
    ['having', 'COUNT(*) > 3'],
  ])('returns no errors for a valid %s', async (type, expression) => {
    expect(await validate(expression, type)).toEqual({ status: 200, body: { result: [] } })
  })

  it('reports unknown names with the message of the database', async () => {
    const { status, body } = await validate('SUM("Horsepwer")', 'metric')
    expect(status).toBe(200)
    const [mark] = body['result'] as [{ message: string }]
    expect(mark.message).toContain('Horsepwer')
    expect(mark).toMatchObject({ line_number: 1, start_column: 5, end_column: 16 })
  })

  it('locates the error in a column that is also grouped by', async () => {
    const { body } = await validate('1 +\n  Horsepwer', 'column')
    expect(body['result']).toMatchObject([{ line_number: 2, start_column: 3, end_column: 12 }])
  })

  it.each([
    ['where', '"Origin" = \'USA'],
    ['where', '1 = 1) OR (1 = 1'],
    ['column', '(SELECT MAX(x) FROM other)'],
    ['metric', 'SUM("Horsepower"'],
  ])('refuses a %s that is not a single valid expression', async (type, expression) => {
    const { status, body } = await validate(expression, type)
    expect(status).toBe(200)
    expect(body['result']).toHaveLength(1)
  })

  it('is allowed only for users who may read the dataset', async () => {
    expect((await validate('1', 'column', 'gamma')).status).toBe(404)
  })
})

describe('drill_info', () => {
  const path = () => `/api/v1/dataset/${cars.dataset}/drill_info/`

  it('lists the groupable columns of the dataset', async () => {
    const { status, body } = await call('GET', `${path()}?q=()`)
    expect(status).toBe(200)
    const { id, table_name, columns } = body['result'] as {
      id: number
      table_name: string
      columns: { column_name: string }[]
    }
    expect([id, table_name]).toEqual([cars.dataset, 'cars'])
    expect(body['result']).toHaveProperty('created_by')
    expect(columns.map(({ column_name }) => column_name)).toEqual(['Name', 'Cylinders', 'Horsepower', 'Year', 'Origin'])
    await cars.server.deps.db
      .updateTable('dataset_column')
      .set({ groupby: 0 })
      .where('column_name', '=', 'Name')
      .execute()
    const { body: later } = await call('GET', path())
    expect(JSON.stringify(later)).not.toContain('"column_name":"Name"')
  })

  it('returns 404 to users who may not read the dataset', async () => {
    expect((await call('GET', path(), undefined, 'gamma')).status).toBe(404)
    expect((await call('GET', `${path()}?q=(dashboard_id:1)`, undefined, 'gamma')).status).toBe(404)
  })
})

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const question = (filters: object[] = []) => ({
  datasource: { id: cars.dataset, type: 'table' },
  queries: [{ columns: ['Origin'], metrics: [count], filters }],
})
const isCached = async (): Promise<boolean | null> => {
  const { body } = await call('POST', '/api/v1/chart/data', question())
  return (body['result'] as [{ is_cached: boolean | null }])[0].is_cached
}

describe('cachekey/invalidate', () => {
  it.each([
    ['its uid', () => ({ datasource_uids: [`${cars.dataset}__table`] })],
    ['its name', () => ({ datasources: [{ database_name: 'd', datasource_name: 'cars', datasource_type: 'table' }] })],
  ])('deletes the cached results of a dataset by %s, and of no other', async (_, body) => {
    await isCached()
    expect(await isCached()).toBe(true)
    expect(await call('POST', '/api/v1/cachekey/invalidate', { datasource_uids: ['999999__table'] })).toEqual({
      status: 201,
      body: {},
    })
    expect(await isCached()).toBe(true)
    expect((await call('POST', '/api/v1/cachekey/invalidate', body())).status).toBe(201)
    expect(await isCached()).toBe(null)
  })

  it('is allowed only for administrators', async () => {
    expect((await call('POST', '/api/v1/cachekey/invalidate', {}, 'alpha')).status).toBe(403)
  })
})

describe('warm_up_cache', () => {
  let chart: number
  beforeAll(async () => {
    const params = {
      viz_type: 'pie',
      datasource: `${cars.dataset}__table`,
      metric: count,
      groupby: ['Origin'],
      adhoc_filters: [],
      row_limit: 10,
    }
    const { body } = await call('POST', '/api/v1/chart/', {
      slice_name: 'By origin',
      viz_type: 'pie',
      datasource_id: cars.dataset,
      datasource_type: 'table',
      params: JSON.stringify(params),
    })
    chart = body['id'] as number
  })

  it('runs the queries of a chart and caches the results', async () => {
    const before = cars.runs()
    const { status, body } = await call('PUT', '/api/v1/chart/warm_up_cache', { chart_id: chart })
    expect(status).toBe(200)
    expect(body).toEqual({ result: [{ chart_id: chart, viz_error: null, viz_status: 'success' }] })
    const asked = cars.runs()
    expect(asked).toBeGreaterThan(before)
    const form = JSON.parse((await call('GET', `/api/v1/chart/${chart}`)).body['result']['params']) as object
    const opened = (await loadStoredForm({ ...form, slice_id: chart }))!
    const next = await call('POST', '/api/v1/chart/data', buildQueryContext(opened.chart, opened.form))
    expect((next.body['result'] as [{ is_cached: boolean }])[0].is_cached).toBe(true)
    expect(cars.runs()).toBe(asked)
    await call('PUT', '/api/v1/chart/warm_up_cache', { chart_id: chart })
    expect(cars.runs()).toBeGreaterThan(asked)
  })

  it('warms up every chart of a table and reports those that failed', async () => {
    const { body: made } = await call('POST', '/api/v1/chart/', {
      slice_name: 'Broken',
      viz_type: 'pie',
      datasource_id: cars.dataset,
      datasource_type: 'table',
      params: JSON.stringify({
        viz_type: 'pie',
        datasource: `${cars.dataset}__table`,
        metric: 'no such',
        groupby: ['Origin'],
      }),
    })
    const { status, body } = await call('PUT', '/api/v1/dataset/warm_up_cache', { db_name: 'd', table_name: 'cars' })
    expect(status).toBe(200)
    expect(body['result']).toEqual([
      { chart_id: chart, viz_error: null, viz_status: 'success' },
      { chart_id: made['id'], viz_error: expect.stringContaining('no such') as string, viz_status: 'failed' },
    ])
  })

  it('reports missing charts and tables, and invalid filters', async () => {
    expect((await call('PUT', '/api/v1/chart/warm_up_cache', { chart_id: 999_999 })).status).toBe(404)
    expect((await call('PUT', '/api/v1/dataset/warm_up_cache', { db_name: 'd', table_name: 'x' })).status).toBe(404)
    expect((await call('PUT', '/api/v1/chart/warm_up_cache', { chart_id: chart, extra_filters: 'x' })).status).toBe(400)
  })
})

describe('samples', () => {
  const samples = (query: string, body: object = {}) =>
    call('POST', `/datasource/samples?datasource_type=table&datasource_id=${cars.dataset}${query}`, body)
  type Sampled = { page: number; per_page: number; total_count: number; data: Record<string, unknown>[] }

  it('API-059: returns unaggregated rows, filtered by the body', async () => {
    const { status, body } = await samples('&force=true')
    expect(status).toBe(200)
    const all = body['result'] as Sampled
    expect(all.data).toHaveLength(all.total_count)
    const filtered = (await samples('&force=false', { filters: [{ col: 'Origin', op: '==', val: 'USA' }] })).body
    const { data, total_count } = filtered['result'] as Sampled
    expect(new Set(data.map((row) => row['Origin']))).toEqual(new Set(['USA']))
    expect(total_count).toBe(data.length)
    expect(total_count).toBeLessThan(all.total_count)
  })

  it('API-060: returns a page only when both page and size are given', async () => {
    const whole = (await samples('')).body['result'] as Sampled
    for (const query of ['&page=2', '&per_page=5']) {
      const { data, page } = (await samples(query)).body['result'] as Sampled
      expect([data.length, page]).toEqual([whole.total_count, 1])
    }
    const second = (await samples('&page=2&per_page=5')).body['result'] as Sampled
    expect(second).toMatchObject({ page: 2, per_page: 5, total_count: whole.total_count })
    expect(second.data).toEqual(whole.data.slice(5, 10))
  })
})

it('API-070: returns the distinct values of a column', async () => {
  const { status, body } = await call('GET', `/api/v1/datasource/table/${cars.dataset}/column/Origin/values/`)
  expect(status).toBe(200)
  expect((body['result'] as string[]).toSorted()).toEqual(['Europe', 'Japan', 'USA'])
})

it('API-058: searches column values with an ILIKE filter', async () => {
  const query = { columns: ['Origin'], metrics: [], filters: [{ col: 'Origin', op: 'ILIKE', val: '%uro%' }] }
  const { body } = await call('POST', '/api/v1/chart/data', { ...question(), queries: [query] })
  expect((body['result'] as [{ data: object[] }])[0].data).toEqual([{ Origin: 'Europe' }])
})

describe('datasource list', () => {
  it('lists the datasets that the caller may read, like the list of datasets', async () => {
    const q = '?q=(columns:!(id,table_name),page_size:50)'
    const { status, body } = await call('GET', `/api/v1/datasource/${q}`)
    expect(status).toBe(200)
    const datasets = (await call('GET', `/api/v1/dataset/${q}`)).body
    expect(body.count).toBe(datasets.count)
    expect(body.result).toEqual(datasets.result.map((row: object) => ({ ...row, source_type: 'database' })))
    expect((await call('GET', `/api/v1/datasource/${q}`, undefined, 'gamma')).body).toMatchObject({
      count: 0,
      result: [],
    })
    expect((await call('GET', '/api/v1/datasource/?q=(order_column:nothing)')).status).toBe(400)
  })
})

describe('detect_datetime_formats', () => {
  it('saves the formats of time columns that are stored as text, for owners', async () => {
    const sql = "SELECT '2020-01-31' AS day, '31/01/2020' AS other, 'x' AS name"
    const made = await call('POST', '/api/v1/dataset/', { database: 1, table_name: 'days', sql })
    const path = `/api/v1/dataset/${made.body.id}`
    const columnsOf = async () => (await call('GET', path)).body.result.columns as Body[]
    const columns = (await columnsOf()).map(({ id, column_name }) => ({
      id,
      column_name,
      is_dttm: column_name !== 'name',
    }))
    expect((await call('PUT', path, { columns })).status).toBe(200)
    expect((await call('POST', `${path}/detect_datetime_formats`, undefined, 'alpha')).status).toBe(403)
    const found = await call('POST', `${path}/detect_datetime_formats`)
    expect(found).toMatchObject({ status: 200, body: { formats: { day: '%Y-%m-%d', other: null } } })
    const saved = (await columnsOf()).map(({ column_name, python_date_format }) => [column_name, python_date_format])
    expect(Object.fromEntries(saved)).toEqual({ day: '%Y-%m-%d', other: null, name: null })
    expect((await call('POST', `${path}/detect_datetime_formats`)).body.formats).toEqual({ other: null })
  })
})
