import { type AsyncEvent, framesType } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retryUntilStarted, type TestLab, startTestLab } from '../sqllab/testing.ts'

let lab: TestLab
let dataset: number
beforeAll(async () => {
  lab = await startTestLab()
  lab.server.deps.settings.flags['GLOBAL_ASYNC_QUERIES'] = true
  dataset = await createTestDataset({ database: lab.files, table_name: 'cars', schema: 'main' })
}, 60_000)
afterAll(() => lab.close())

async function createTestDataset(body: object): Promise<number> {
  const made = await retryUntilStarted(() => lab.server.as('admin').post('/api/v1/dataset/', body))
  return made.json<{ id: number }>().id
}

const ask = (query: object, more: object = {}) =>
  lab.server.as('admin').post('/api/v1/chart/data', {
    datasource: { id: dataset, type: 'table' },
    queries: [{ row_limit: 10, ...query }],
    ...more,
  })
const events = async (lastId: string | null, user: 'admin' | 'alpha' = 'admin') =>
  (await lab.server.as(user).get(`/api/v1/async_event/${lastId === null ? '' : `?last_id=${lastId}`}`)).json<{
    result: (AsyncEvent & { id: string })[]
  }>().result

/** Polls for the event of a job, as clients do. */
async function waitForEnd(jobId: string): Promise<AsyncEvent & { id: string }> {
  for (;;) {
    const found = (await events(null)).find(({ job_id }) => job_id === jobId)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The rows of `cars.csv` in portable SQL. */
const cars = "SELECT 1 AS id, 'ä' AS name UNION ALL SELECT 2, 'b' UNION ALL SELECT 3, 'c'"

const engines: [string, string | undefined][] = [
  ['DuckDB', 'duckdb://'],
  ['PostgreSQL', process.env['PARQUETRY_TEST_POSTGRES']],
  ['ClickHouse', process.env['PARQUETRY_TEST_CLICKHOUSE']],
]
describe.each(engines)('on %s', (name, uri) => {
  beforeAll(async () => {
    if (!uri) return
    const database = uri === 'duckdb://' ? lab.files : await lab.connect({ sqlalchemy_uri: uri, database_name: name })
    dataset = await createTestDataset({ database, table_name: `cars of ${name}`, sql: cars })
  }, 180_000)

  it.skipIf(!uri)(
    'API-084, ASYNC-001, ASYNC-009: accepts the query, and later reports where its result is',
    async () => {
      const accepted = await ask({ columns: ['name', 'id'], metrics: [], orderby: [['id', true]] })
      const job = accepted.json<AsyncEvent>()
      expect([accepted.statusCode, job]).toMatchObject([202, { status: 'pending', errors: [], result_url: null }])
      const event = await waitForEnd(job.job_id)
      expect(event).toMatchObject({
        job_id: job.job_id,
        status: 'done',
        user_id: job.user_id,
        channel_id: job.channel_id,
      })
      expect(event.id).toMatch(/^\d+-\d+$/)
      const response = await lab.server.as('admin').get(event.result_url!)
      expect([response.statusCode, response.json()]).toMatchObject([
        200,
        { result: [{ rowcount: 3, is_cached: true, data: [{ name: 'ä' }, { name: 'b' }, { name: 'c' }] }] },
      ])
      const frames = await lab.server.as('admin').send('GET', event.result_url!, { headers: { accept: framesType } })
      expect(frames.headers['content-type']).toBe(framesType)
      for (const user of ['alpha', 'gamma'] as const)
        expect((await lab.server.as(user).get(event.result_url!)).statusCode).toBe(404)
    },
  )

  it.skipIf(!uri)('ASYNC-004: reports errors with the message of the synchronous call', async () => {
    const sql = { expressionType: 'SQL', sqlExpression: 'nope + 1', label: 'x' }
    const event = await waitForEnd((await ask({ columns: [sql] })).json<AsyncEvent>().job_id)
    expect(event).toMatchObject({
      status: 'error',
      errors: [{ error_type: 'COLUMN_DOES_NOT_EXIST_ERROR', message: expect.stringContaining('nope') as string }],
    })
  })
})

it('API-082, ASYNC-008: returns the events after a given one, only to their user', async () => {
  const first = await waitForEnd((await ask({ columns: ['id'] })).json<AsyncEvent>().job_id)
  const second = await waitForEnd((await ask({ columns: ['name', 'id'] })).json<AsyncEvent>().job_id)
  const after = await events(first.id)
  expect(after.map(({ job_id }) => job_id)).toEqual([second.job_id])
  expect(await events(second.id)).toEqual([])
  expect(await events(null, 'alpha')).toEqual([])
})

it('ASYNC-010: responds immediately to requests other than data, and rejects invalid ones before accepting them', async () => {
  expect((await ask({ columns: ['id'] }, { result_type: 'query' })).statusCode).toBe(200)
  expect((await ask({ columns: ['id'] }, { result_format: 'csv' })).headers['content-type']).toContain('text/csv')
  expect((await ask({ columns: ['id'] }, { datasource: { id: 9999, type: 'table' } })).statusCode).toBe(404)
  lab.server.deps.settings.flags['GLOBAL_ASYNC_QUERIES'] = false
  expect((await ask({ columns: ['id'] })).statusCode).toBe(200)
  lab.server.deps.settings.flags['GLOBAL_ASYNC_QUERIES'] = true
})

it('pushes events of jobs and queries to a listening browser', async () => {
  const { http } = lab.server.app
  await http.listen({ port: 0, host: '127.0.0.1' })
  const login = await lab.server
    .as('nobody')
    .post('/api/v1/security/login', { username: 'admin', password: 'admin', provider: 'db' })
  const leave = new AbortController()
  const address = http.server.address() as { port: number }
  const response = await fetch(`http://127.0.0.1:${address.port}/api/v1/async_event/stream`, {
    headers: { authorization: `Bearer ${login.json<{ access_token: string }>().access_token}` },
    signal: leave.signal,
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  await lab.run('SELECT 1 AS a', { client_id: 'pushed', runAsync: true })
  await ask({ columns: ['id'], row_limit: 2 })
  let text = ''
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  while (!/event: query\ndata: .*"state":"success"/.test(text) || !/event: job\ndata: .*"status":"done"/.test(text))
    text += (await reader.read()).value ?? ''
  leave.abort()
  await expect(reader.read()).rejects.toThrow('abort')
})

it('regression: a query interrupted by a server stop is not reported as faulty', async () => {
  // Takes about a minute in the engine.
  const sql = 'SELECT count(*) AS n FROM range(100000000) a, range(1000000) b WHERE a.range + b.range = -1'
  const body = { database: lab.files, table_name: 'slow', schema: 'main', sql }
  const { id } = (await lab.server.as('admin').post('/api/v1/dataset/', body)).json<{ id: number }>()
  const { job_id } = (await ask({ columns: ['n'] }, { datasource: { id, type: 'table' } })).json<AsyncEvent>()
  await lab.server.deps.jobs.close()
  expect(await waitForEnd(job_id)).toMatchObject({
    status: 'error',
    errors: [
      {
        error_type: 'GENERIC_BACKEND_ERROR',
        message: 'The server was stopped while this query was running. Run the query again.',
      },
    ],
  })
})
