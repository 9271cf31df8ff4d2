import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant } from '../security/grants.ts'
import type { TestUser } from '../testing.ts'
import { type ExecuteResult, newId, retryUntilStarted, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_TRINO']
const who = 'SELECT current_user AS who'

describe.skipIf(!url)('a connection that impersonates the user', () => {
  let lab: TestLab
  let database: number
  let dataset: number
  beforeAll(async () => {
    lab = await startTestLab()
    database = await create('database', {
      database_name: 'named',
      sqlalchemy_uri: url!.replace(/\/[^/]+\/[^/]+$/, '/tpch/tiny'),
      impersonate_user: true,
      allow_run_async: true,
      extra: '{"cost_estimate_enabled": true}',
    })
    const { db } = lab.server.deps
    await grant(db, 'sql_lab', ['database_access', `[named].(id:${database})`])
    await grant(db, 'sql_lab', ['all_query_access', 'all_query_access'])
    lab.server.app.authenticator.forget()
    dataset = await create('dataset', { database, schema: 'tiny', table_name: 'nation' })
  })
  afterAll(() => lab.close())

  const create = async (resource: 'database' | 'dataset', body: object): Promise<number> =>
    (await retryUntilStarted(() => lab.server.as('admin').post(`/api/v1/${resource}/`, body))).json<{ id: number }>().id
  const run = (user: TestUser, more: object = {}) =>
    lab.run(who, { database_id: database, client_id: newId(), ...more }, user)
  const nameOf = async (user: TestUser) => (await run(user)).json<ExecuteResult>().data

  it('queries the database as the signed-in user', async () => {
    expect(await nameOf('admin')).toEqual([{ who: 'admin' }])
    expect(await nameOf('sqllab')).toEqual([{ who: 'sqllab' }])
  })

  it('regression: tests a connection as the user whom it will impersonate, before and after it is saved', async () => {
    const users: unknown[] = []
    const { runners } = lab
    const describe_ = runners.describe.bind(runners)
    runners.describe = (source, what, signal) => {
      users.push('user' in source ? source.user : null)
      return describe_(source, what, signal)
    }
    const sqlalchemy_uri = url!.replace(/\/[^/]+\/[^/]+$/, '/tpch/tiny')
    const test = async (body: object) => {
      users.length = 0
      const response = await lab.server
        .as('admin')
        .post('/api/v1/database/test_connection/', { sqlalchemy_uri, ...body })
      expect(response.statusCode, response.body).toBe(200)
      return new Set(users)
    }
    try {
      expect(await test({ impersonate_user: true })).toEqual(new Set(['admin']))
      expect(await test({})).toEqual(new Set([null]))
      expect(await test({ database_name: 'named' })).toEqual(new Set(['admin']))
      const other = await create('database', { database_name: 'not yet', sqlalchemy_uri })
      users.length = 0
      const changed = await lab.server.as('admin').put(`/api/v1/database/${other}`, { impersonate_user: true })
      expect([changed.statusCode, new Set(users)]).toEqual([200, new Set(['admin'])])
    } finally {
      runners.describe = describe_
    }
  })

  it('runs background queries as their user, and exports as the user who exports', async () => {
    const client_id = newId()
    expect((await run('sqllab', { client_id, runAsync: true })).statusCode).toBe(202)
    const { resultsKey } = await lab.until(client_id, 'success', 'sqllab')
    const kept = `/api/v1/sqllab/results/?q=(key:'${resultsKey}')`
    expect((await lab.server.as('sqllab').get(kept)).json<ExecuteResult>().data).toEqual([{ who: 'sqllab' }])
    const file = await lab.server.as('admin').get(`/api/v1/sqllab/export/${client_id}/`)
    expect(file.body).toContain('admin')
    expect(file.body).not.toContain('sqllab')
  })

  it('hides a stored result from other users who may see the run', async () => {
    const { query } = (await run('admin')).json<ExecuteResult>()
    const results = (user: TestUser) => lab.server.as(user).get(`/api/v1/sqllab/results/?q=(key:'${query.resultsKey}')`)
    expect((await results('admin')).json<ExecuteResult>().data).toEqual([{ who: 'admin' }])
    const other = await results('sqllab')
    expect([other.statusCode, other.body]).toEqual([410, expect.not.stringContaining('"who":"admin"')])
  })

  it('queries charts as the user, and caches the results per user', async () => {
    const body = {
      datasource: { id: dataset, type: 'table' },
      queries: [{ metrics: [{ expressionType: 'SQL', sqlExpression: 'max(current_user)', label: 'who' }] }],
    }
    const ask = async (user: TestUser) => {
      const response = await lab.server.as(user).post('/api/v1/chart/data', body)
      expect(response.statusCode, response.body).toBe(200)
      return response.json<{ result: [{ data: unknown; is_cached: boolean | null }] }>().result[0]
    }
    expect(await ask('admin')).toMatchObject({ data: [{ who: 'admin' }] })
    expect(await ask('sqllab')).toMatchObject({ data: [{ who: 'sqllab' }], is_cached: null })
    expect(await ask('sqllab')).toMatchObject({ data: [{ who: 'sqllab' }], is_cached: true })
  })

  it('reads lists, columns and estimates as the user', async () => {
    const runners = lab.runners
    const users: unknown[] = []
    const describe_ = runners.describe.bind(runners)
    runners.describe = (source, what, signal) => {
      users.push('user' in source ? source.user : null)
      return describe_(source, what, signal)
    }
    const paths = [
      `/api/v1/database/${database}/tables/?q=(schema_name:tiny)`,
      `/api/v1/database/${database}/table_metadata/?name=region&schema=tiny`,
    ]
    for (const user of ['admin', 'sqllab'] as const) {
      for (const path of paths) {
        const response = await lab.server.as(user).get(path)
        expect(response.statusCode, response.body).toBe(200)
      }
      const asked = { database_id: database, schema: 'tiny', sql: 'SELECT * FROM region' }
      const estimate = await lab.server.as(user).post('/api/v1/sqllab/estimate/', asked)
      expect(estimate.statusCode, estimate.body).toBe(200)
    }
    runners.describe = describe_
    expect(new Set(users)).toEqual(new Set(['admin', 'sqllab']))
    expect(users.filter((user) => user === 'sqllab')).toHaveLength(users.length / 2)
  }, 60_000)

  it('rejects anonymous visitors', async () => {
    await grant(lab.server.deps.db, 'Public', ['can_read', 'Chart'])
    await grant(lab.server.deps.db, 'Public', ['all_datasource_access', 'all_datasource_access'])
    lab.server.app.authenticator.forget()
    const response = await lab.server.as('nobody').post('/api/v1/chart/data', {
      datasource: { id: dataset, type: 'table' },
      queries: [{ metrics: [{ expressionType: 'SQL', sqlExpression: 'max(current_user)', label: 'who' }] }],
    })
    expect(response.body).toContain('impersonates the signed-in user')
  })

  it('regression: still enforces the permissions of the product', async () => {
    const response = await run('admin', { sql: 'DELETE FROM nation' })
    expect(response.body).toContain('DML_NOT_ALLOWED_ERROR')
  })
})
