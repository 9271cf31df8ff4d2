import { createMessageReader } from '@parquetry/frame'
import type { Source } from '@parquetry/model'
import { request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadPrincipal } from '../access/load-principal.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { resolveDataset } from '../dataset/resolve-dataset.ts'
import { createTestDashboard, rowCount, sqlMetric, type TestDashboard } from './shared-stream.testing.ts'

let cars: CarsServer
let source: Source
beforeAll(async () => {
  cars = await startCarsServer()
  const { deps } = cars.server
  const user = await deps.db.selectFrom('user').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow()
  source = (await resolveDataset(deps, await loadPrincipal(deps.db, user), cars.dataset)).source
  await cars.server.app.http.listen({ port: 0, host: '127.0.0.1' })
})
const releases: (() => void)[] = []
afterEach(() => {
  for (const release of releases.splice(0)) release()
})
afterAll(() => cars.close())

/** Makes the database as busy as if 200 other users waited for slow queries. */
async function keepBusy(): Promise<void> {
  const { runners } = cars.server.deps
  let now = performance.now()
  const learned = runners.admit({ ...source, requester: 'user 999' }, 1)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  await learned.run(async () => {
    const release = learned.serve()
    now += 10_000
    release()
  })
  learned.close()
  clock.mockRestore()
  for (let user = 1000; user < 1200; user++) {
    const other = runners.admit({ ...source, requester: `user ${user}` }, 0)
    const end = Promise.withResolvers<void>()
    const runs = Array.from({ length: 20 }, () => other.run(() => end.promise))
    releases.push(() => {
      end.resolve()
      void Promise.all(runs).then(() => other.close())
    })
  }
}

const pies = (columns: string[]) => columns.map((column) => ({ viz_type: 'pie', groupby: [column], metric: rowCount }))
const createDashboard = (forms: object[]) => createTestDashboard({ server: cars.server, dataset: cars.dataset }, forms)

const load = ({ id, charts }: TestDashboard) =>
  cars.server.as('admin').post(`/api/v1/dashboard/${id}/data`, { charts: charts.map((chart) => ({ id: chart })) })

const queryContext = (column: string) => ({
  datasource: { id: cars.dataset, type: 'table' },
  queries: [{ columns: [column], metrics: [rowCount], row_limit: 7 }],
})

it('refuses a whole dashboard and single charts of a busy database with Retry-After, but nothing that is cached', async () => {
  const cached = await createDashboard(pies(['Origin', 'Cylinders']))
  await load(cached)
  const mixed = await createDashboard(pies(['Origin', 'Name']))
  await keepBusy()

  const before = cars.runs()
  expect((await load(cached)).statusCode).toBe(200)
  const refused = await load(mixed)
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  const retryAfter = Number(refused.headers['retry-after'])
  expect(refused.json()).toMatchObject({
    errors: [
      {
        error_type: 'GENERIC_DB_ENGINE_ERROR',
        message: `The database is busy. Try again in ${retryAfter} seconds.`,
        extra: { retryAfter },
      },
    ],
  })
  const chart = await cars.server.as('admin').post('/api/v1/chart/data', queryContext('Name'))
  expect([chart.statusCode, chart.headers['retry-after']]).toEqual([503, String(retryAfter)])
  expect(cars.runs()).toBe(before)

  for (const release of releases.splice(0)) release()
  await expect.poll(() => load(mixed).then(({ statusCode }) => statusCode)).toBe(200)
})

it('finishes a dashboard that was admitted before the database became busy', async () => {
  const board = await createDashboard(pies(['Year']))
  cars.gate.close()
  const first = load(board)
  await expect.poll(() => cars.server.deps.runners.isIdle()).toBe(false)
  await keepBusy()
  expect((await load(await createDashboard(pies(['Horsepower'])))).statusCode).toBe(503)
  cars.gate.open()
  const heads = createMessageReader()
    .push((await first).rawPayload)
    .map(({ head }) => head.type)
  expect(heads).toContain('frame')
})

it('cancels the queries of a dashboard and a chart down to the engine when their client has gone', async () => {
  const { server } = cars
  const { runners } = server.deps
  const database = await server.deps.db
    .selectFrom('database')
    .select('id')
    .where('database_name', '=', 'd')
    .executeTakeFirstOrThrow()
  const created = await server.as('admin').post('/api/v1/dataset/', {
    database: database.id,
    table_name: 'endless',
    schema: null,
    sql: 'SELECT range AS n FROM range(10000000000000) WHERE hash(range) = 1',
  })
  expect(created.statusCode, created.body).toBe(201)
  const dataset = created.json<{ id: number }>().id
  const forms = [1, 2, 3, 4, 5].map((n) => ({ viz_type: 'big_number_total', metric: sqlMetric(`COUNT(*) + ${n}`) }))
  const { id, charts } = await createTestDashboard({ server, dataset }, forms)
  const calls = {
    [`/api/v1/dashboard/${id}/data`]: { charts: charts.map((chart) => ({ id: chart })) },
    '/api/v1/chart/data': {
      datasource: { id: dataset, type: 'table' },
      queries: [1, 2, 3, 4, 5].map((n) => ({ columns: [], metrics: [sqlMetric(`COUNT(*) * ${n}`)] })),
    },
  }
  const { port } = server.app.http.server.address() as AddressInfo
  const signedIn = await server
    .as('nobody')
    .post('/api/v1/security/login', { username: 'admin', password: 'admin', provider: 'db' })
  const authorization = `Bearer ${signedIn.json<{ access_token: string }>().access_token}`
  const headers = { authorization, 'content-type': 'application/json' }
  for (const [path, body] of Object.entries(calls)) {
    const call = send({ port, host: '127.0.0.1', path, method: 'POST', headers })
    call.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined).resume())
    call.end(JSON.stringify(body))
    await expect.poll(() => runners.stats().running).toBeGreaterThan(0)
    const pids = runners.stats().runners.flatMap(({ kind, pid }) => (kind === 'embedded' ? [pid] : []))
    call.destroy()
    await expect.poll(() => runners.stats().running).toBe(0)
    expect(runners.isIdle()).toBe(true)
    expect(
      runners.stats().runners.map(({ pid }) => pid),
      'the engine obeyed',
    ).toEqual(expect.arrayContaining(pids))
  }
})
