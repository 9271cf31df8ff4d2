import type { PermissionPair } from '@parquetry/model'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultFlags } from '../settings/config.ts'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { grant, revoke } from '../security/grants.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing.ts'

let server: TestServer
let runners: Runners
let folder: string
let database: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-of-query-'))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'cars.csv'), 'id,name,day\n1,a,2024-01-01\n2,b,2024-01-02\n3,b,2024-01-03\n')
  runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 256, spillFolder: join(folder, 'spill') })
  const flags = { ...defaultFlags, ENABLE_TEMPLATE_PROCESSING: true }
  server = await startTestServer({ runners, settings: { files: [folder], flags } })
  const body = { database_name: 'own', sqlalchemy_uri: `duckdb:///${join(folder, 'files', 'cars.csv')}` }
  database = (await server.as('admin').post('/api/v1/database/', body)).json<{ id: number }>().id
}, 60_000)
afterAll(async () => {
  await server.close()
  await runners.close(5000)
  rmSync(folder, { recursive: true, force: true })
})

const run = async (user: TestUser, sql: string, overrides: object = {}): Promise<number> => {
  const response = await server
    .as(user)
    .post('/api/v1/sqllab/execute/', { database_id: database, sql, tab: 'My tab', queryLimit: 2, ...overrides })
  expect([response.statusCode, response.body.slice(0, 300)]).toEqual([200, expect.anything()])
  return response.json<{ query_id: number }>().query_id
}
const queryRun = (user: TestUser, id: number, query: object) =>
  server.as(user).post('/api/v1/chart/data', { datasource: { id, type: 'query' }, queries: [query] })

it('EXP-006: charts a past run over all its rows, without a dataset', async () => {
  const id = await run('admin', 'select name, day from cars')
  const response = await queryRun('admin', id, { columns: ['name'], metrics: ['count'], orderby: [['name', true]] })
  expect(response.json()).toMatchObject({
    result: [
      {
        data: [
          { name: 'a', count: 1 },
          { name: 'b', count: 2 },
        ],
      },
    ],
  })
})

it('opens Explore on a run, with the name of its tab and its columns', async () => {
  const id = await run('admin', 'select name, day from cars; select name, day from cars')
  const exploreResponse = await server.as('admin').get(`/api/v1/explore/?datasource_type=query&datasource_id=${id}`)
  expect(exploreResponse.json()).toMatchObject({
    result: {
      form_data: { datasource: `${id}__query` },
      dataset: {
        uid: `${id}__query`,
        type: 'query',
        table_name: 'My tab',
        main_dttm_col: 'day',
        columns: [{ column_name: 'name' }, { column_name: 'day', is_dttm: true }],
        metrics: [{ metric_name: 'count' }],
      },
    },
  })
})

it('renders the templates of the run only with its own parameters', async () => {
  const id = await run('admin', "select '{{ word }}' as word, name from cars", {
    templateParams: JSON.stringify({ word: '{{ 7 * 7 }}' }),
  })
  const response = await queryRun('admin', id, { columns: ['word'], metrics: ['count'], url_params: { word: 'other' } })
  expect(response.json()).toMatchObject({ result: [{ data: [{ word: '{{ 7 * 7 }}', count: 3 }] }] })
})

it('hides a run from other users, and from users who lost access to its tables', async () => {
  const permission: PermissionPair = ['database_access', `[own].(id:${database})`]
  await grant(server.deps.db, 'Gamma', permission)
  const id = await run('admin', 'select name from cars')
  expect((await queryRun('sqllab', id, { columns: ['name'] })).statusCode).toBe(404)
  const ownRun = await run('sqllab', 'select name from cars')
  expect((await queryRun('sqllab', ownRun, { columns: ['name'] })).statusCode).toBe(200)
  await revoke(server.deps.db, 'Gamma', permission)
  // Permissions are reloaded within a second.
  await expect
    .poll(async () => (await queryRun('sqllab', ownRun, { columns: ['name'] })).statusCode, { timeout: 5000 })
    .toBe(403)
  const exploreResponse = await server
    .as('sqllab')
    .get(`/api/v1/explore/?datasource_type=query&datasource_id=${ownRun}`)
  expect(exploreResponse.json()).toMatchObject({ result: { dataset: { name: '[Missing Dataset]' } } })
})

it('rejects a run of anything but a SELECT', async () => {
  const id = await run('admin', 'describe cars')
  expect((await queryRun('admin', id, { columns: ['column_name'] })).json()).toMatchObject({
    message: expect.stringContaining('Only the result of a SELECT') as string,
  })
})
