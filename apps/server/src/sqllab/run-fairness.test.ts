import { createMessageReader } from '@parquetry/frame'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../security/users.ts'
import { defaultConfig } from '../settings/config.ts'
import type { TestUser } from '../testing.ts'
import { newId, startTestLab, type TestLab } from './testing.ts'

const postgres = process.env['PARQUETRY_TEST_POSTGRES']

const hostile = ['hostile_1', 'hostile_2', 'hostile_3', 'hostile_4'] as string[] as TestUser[]

const honestUser = 'honest' as string as TestUser
const locked = `locked_${process.pid}`
const endless = {
  duckdb: 'SELECT count(*) AS n FROM range(10000000000000) WHERE hash(range) = 1',
  /** Waits as long as the table is locked. */
  postgresql: `SELECT * FROM ${locked}`,
}

let lab: TestLab
beforeAll(async () => {
  const config = { ...defaultConfig, SQLLAB_TIMEOUT: 3600, SQLLAB_ASYNC_TIME_LIMIT_SEC: 3600 }
  lab = await startTestLab({ settings: { config } }, { cores: 2 })
  for (const username of [...hostile, 'honest'])
    await addUser(lab.server.deps.db, { username, password: username, roles: ['Admin'] }, new Date())
}, 60_000)
afterAll(() => lab.close())

/** Locks the table until the returned function is called. */
async function lockTable(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: postgres })
  await client.connect()
  await client.query(`CREATE TABLE ${locked} (i int)`)
  await client.query(`BEGIN; LOCK TABLE ${locked}`)
  return async () => {
    await client.query(`COMMIT; DROP TABLE ${locked}`)
    await client.end()
  }
}

const honest = () => lab.server.as(honestUser)

async function createObject(path: string, body: object): Promise<number> {
  const response = await honest().post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

/** A run whose request is still in flight is not known yet. */
async function stop(client_id: string, user: TestUser): Promise<void> {
  const postStop = () => lab.server.as(user).post('/api/v1/query/stop', { client_id })
  while ((await postStop()).statusCode === 404) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Creates a dashboard with one chart whose result is cached. */
async function dashboardOn(database: number, name: string): Promise<() => Promise<unknown[]>> {
  const dataset = await createObject('/api/v1/dataset/', {
    database,
    table_name: name,
    sql: 'SELECT 1 AS n',
    schema: null,
  })
  const chart = await createObject('/api/v1/chart/', {
    slice_name: name,
    viz_type: 'big_number_total',
    datasource_id: dataset,
    datasource_type: 'table',
    params: JSON.stringify({ metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' } }),
  })
  const dashboard = await createObject('/api/v1/dashboard/', { dashboard_title: name })
  await honest().put(`/api/v1/chart/${chart}`, { dashboards: [dashboard] })
  const ask = async () => {
    const response = await honest().post(`/api/v1/dashboard/${dashboard}/data`, {
      charts: [{ id: chart }],
      data_mask: {},
    })
    return createMessageReader()
      .push(response.rawPayload)
      .map(({ head }) => head.type)
  }
  expect(await ask()).not.toContain('error')
  return ask
}

describe.each([
  ['duckdb', 'main', true],
  ['postgresql', 'public', postgres !== undefined],
] as const)('on %s, with four users whose statements never end', (engine, schema, isThere) => {
  it.skipIf(!isThere)(
    'regression: a fifth user gets the table list, a cached dashboard and short queries while all of theirs continue',
    async () => {
      const database_id =
        engine === 'duckdb' ? lab.files : await lab.connect({ database_name: 'pg', sqlalchemy_uri: postgres })
      const dashboard = await dashboardOn(database_id, `fair ${engine}`)
      const unlock = engine === 'duckdb' ? null : await lockTable()
      const ids: string[] = []
      const ended: string[] = []
      const theirs: Promise<unknown>[] = []
      for (const user of hostile)
        for (let n = 0; n < 12; n++) {
          const client_id = newId()
          ids.push(client_id)
          const more = { database_id, client_id, runAsync: n % 3 === 2 }
          const pending = lab.run(`${endless[engine]} -- ${client_id}`, more, user)
          if (!more.runAsync) theirs.push(pending.then(({ body }) => ended.push(body)))
          else await pending
        }
      try {
        await expect.poll(() => lab.runners.stats().waiting, { timeout: 20_000 }).toBeGreaterThan(0)

        const mine = async (sql: string) => {
          const response = await lab.run(sql, { database_id }, honestUser)
          expect(response.statusCode, response.body).toBe(200)
          return response.json<{ data: unknown[] }>().data
        }
        expect(await mine('SELECT 1 AS one')).toEqual([{ one: 1 }])
        const tables = await honest().get(`/api/v1/database/${database_id}/tables/?q=(force:!t,schema_name:${schema})`)
        expect(tables.statusCode, tables.body).toBe(200)
        expect(await dashboard()).toContain('frame')
        expect(await mine('SELECT 2 AS two')).toEqual([{ two: 2 }])
        const wrong = await lab.run('SELECT nope', { database_id }, honestUser)
        expect(wrong.body).toContain('COLUMN_DOES_NOT_EXIST_ERROR')

        expect(ended).toEqual([])
        expect(lab.runners.stats().waiting).toBeGreaterThan(0)
      } finally {
        await unlock?.()
        await Promise.all(ids.map((client_id, index) => stop(client_id, hostile[Math.floor(index / 12)]!)))
        await Promise.all(theirs)
      }
    },
    120_000,
  )
})

it('regression: background runs leave slots to others, and report how many are ahead of them', async () => {
  const begin = async (user: TestUser) => {
    const client_id = newId()
    const response = await lab.run(`${endless.duckdb} -- ${client_id}`, { client_id, runAsync: true }, user)
    expect(response.statusCode, response.body).toBe(202)
    return client_id
  }
  const [user] = hostile as [TestUser]
  const ids = [await begin(user), await begin(user), await begin(user)]
  await expect.poll(() => lab.runners.stats().running - lab.runners.stats().waiting, { timeout: 20_000 }).toBe(1)
  const placesTold = async () =>
    new Set((await Promise.all(ids.map((id) => lab.findQuery(id, user)))).map(({ extra }) => extra['ahead']))
  await expect.poll(placesTold, { timeout: 20_000 }).toEqual(new Set([undefined, 0, 1]))
  const records = await Promise.all(ids.map((id) => lab.findQuery(id, user)))
  expect(records.map(({ extra }) => extra['progress'])).toContain('Waiting in the queue: position 2')
  for (const client_id of ids) await stop(client_id, user)
})
