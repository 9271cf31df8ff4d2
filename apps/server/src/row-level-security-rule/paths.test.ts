import { type AsyncEvent, framesType, type QueryView, subjectId } from '@parquetry/model'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { createRunDeps } from '../report/run/create-run-deps.ts'
import { startMessageReceiver } from '../report/run/receiver.testing.ts'
import { addReport, runDueReports, userId } from '../report/run/runs.testing.ts'
import type { Client } from '../testing.ts'
import { newId } from '../sqllab/testing.ts'
import { unzip } from '../unzip.testing.ts'

type Response = Awaited<ReturnType<Client['get']>>

let cars: CarsServer
let admin: Client
let session: Client
/** Ids of what the paths read. */
const ids = { dataset: 0, virtual: 0, chart: 0, dashboard: 0, database: 0 }
/** The last run of SQL Lab, and the key of its result. */
let run = ''
let resultsKey = ''

const form = (change: object = {}) => ({
  viz_type: 'table',
  datasource: `${ids.dataset}__table`,
  query_mode: 'aggregate',
  groupby: ['Origin'],
  metrics: ['count'],
  row_limit: 1000,
  ...change,
})
const query = (change: object = {}) => ({
  datasource: { id: ids.dataset, type: 'table' },
  queries: [{ columns: ['Origin'], metrics: [], row_limit: 1000 }],
  ...change,
})
const asForm = (fields: Record<string, string>) => ({
  payload: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const legacy = () => encodeURIComponent(JSON.stringify(form()))
const plain = async (response: Response): Promise<string> => `${response.statusCode} ${response.body}`
const workbook = async (response: Response): Promise<string> =>
  `${response.statusCode} ${[...(await unzip(response.rawPayload)).values()].join(' ')}`

const asFrames = (body: object) => ({ payload: body, headers: { accept: framesType } })

/** Starts a query that runs in the background, and reads its result as clients do. */
async function readLater(start: () => Promise<Response>): Promise<string> {
  const { flags } = cars.server.deps.settings
  flags['GLOBAL_ASYNC_QUERIES'] = true
  const { job_id } = (await start()).json<AsyncEvent>()
  flags['GLOBAL_ASYNC_QUERIES'] = false
  const findEvent = async () => {
    const { result } = (await admin.get('/api/v1/async_event/')).json<{ result: AsyncEvent[] }>()
    return result.find((event) => event.job_id === job_id)?.result_url
  }
  await expect.poll(findEvent).toBeTruthy()
  return plain(await admin.get((await findEvent())!))
}

/** Runs SQL in the background and reads its stored result. */
async function readStoredLater(): Promise<string> {
  const sql = 'SELECT DISTINCT "Origin" FROM cars'
  const client_id = newId()
  const started = await admin.post('/api/v1/sqllab/execute/', {
    database_id: ids.database,
    sql,
    client_id,
    runAsync: true,
  })
  expect(started.statusCode, started.body).toBe(202)
  const findKey = async () => {
    const { result } = (await admin.get('/api/v1/query/updated_since?q=(last_updated_ms:0)')).json<{
      result: QueryView[]
    }>()
    return result.find(({ id, state }) => id === client_id && state === 'success')?.resultsKey
  }
  await expect.poll(findKey).toBeTruthy()
  return plain(await admin.get(`/api/v1/sqllab/results/?q=(key:'${await findKey()}')`))
}

/** Sends a report by the channels of a test, and reads its file and what arrived. */
async function readSentReport({ type, target }: { type: string; target: string }): Promise<string> {
  const { deps } = cars.server
  const receiver = await startMessageReceiver()
  const isOwn = type === 'User'
  const id = await addReport(deps.db, {
    chart_id: ids.chart,
    next_at: '2026-03-02T10:00:00.000',
    extra: { parquetry: { rows: isOwn ? 'recipient' : 'owner', confirmed: [target] } },
    recipients: [{ type, target: isOwn ? subjectId('user', await userId(deps.db, target)) : target }],
  })
  await runDueReports({ ...createRunDeps(deps, { isStoreShared: false }), channels: receiver.channels })
  await receiver.close()
  const { uuid } = await deps.db
    .selectFrom('report_file')
    .innerJoin('report_run', 'report_run.id', 'run_id')
    .select('report_file.uuid')
    .where('report_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(receiver.received).toHaveLength(1)
  return `${await plain(await admin.get(`/api/v1/report/file/${uuid}`))} ${receiver.received[0]?.files[0]?.text}`
}

/** Reads rows by a path as text. */
type Read = () => Promise<string>
const noRows = 'Its response contains no values of rows.'

/**
 * Every route that runs queries of a caller, with the ways to read rows by it, or the reason why there are none. A route that is
 * missing fails the test.
 */
const paths: Record<string, Record<string, Read> | string> = {
  'POST /api/v1/chart/data': {
    rows: async () => plain(await admin.post('/api/v1/chart/data', query())),
    'a virtual dataset': async () =>
      plain(await admin.post('/api/v1/chart/data', query({ datasource: { id: ids.virtual, type: 'table' } }))),
    samples: async () => plain(await admin.post('/api/v1/chart/data', query({ result_type: 'samples' }))),
    'rows behind a mark': async () =>
      plain(await admin.post('/api/v1/chart/data', query({ result_type: 'drill_detail' }))),
    'a CSV file': async () => plain(await admin.post('/api/v1/chart/data', query({ result_format: 'csv' }))),
    'a workbook': async () => workbook(await admin.post('/api/v1/chart/data', query({ result_format: 'xlsx' }))),
    'frames for the page': async () => plain(await admin.send('POST', '/api/v1/chart/data', asFrames(query()))),
    'ends and frequencies of a range filter': async () =>
      plain(
        await admin.post('/api/v1/chart/data', {
          ...query({
            queries: [
              {
                columns: [],
                metrics: ['MIN', 'MAX'].map((aggregate) => ({
                  expressionType: 'SIMPLE',
                  column: { column_name: 'Origin' },
                  aggregate,
                  label: aggregate,
                })),
              },
              { columns: ['Origin'], metrics: ['count'] },
            ],
          }),
          form_data: { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-1', dashboardId: ids.dashboard },
        }),
      ),
    'values of a filter': async () =>
      plain(
        await admin.post('/api/v1/chart/data', {
          ...query({ queries: [{ columns: ['Origin'], metrics: [], apply_fetch_values_predicate: true }] }),
          form_data: { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-1', dashboardId: ids.dashboard },
        }),
      ),
  },
  'GET /api/v1/chart/data/:cache_key': {
    'rows of a query in the background': () => readLater(() => admin.post('/api/v1/chart/data', query())),
  },
  'GET /superset/explore_json/data/:cache_key': {
    'rows of a query in the background': () =>
      readLater(() => admin.send('POST', '/superset/explore_json/', asForm({ form_data: JSON.stringify(form()) }))),
  },
  'GET /api/v1/chart/:id/data/': {
    rows: async () => plain(await admin.get(`/api/v1/chart/${ids.chart}/data/`)),
  },
  'POST /api/v1/dashboard/:id/data': {
    charts: async () =>
      plain(
        await admin.post(`/api/v1/dashboard/${ids.dashboard}/data`, { charts: [{ id: ids.chart }], data_mask: {} }),
      ),
  },
  'POST /api/v1/chart/picture': {
    'an image': async () => plain(await admin.post('/api/v1/chart/picture', { format: 'svg', form_data: form() })),
  },
  'POST /api/v1/dashboard/:id/picture': {
    'an image': async () => plain(await admin.post(`/api/v1/dashboard/${ids.dashboard}/picture`, { format: 'svg' })),
    'a workbook': async () =>
      workbook(await admin.post(`/api/v1/dashboard/${ids.dashboard}/picture`, { format: 'xlsx' })),
  },
  'GET /api/v1/chart/:id/thumbnail/:digest/': 'See the test of thumbnails.',
  'GET /api/v1/dashboard/:id/thumbnail/:digest/': 'See the test of thumbnails.',
  'GET /api/v1/chart/:id/cache_screenshot/': 'See the test of screenshots.',
  'GET /api/v1/chart/:id/screenshot/:digest/': 'See the test of screenshots.',
  'POST /api/v1/dashboard/:id/cache_dashboard_screenshot/': 'See the test of screenshots.',
  'GET /api/v1/dashboard/:id/screenshot/:digest/': 'See the test of screenshots.',
  'POST /superset/explore_json/': {
    rows: async () =>
      plain(await admin.send('POST', '/superset/explore_json/', asForm({ form_data: JSON.stringify(form()) }))),
    'a CSV file': async () =>
      plain(
        await admin.send('POST', '/superset/explore_json/?csv=true', asForm({ form_data: JSON.stringify(form()) })),
      ),
  },
  'GET /superset/explore_json/': {
    rows: async () => plain(await admin.get(`/superset/explore_json/?form_data=${legacy()}`)),
  },
  'POST /superset/explore_json/:datasource_type/:datasource_id/': {
    rows: async () =>
      plain(
        await admin.send(
          'POST',
          `/superset/explore_json/table/${ids.dataset}/`,
          asForm({ form_data: JSON.stringify(form()) }),
        ),
      ),
  },
  'GET /superset/explore_json/:datasource_type/:datasource_id/': {
    rows: async () => plain(await admin.get(`/superset/explore_json/table/${ids.dataset}/?form_data=${legacy()}`)),
  },
  'POST /datasource/samples': {
    samples: async () =>
      plain(await admin.post(`/datasource/samples?datasource_type=table&datasource_id=${ids.dataset}`, {})),
    'rows behind a mark': async () =>
      plain(
        await admin.post(`/datasource/samples?datasource_type=table&datasource_id=${ids.dataset}`, {
          filters: [{ col: 'Cylinders', op: '>', val: 0 }],
        }),
      ),
  },
  'GET /api/v1/datasource/:type/:id/column/:column/values/': {
    values: async () => plain(await admin.get(`/api/v1/datasource/table/${ids.dataset}/column/Origin/values/`)),
  },
  'GET /superset/filter/:datasource_type/:datasource_id/:column/': {
    values: async () => plain(await admin.get(`/superset/filter/table/${ids.dataset}/Origin/`)),
  },
  'POST /api/v1/query/': {
    rows: async () =>
      plain(await admin.send('POST', '/api/v1/query/', asForm({ query_context: JSON.stringify(query()) }))),
  },
  'GET /superset/slice_json/:slice_id': {
    rows: async () => plain(await admin.get(`/superset/slice_json/${ids.chart}`)),
  },
  'GET /api/v1/dataset/:id/profile': {
    'most frequent values': async () => plain(await admin.get(`/api/v1/dataset/${ids.dataset}/profile`)),
  },
  'POST /api/v1/sqllab/execute/': {
    rows: async () => plain(await runSql('SELECT DISTINCT "Origin" FROM cars')),
    'rows as they arrive': async () =>
      plain(
        await admin.send(
          'POST',
          '/api/v1/sqllab/execute/',
          asFrames({ database_id: ids.database, sql: 'SELECT DISTINCT "Origin" FROM cars', client_id: newId() }),
        ),
      ),
  },
  'GET /api/v1/sqllab/results/': {
    'a stored result': async () => plain(await admin.get(`/api/v1/sqllab/results/?q=(key:'${resultsKey}')`)),
    'the result of a run in the background': readStoredLater,
  },
  'GET /superset/results/:key/': {
    'a stored result': async () => plain(await admin.get(`/superset/results/${resultsKey}/`)),
  },
  'POST /superset/sql_json/': {
    rows: async () =>
      plain(
        await admin.send('POST', '/superset/sql_json/', {
          payload: { database_id: ids.database, sql: 'SELECT DISTINCT "Origin" FROM cars', client_id: newId() },
        }),
      ),
  },
  'GET /api/v1/sqllab/export/:client_id/': {
    'a CSV file': async () => plain(await admin.get(`/api/v1/sqllab/export/${run}/`)),
    'a file of all rows': async () => plain(await admin.get(`/api/v1/sqllab/export/${run}/?format=csv&rows=all`)),
    'a workbook': async () => workbook(await admin.get(`/api/v1/sqllab/export/${run}/?format=xlsx`)),
  },
  'GET /superset/csv/:client_id': { 'a CSV file': async () => plain(await admin.get(`/superset/csv/${run}`)) },
  'POST /api/v1/sqllab/export_streaming/': {
    'a CSV file': async () =>
      plain(
        await session.send('POST', '/api/v1/sqllab/export_streaming/', asForm({ client_id: run, filename: 'a.csv' })),
      ),
  },
  'POST /api/v1/rowlevelsecurity/preview': {
    'rows of a user': async () =>
      plain(
        await admin.post('/api/v1/rowlevelsecurity/preview', {
          filter_type: 'Base',
          tables: [ids.dataset],
          roles: [],
          clause: `"Cylinders" = 4 AND "Origin" <> 'USA'`,
          user: 1,
        }),
      ),
  },
  'POST /api/v1/report/preview': {
    'a file': async () =>
      plain(await admin.post('/api/v1/report/preview', { chart: ids.chart, report_format: 'CSV', timezone: 'UTC' })),
  },
  'GET /api/v1/report/file/:uuid': {
    'a file that a report sent with the rows of its owner': () =>
      readSentReport({ type: 'Email', target: 'a@example.com' }),
    'a file with the rows of its recipient': () => readSentReport({ type: 'User', target: 'admin' }),
  },
  'POST /api/v1/report/test_condition': {
    'a value by SQL': async () =>
      plain(
        await admin.post('/api/v1/report/test_condition', {
          database: ids.database,
          sql: `SELECT string_agg(DISTINCT "Origin", ' ') AS origins FROM cars`,
          validator_type: 'not null',
        }),
      ),
    'a metric': async () =>
      plain(
        await admin.post('/api/v1/report/test_condition', {
          extra: {
            parquetry: {
              metric: {
                dataset: ids.dataset,
                metric: {
                  expressionType: 'SQL',
                  sqlExpression: `string_agg(DISTINCT "Origin", ' ')`,
                  label: 'origins',
                },
              },
            },
          },
          validator_type: 'not null',
        }),
      ),
  },
  'POST /api/v1/sqllab/estimate/': noRows,
  'POST /superset/estimate_query_cost/:database_id/': noRows,
  'POST /superset/estimate_query_cost/:database_id/:schema/': noRows,
  'POST /api/v1/database/:id/validate_sql/': noRows,
  'POST /superset/validate_sql_json/': noRows,
  'POST /api/v1/datasource/:type/:id/validate_expression/': noRows,
  'POST /api/v1/dataset/:id/detect_datetime_formats':
    'Answers formats of times, found in rows that the caller may read.',
  'POST /api/v1/dataset/source_columns': noRows,
  'PUT /api/v1/chart/warm_up_cache': noRows,
  'PUT /api/v1/dataset/warm_up_cache': noRows,
  'GET /superset/warm_up_cache/': noRows,
  ...Object.fromEntries(
    ['chart', 'dashboard', 'database', 'dataset', 'saved_query'].map((kind) => [
      `GET /api/v1/${kind}/export/`,
      'Exports documents, without data.',
    ]),
  ),
  ...Object.fromEntries(
    ['columnar', 'csv', 'excel', 'upload'].map((kind) => [
      `POST /api/v1/database/${kind}_metadata/`,
      'Reads the file of the request.',
    ]),
  ),
  'POST /api/v1/upload/:id/look': 'Reads a file that the caller uploads.',
  'PUT /api/v1/upload/:id': 'Receives a file.',
  'GET /api/v1/async_event/stream': 'Events name results, which are read by other routes.',
  'GET /api/v1/async_event/ws': 'As the stream.',
  'GET /api/v1/theme/export/': 'Themes contain no rows.',
  'GET /api/v1/css_template/export/': 'CSS templates contain no rows.',
  'GET /api/v1/annotation_layer/export/': 'Annotation layers contain no rows of datasets.',
  'GET /api/v1/assets/export/': 'Bundles contain no rows.',
}

async function runSql(sql: string): Promise<Response> {
  run = newId()
  const response = await admin.post('/api/v1/sqllab/execute/', { database_id: ids.database, sql, client_id: run })
  resultsKey = response.json<{ query: QueryView }>().query.resultsKey ?? ''
  return response
}

beforeAll(async () => {
  cars = await startCarsServer()
  admin = cars.server.as('admin')
  session = cars.server.as('admin', 'session')
  const make = async (path: string, body: object): Promise<number> => {
    const response = await admin.post(path, body)
    expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
    return response.json<{ id: number }>().id
  }
  ids.dataset = cars.dataset
  await admin.put(`/api/v1/dataset/${cars.dataset}`, { metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }] })
  const dataset = await admin.get(`/api/v1/dataset/${cars.dataset}`)
  ids.database = dataset.json<{ result: { database: { id: number } } }>().result.database.id
  ids.virtual = await make('/api/v1/dataset/', {
    database: ids.database,
    table_name: 'by SQL',
    sql: 'SELECT "Origin" FROM cars',
  })
  ids.dashboard = await make('/api/v1/dashboard/', {
    dashboard_title: 'Cars',
    json_metadata: JSON.stringify({
      native_filter_configuration: [
        {
          id: 'NATIVE_FILTER-1',
          type: 'NATIVE_FILTER',
          filterType: 'filter_select',
          name: 'Made in',
          targets: [{ datasetId: cars.dataset, column: { name: 'Origin' } }],
          scope: { rootPath: ['ROOT_ID'], excluded: [] },
        },
      ],
    }),
  })
  ids.chart = await make('/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify(form()),
    query_context: JSON.stringify({ ...query(), form_data: form() }),
    dashboards: [ids.dashboard],
  })
  await cars.server.deps.db.updateTable('database').set({ allow_run_async: 1 }).execute()
  await runSql('SELECT "Origin" FROM cars')
}, 60_000)
afterAll(() => cars.close())
afterEach(() => cars.server.deps.db.deleteFrom('row_rule').execute())

it('every route that runs queries of a caller is listed here', () => {
  // Stored results are read at the rate of other reads.
  const reading = cars.server.app.contracts.filter(
    ({ rate, reply, path }) => rate === 'query' || reply === 'stream' || /result|:cache_key/.test(path),
  )
  const routes = reading.map(({ method, path }) => `${method} ${path}`)
  expect(routes.toSorted()).toEqual(Object.keys(paths).toSorted())
})

const rule = () => ({
  name: 'rule',
  filter_type: 'Base',
  tables: [cars.dataset],
  roles: [],
  // Responses contain the SQL, so the clause must not name what it hides.
  clause: `"Origin" > 'F'`,
})
const addRule = async () => expect((await admin.post('/api/v1/rowlevelsecurity/', rule())).statusCode).toBe(201)

it('a PDF shows other rows when a rule is added', async () => {
  const draw = async (): Promise<string> => {
    const response = await admin.post('/api/v1/chart/picture', { format: 'pdf', form_data: form() })
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/pdf'])
    // Without the time at which it was made.
    return response.rawPayload.toString('latin1').replaceAll(/\(D:\d+Z?\)|\/ID \[[^\]]*\]/g, '')
  }
  const all = await draw()
  expect((await draw()) === all).toBe(true)
  await addRule()
  expect((await draw()) === all).toBe(false)
})

/** The image at an address, once it is drawn. */
const whenDrawn = (address: string): Promise<Buffer> =>
  vi.waitFor(
    async () => {
      const drawn = await admin.get(address)
      expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/png'])
      return drawn.rawPayload
    },
    { timeout: 20_000, interval: 50 },
  )

it.each(['chart', 'dashboard'] as const)(
  'a screenshot of a %s is gone with a new rule, and drawn again for other rows',
  async (kind) => {
    const start = async (): Promise<string> => {
      const response =
        kind === 'chart'
          ? await admin.get(`/api/v1/chart/${ids.chart}/cache_screenshot/`)
          : await admin.post(`/api/v1/dashboard/${ids.dashboard}/cache_dashboard_screenshot/`, {})
      return new URL(response.json<{ image_url: string }>().image_url).pathname
    }
    const before = await start()
    const all = await whenDrawn(before)
    await addRule()
    expect((await admin.get(before)).statusCode).toBe(404)
    expect((await whenDrawn(await start())).equals(all)).toBe(false)
  },
)

it.each(['chart', 'dashboard'] as const)('the thumbnail of a %s is drawn again for other rows', async (kind) => {
  const draw = async (): Promise<Buffer> => {
    const address = await admin.get(`/api/v1/${kind}/${ids[kind]}`)
    const { thumbnail_url } = address.json<{ result: { thumbnail_url: string } }>().result
    const response = await admin.get(thumbnail_url)
    const current = response.statusCode === 302 ? String(response.headers['location']) : thumbnail_url
    return whenDrawn(current)
  }
  const all = await draw()
  expect((await draw()).equals(all)).toBe(true)
  await addRule()
  expect((await draw()).equals(all)).toBe(false)
})

describe.each(
  Object.entries(paths).flatMap(([route, reads]) =>
    typeof reads === 'string' ? [] : Object.entries(reads).map(([what, read]) => [`${route}: ${what}`, read] as const),
  ),
)('%s', (_path, read) => {
  it('shows all rows without a rule, and with one only the rows that it allows', async () => {
    const listShownOrigins = async () => {
      await runSql('SELECT "Origin" FROM cars')
      const text = await read()
      return ['Europe', 'Japan'].filter((origin) => text.includes(origin)).concat(text.slice(0, 3))
    }
    expect(await listShownOrigins()).toEqual(expect.arrayContaining(['Europe', '200']))
    await addRule()
    expect(await listShownOrigins()).toEqual(['Japan', '200'])
  })
})
