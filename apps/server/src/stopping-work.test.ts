import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from './settings/settings.ts'
import { start, type RunningServer } from './start.ts'

/** Takes about a minute in the engine. */
const slow = 'SELECT count(*) AS n FROM range(100000000) a, range(1000000) b WHERE a.range + b.range = -1'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-stopping-work-'))
const home = join(folder, 'home')
const env = {
  PARQUETRY_PORT: '0',
  PARQUETRY_EXAMPLES: '0',
  PARQUETRY_LOG: 'silent',
  PARQUETRY_FILES: join(folder, 'files'),
  PARQUETRY_ADMIN_USERNAME: 'admin',
  PARQUETRY_ADMIN_PASSWORD: 'a long enough secret',
}
const startServer = async (flags: Record<string, boolean> = {}) => {
  const settings = await readSettings(env, { home })
  return start({ ...settings, flags: { ...settings.flags, ...flags } })
}
let server: RunningServer
let token: string

async function ask(path: string, body?: object) {
  const response = await fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, after: response.headers.get('retry-after'), text }
}

async function signIn(): Promise<void> {
  const login = { username: 'admin', password: env.PARQUETRY_ADMIN_PASSWORD, provider: 'db' }
  token = (JSON.parse((await ask('/api/v1/security/login', login)).text) as { access_token: string }).access_token
}

beforeAll(async () => {
  mkdirSync(env.PARQUETRY_FILES)
  writeFileSync(join(env.PARQUETRY_FILES, 'cars.csv'), 'id,name\n1,a\n')
  server = await startServer({ GLOBAL_ASYNC_QUERIES: false })
  await signIn()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the responses to calls that run while the server is stopped. */
async function stopDuringCalls() {
  const create = async (path: string, body: object) => (JSON.parse((await ask(path, body)).text) as { id: number }).id
  const sqlalchemy_uri = `duckdb:///${join(env.PARQUETRY_FILES, 'cars.csv')}`
  const database = await create('/api/v1/database/', { database_name: 'files', sqlalchemy_uri, allow_run_async: true })
  const table = { database, schema: 'main', table_name: 'slow', sql: slow }
  const datasource = { id: await create('/api/v1/dataset/', table), type: 'table' }
  const chart = (more: object) =>
    ask('/api/v1/chart/data', { datasource, queries: [{ columns: ['n'], row_limit: 10 }], ...more })
  const run = (more: object) => ask('/api/v1/sqllab/execute/', { database_id: database, sql: slow, ...more })
  await run({ client_id: 'background', runAsync: true })
  const requests = [run({ client_id: 'call' }), chart({}), chart({ result_format: 'csv' })]
  await expect.poll(() => figure('queries_running'), { timeout: 20_000 }).toBe(4)
  await server.stop()
  return Promise.all(requests)
}

const figure = async (name: string) =>
  Number(new RegExp(`_${name} (\\d+)`).exec((await ask('/metrics')).text)?.[1] ?? 'NaN')

it('a server stop is not reported as a query error, and the history lists each query as stopped', async () => {
  for (const { status, after, text } of await stopDuringCalls())
    expect([status, after, text]).toEqual([503, '2', expect.stringContaining('The server is restarting.')])
  server = await startServer()
  await signIn()
  const history = await ask('/api/v1/query/?q=(columns:!(client_id,status,error_message))')
  const { result } = JSON.parse(history.text) as { result: Record<string, string>[] }
  expect(result.toSorted((a, b) => (a['client_id']! < b['client_id']! ? -1 : 1))).toEqual([
    {
      client_id: 'background',
      status: 'stopped',
      error_message: 'The server was stopped while this query was running. Run the query again.',
    },
    { client_id: 'call', status: 'stopped', error_message: expect.stringContaining('is restarting') },
  ])
})
