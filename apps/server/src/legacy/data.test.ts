import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const byOrigin = { Europe: 73, Japan: 79, USA: 254 }

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client would read them
type Body = any
const get = async (path: string, user: TestUser = 'admin') => {
  const response = await cars.server.as(user).get(path)
  return { status: response.statusCode, body: response.json<Body>() }
}
async function create(path: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(path, body)
  expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
  return response.json<{ id: number }>().id
}
const createChart = (viz_type: string) =>
  create('/api/v1/chart/', {
    slice_name: viz_type,
    viz_type,
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ viz_type, groupby: ['Origin'], metrics: [count], metric: count, adhoc_filters: [] }),
  })

beforeAll(async () => {
  cars = await startCarsServer()
}, 60_000)
afterAll(() => cars.close())

it('returns the data of a saved chart of a legacy type, and only to those who may read it', async () => {
  const bars = await createChart('dist_bar')
  const { status, body } = await get(`/superset/slice_json/${bars}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    data: [{ key: 'n', values: Object.entries(byOrigin).map(([x, y]) => ({ x, y })) }],
    form_data: { slice_id: bars, viz_type: 'dist_bar' },
    is_cached: false,
  })
  expect((await get(`/superset/slice_json/${bars}`)).body).toMatchObject({ is_cached: true })
  expect((await get(`/superset/slice_json/${bars}?force=true`)).body).toMatchObject({ is_cached: false })
  expect((await get(`/superset/slice_json/${bars}`, 'gamma')).status).toBe(404)
  expect((await get(`/superset/slice_json/${await createChart('echarts_timeseries_bar')}`)).status).toBe(400)
})

it('returns the annotations of a layer as records with times in milliseconds', async () => {
  const layer = await create('/api/v1/annotation_layer/', { name: 'Releases', descr: '' })
  expect((await get(`/superset/annotation_json/${layer}`)).body).toMatchObject({ data: { records: [] }, rowcount: 0 })
  const times = { start_dttm: '2020-01-02T00:00:00', end_dttm: '2020-01-03T00:00:00' }
  const id = await create(`/api/v1/annotation_layer/${layer}/annotation/`, { short_descr: 'One', ...times })
  const { body } = await get(`/superset/annotation_json/${layer}`)
  expect(body).toMatchObject({
    data: {
      records: [
        { id, layer_id: layer, short_descr: 'One', start_dttm: Date.UTC(2020, 0, 2), end_dttm: Date.UTC(2020, 0, 3) },
      ],
    },
    status: 'success',
    rowcount: 1,
  })
  expect(Object.keys(body.data.records[0])).toEqual(body.data.columns)
  expect((await get('/superset/annotation_json/987654')).status).toBe(404)
  expect((await get(`/superset/annotation_json/${layer}`, 'gamma')).status).toBe(403)
})

it('lists the tables of a schema, and the schemas for uploads', async () => {
  const tables = { tableLength: 1, options: [{ value: 'cars', type: 'table' }] }
  for (const path of ['main/', 'undefined/', 'null/', 'main/true/', 'main/false/'])
    expect([path, (await get(`/superset/tables/1/${path}`)).body]).toMatchObject([path, tables])
  expect((await get('/superset/tables/1/main/', 'gamma')).status).toBe(404)

  const extra = JSON.stringify({ schemas_allowed_for_file_upload: ['main'] })
  await cars.server.deps.db.updateTable('database').set({ extra }).where('id', '=', 1).execute()
  expect(await get('/superset/schemas_access_for_file_upload?db_id=1')).toEqual({ status: 200, body: ['main'] })
  expect((await get('/superset/schemas_access_for_file_upload?db_id=1', 'gamma')).status).toBe(404)
  expect((await get('/superset/schemas_access_for_file_upload')).status).toBe(400)
})

it('lists the values of a column, subject to the row-level security rules of the caller', async () => {
  const path = `/superset/filter/table/${cars.dataset}/Origin/`
  const { body } = await get(path, 'alpha')
  expect(body.toSorted()).toEqual(Object.keys(byOrigin))
  const { id: role } = await cars.server.deps.db
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'Alpha')
    .executeTakeFirstOrThrow()
  const rule = { name: 'Japan only', filter_type: 'Regular', tables: [cars.dataset], roles: [role] }
  await create('/api/v1/rowlevelsecurity/', { ...rule, clause: `Origin = 'Japan'` })
  expect((await get(path, 'alpha')).body).toEqual(['Japan'])
  expect((await get(path, 'gamma')).status).toBe(403)
  expect((await get(`/superset/filter/druid/${cars.dataset}/Origin/`)).status).toBe(400)
})

it('searches the own queries', async () => {
  const run = { database_id: 1, sql: 'select 100 as "Found_It"', client_id: 'searched', runAsync: false }
  expect((await cars.server.as('admin').post('/api/v1/sqllab/execute/', run)).statusCode).toBe(200)
  const search = async (query: string, user?: TestUser) => {
    const { status, body } = await get(`/superset/search_queries${query}`, user)
    return [status, body.map(({ sql }: { sql: string }) => sql)]
  }
  const { id: admin } = (await get('/api/v1/me/')).body.result
  for (const query of [
    '',
    `?user_id=${admin}`,
    '?database_id=1',
    '?search_text=found_it',
    '?status=success',
    '?from=0',
  ])
    expect([query, await search(query)]).toEqual([query, [200, [run.sql]]])
  for (const query of ['?user_id=987654', '?database_id=987654', '?search_text=foundXit', '?status=failed', '?to=0'])
    expect([query, await search(query)]).toEqual([query, [200, []]])
  expect(await search('', 'sqllab')).toEqual([200, []])
  expect(await search(`?user_id=${admin}`, 'sqllab')).toEqual([200, []])
})

it('warms up the cache of a chart, or of the charts of a table', async () => {
  const pie = await createChart('pie')
  const warmed = { slice_id: pie, viz_error: null, viz_status: 'success' }
  const runs = cars.runs()
  expect(await get(`/superset/warm_up_cache/?slice_id=${pie}`)).toEqual({ status: 200, body: [warmed] })
  expect(cars.runs()).toBeGreaterThan(runs)
  const ofTable = await get('/superset/warm_up_cache/?table_name=cars&db_name=d')
  expect(ofTable.body).toContainEqual(warmed)
  for (const query of ['', '?table_name=cars', `?slice_id=${pie}&extra_filters={`])
    expect([query, (await get(`/superset/warm_up_cache/${query}`)).status]).toEqual([query, 400])
  expect((await get('/superset/warm_up_cache/?slice_id=987654')).status).toBe(404)
  expect((await get(`/superset/warm_up_cache/?slice_id=${pie}`, 'gamma')).status).toBe(403)
})

const postForm = async (path: string, fields: Record<string, string>, user: TestUser = 'admin') =>
  cars.server.as(user).send('POST', path, {
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

it('runs a query context from a form and lists the results, for readers of the dataset only', async () => {
  const query_context = JSON.stringify({
    datasource: { id: cars.dataset, type: 'table' },
    queries: [{ columns: ['Origin'], metrics: [count], orderby: [['Origin', true]] }],
  })
  const response = await postForm('/api/v1/query/', { query_context })
  const data = Object.entries(byOrigin).map(([Origin, n]) => ({ Origin, n }))
  expect(response.json<Body>()).toMatchObject([{ data, rowcount: 3, status: 'success' }])
  expect((await postForm('/api/v1/query/', { query_context }, 'gamma')).statusCode).toBe(403)
  const csv = JSON.stringify({ ...JSON.parse(query_context), result_format: 'csv' })
  for (const fields of [{}, { query_context: '{' }, { query_context: csv }])
    expect((await postForm('/api/v1/query/', fields as Record<string, string>)).statusCode).toBe(400)
})

it('answers the empty texts of a language, without signing in', async () => {
  const response = await cars.server.as('nobody').get('/superset/language_pack/pt_BR/')
  expect(response.json<Body>()).toMatchObject({
    domain: 'superset',
    locale_data: { superset: { '': { lang: 'pt_BR' } } },
  })
  expect((await cars.server.as('nobody').get('/superset/language_pack/..%2Fen/')).statusCode).toBe(404)
})

it('answers no domains that dashboards may load charts from, unless the configuration lists some', async () => {
  expect(await get('/superset/available_domains/')).toEqual({ status: 200, body: null })
  expect(await get('/api/v1/available_domains/')).toEqual({ status: 200, body: { result: { domains: null } } })
})
