import { readQueryContext } from '@parquetry/query'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildJsonResponse } from '../chart/json-response.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import type { Principal } from '../access/principal.ts'
import { startTestServer } from '../testing.ts'
import { loadDatasetRules } from '../row-level-security/load-rules.ts'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { signToken } from './tokens.ts'

interface Rule {
  dataset?: number
  clause: string
}

describe('a guest', () => {
  let cars: CarsServer
  beforeAll(async () => {
    cars = await startCarsServer()
  }, 60_000)
  afterAll(() => cars.close())

  /** The principal of a guest token with these rules. */
  async function guestWith(rls_rules: Rule[]): Promise<Principal> {
    const { app, deps } = cars.server
    const claims = { user: { username: 'visitor' }, resources: [{ type: 'dashboard', id: 'u' }], rls_rules }
    const token = signToken(deps.keys.guest, 'guest', claims, deps.now(), 300)
    const request = { headers: { 'x-guesttoken': token } } as unknown as FastifyRequest
    return (await app.authenticator.identify(request, false)).principal
  }

  /** Origins of the cars visible to the guest if they were allowed to query. */
  async function originsFor(guest: Principal): Promise<string[]> {
    const principal = { ...guest, permissions: new Set(['all_datasource_access all_datasource_access']) }
    const context = readQueryContext({
      datasource: { id: cars.dataset, type: 'table' },
      queries: [{ columns: ['Origin'], metrics: [{ expressionType: 'SQL', sqlExpression: 'count(*)', label: 'n' }] }],
    })
    const answer = await buildJsonResponse(
      await resolveQuery(context, cars.server.deps, principal),
      new AbortController().signal,
    )
    const { result } = JSON.parse(String(answer)) as { result: [{ data: { Origin: string }[] }] }
    return result[0].data.map(({ Origin }) => Origin).toSorted((a, b) => (a < b ? -1 : 1))
  }
  async function clausesOn(guest: Principal, id: number): Promise<string[]> {
    const { db } = cars.server.deps
    const database = await db.selectFrom('database').selectAll().executeTakeFirstOrThrow()
    const dataset = { id, catalog: null, schema: 'main', table_name: `t${id}`, sql: null }
    return (await loadDatasetRules(db, guest, database, dataset)).map(({ clause }) => clause)
  }

  it('has the resources and rules of the token, and no permissions', async () => {
    const guest = await guestWith([{ clause: 'a = 1' }, { dataset: 7, clause: 'b = 2' }])
    expect(guest).toMatchObject({ kind: 'guest', roles: [], isAdmin: false })
    expect(guest.permissions.size).toBe(0)
    expect(guest.guest).toEqual({
      resources: [{ type: 'dashboard', id: 'u' }],
      rlsRules: [
        { dataset: null, clause: 'a = 1' },
        { dataset: 7, clause: 'b = 2' },
      ],
    })
    expect(await clausesOn(guest, 7)).toEqual(['a = 1', 'b = 2'])
    expect(await clausesOn(guest, 8)).toEqual(['a = 1'])
  })

  it('regression: applies all rules of a guest token together', async () => {
    expect(await originsFor(await guestWith([]))).toEqual(['Europe', 'Japan', 'USA'])
    expect(await originsFor(await guestWith([{ clause: "Origin <> 'USA'" }]))).toEqual(['Europe', 'Japan'])
    const both = [{ clause: "Origin <> 'USA'" }, { dataset: cars.dataset, clause: "Origin <> 'Japan'" }]
    expect(await originsFor(await guestWith(both))).toEqual(['Europe'])
    const ofAnother = [{ dataset: cars.dataset + 1, clause: "Origin = 'USA'" }]
    expect(await originsFor(await guestWith(ofAnother))).toEqual(['Europe', 'Japan', 'USA'])
  })

  it('is denied data when a clause is not a closed condition', async () => {
    const guest = await guestWith([{ clause: '1 = 1) OR (1 = 1' }])
    await expect(originsFor(guest)).rejects.toMatchObject({ code: 'invalid_query' })
  })

  describe('with row-level security rules in addition to those of the token', () => {
    beforeAll(() => addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Gamma', "Origin <> 'Europe'", 'Base'))
    it('sees only rows that both allow', async () => {
      expect(await originsFor(await guestWith([{ clause: "Origin <> 'USA'" }]))).toEqual(['Japan'])
    })
  })

  it('is restricted on the tables below a virtual dataset too', async () => {
    const { db } = cars.server.deps
    await db.deleteFrom('row_rule').execute()
    const { database_id } = await db
      .selectFrom('dataset')
      .select(['database_id'])
      .where('id', '=', cars.dataset)
      .executeTakeFirstOrThrow()
    const made = await cars.server.as('admin').post('/api/v1/dataset/', {
      database: database_id,
      table_name: 'origins',
      sql: 'SELECT DISTINCT Origin FROM cars',
    })
    expect(made.statusCode, made.body).toBe(201)
    const { id } = made.json<{ id: number }>()
    const plain = cars.dataset
    cars.dataset = id
    try {
      expect(await originsFor(await guestWith([]))).toEqual(['Europe', 'Japan', 'USA'])
      expect(await originsFor(await guestWith([{ dataset: plain, clause: "Origin = 'USA'" }]))).toEqual(['USA'])
      expect(await originsFor(await guestWith([{ clause: "Origin = 'Japan'" }]))).toEqual(['Japan'])
    } finally {
      cars.dataset = plain
    }
  })

  it('still cannot open lists or dashboards', async () => {
    const { app, deps } = cars.server
    const claims = { user: {}, resources: [{ type: 'dashboard', id: 'u' }], rls_rules: [] }
    const headers = { 'x-guesttoken': signToken(deps.keys.guest, 'guest', claims, deps.now(), 300) }
    for (const url of ['/api/v1/dashboard/', '/api/v1/chart/', '/api/v1/dataset/', '/superset/dashboard/1/'])
      expect((await app.http.inject({ url, headers })).statusCode, url).toBeGreaterThanOrEqual(300)
  })
})

it('a minted token carries the requested resources and rules', async () => {
  const server = await startTestServer()
  const { flags } = server.deps.settings
  await server.close()
  const open = await startTestServer({ settings: { flags: { ...flags, EMBEDDED_SUPERSET: true } } })
  const admin = open.as('admin')
  const { id } = (await admin.post('/api/v1/dashboard/', { dashboard_title: 'Sales' })).json<{ id: number }>()
  const embedded = await admin.post(`/api/v1/dashboard/${id}/embedded`, { allowed_domains: [] })
  const { uuid } = embedded.json<{ result: { uuid: string } }>().result
  const resources = [{ type: 'dashboard', id: uuid }]
  const minted = await admin.post('/api/v1/security/guest_token/', {
    resources,
    rls: [{ dataset: 3, clause: 'a = 1' }],
  })
  const { token } = minted.json<{ token: string }>()
  const request = { headers: { 'x-guesttoken': token } } as unknown as FastifyRequest
  expect((await open.app.authenticator.identify(request, false)).principal.guest).toEqual({
    resources,
    rlsRules: [{ dataset: 3, clause: 'a = 1' }],
  })
  await open.close()
})
