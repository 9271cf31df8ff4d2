import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FileResultStore } from '../jobs/file-result-store.ts'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { grant } from '../security/grants.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing.ts'

let server: TestServer
let runners: Runners
let folder: string
let database: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-results-'))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'cars.csv'), 'id,name\n1,ä\n2,b\n3,c\n')
  runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 256, spillFolder: join(folder, 'spill') })
  server = await startTestServer({ runners, settings: { files: [folder] } })
  const body = { database_name: 'own', sqlalchemy_uri: `duckdb:///${join(folder, 'files', 'cars.csv')}` }
  const made = await server.as('admin').post('/api/v1/database/', body)
  expect(made.json()).toMatchObject({ id: expect.any(Number) as number })
  database = made.json<{ id: number }>().id
}, 60_000)
afterAll(async () => {
  await server.close()
  await runners.close(5000)
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  data: unknown[]
  displayLimitReached?: boolean
  query: { resultsKey: string | null }
}

const run = async (user: TestUser, sql: string): Promise<Answer> => {
  const response = await server.as(user).post('/api/v1/sqllab/execute/', { database_id: database, sql })
  expect([response.statusCode, response.body.slice(0, 300)]).toEqual([200, expect.anything()])
  return response.json<Answer>()
}
const results = (user: TestUser, key: string | null, more = '') =>
  server.as(user).get(`/api/v1/sqllab/results/?q=(key:'${key}'${more})`)

it('API-002: returns the result of a run again, complete or only its first rows', async () => {
  const response = await run('admin', 'select * from cars order by id')
  expect((await results('admin', response.query.resultsKey)).json()).toEqual(response)
  const first = (await results('admin', response.query.resultsKey, ',rows:1')).json<Answer>()
  expect([first.data, first.displayLimitReached]).toEqual([[{ id: 1, name: 'ä' }], true])
  expect((await server.as('admin').get(`/superset/results/${response.query.resultsKey}/`)).json()).toEqual(response)
})

it('returns 410 for other users and for unknown keys', async () => {
  const { query } = await run('admin', 'select 1 as a')
  for (const [user, key] of [
    ['sqllab', query.resultsKey],
    ['admin', '00000000-0000-0000-0000-000000000000'],
    ['admin', '../../keys'],
  ] as const) {
    const response = await results(user, key)
    expect([response.statusCode, response.json()]).toMatchObject([
      410,
      { errors: [{ error_type: 'RESULTS_BACKEND_ERROR' }] },
    ])
  }
  expect((await results('gamma', query.resultsKey)).statusCode).toBe(403)
})

it('is forbidden for users who lost access to the tables', async () => {
  const { db } = server.deps
  const rights = await db
    .selectFrom('permission')
    .select('view')
    .where('name', '=', 'database_access')
    .where('view', 'like', `%(id:${database})`)
    .executeTakeFirstOrThrow()
  await grant(db, 'sql_lab', ['database_access', rights.view])
  server.app.authenticator.forget()
  const { query } = await run('sqllab', 'select count(*) as n from cars')
  expect((await results('sqllab', query.resultsKey)).statusCode).toBe(200)
  await db
    .deleteFrom('role_permission')
    .where('permission_id', 'in', (is) =>
      is.selectFrom('permission').select('id').where('name', '=', 'database_access'),
    )
    .execute()
  server.app.authenticator.forget()
  expect((await results('sqllab', query.resultsKey)).statusCode).toBe(403)
})

it('is deleted to make space for newer ones', async () => {
  const older = await run('admin', 'select 4 as a')
  const newer = await run('admin', 'select 5 as a')
  const pathOf = ({ query }: Answer) => join(server.deps.settings.home, 'results', `${query.resultsKey}.json`)
  const before = new Date(Date.now() - 60_000)
  utimesSync(pathOf(older), before, before)
  await server.deps.results.prune(statSync(pathOf(newer)).size)
  expect((await results('admin', older.query.resultsKey)).statusCode).toBe(410)
  expect((await results('admin', newer.query.resultsKey)).statusCode).toBe(200)
})

it('is not stored when the disk cannot be written, and the run still succeeds', async () => {
  const { home } = server.deps.settings
  writeFileSync(join(folder, 'no-folder'), '')
  server.deps.settings.home = join(folder, 'no-folder')
  const response = await run('admin', 'select 3 as a')
  server.deps.settings.home = home
  expect([response.data, response.query.resultsKey]).toEqual([[{ a: 3 }], null])
})

it('regression: housekeeping succeeds before any result was stored', async () => {
  const settings = { ...server.deps.settings, home: join(folder, 'never') }
  await expect(new FileResultStore({ ...server.deps, settings }).prune()).resolves.toBeUndefined()
})

it('regression: is gone when its file is damaged, with the advice to run the query again', async () => {
  const { query } = await run('admin', 'select 6 as a')
  const path = join(server.deps.settings.home, 'results', `${query.resultsKey}.json`)
  truncateSync(path, statSync(path).size - 5)
  const response = await results('admin', query.resultsKey)
  expect([response.statusCode, response.body]).toEqual([410, expect.stringContaining('re-run the original query')])
  writeFileSync(path, '')
  expect((await results('admin', query.resultsKey)).statusCode).toBe(410)
})

it('expires after a day, and its file is deleted', async () => {
  const { query } = await run('admin', 'select 2 as a')
  const path = join(server.deps.settings.home, 'results', `${query.resultsKey}.json`)
  const dayBefore = new Date(Date.now() - 25 * 3_600_000)
  utimesSync(path, dayBefore, dayBefore)
  expect((await results('admin', query.resultsKey)).statusCode).toBe(410)
  await server.deps.results.prune()
  expect(() => utimesSync(path, dayBefore, dayBefore)).toThrow('ENOENT')
})
