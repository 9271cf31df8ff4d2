import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isTracked } from '../store/changes.ts'
import { formatStoredTime } from '../store/time.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 })
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 })

describe.each(testStores)('who is signed in, with a store on %s', (_name, store) => {
  let server: TestServer
  let other: TestServer
  let clock = new Date('2026-05-01T08:00:00Z')
  beforeAll(async () => {
    server = await startTestServer({ store, now: () => clock })
    other = await startTestServer({ sharesWith: server, now: () => clock })
    await until(() => isTracked(server.deps.db) && isTracked(other.deps.db))
  })
  afterAll(async () => {
    await other.close()
    await server.close()
  })

  let authorization: string
  let cookie: string
  beforeEach(async () => {
    const payload = { username: 'gamma', password: 'gamma', provider: 'db' }
    const login = await server.app.http.inject({ method: 'POST', url: '/api/v1/security/login', payload })
    authorization = `Bearer ${login.json<{ access_token: string }>().access_token}`
    const page = await server.app.http.inject({ url: '/login/' })
    const form = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const response = await server.app.http.inject({
      method: 'POST',
      url: '/login/',
      headers: {
        cookie: String(page.headers['set-cookie']).split(';')[0],
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ username: 'gamma', password: 'gamma', csrf_token: form }).toString(),
    })
    cookie = String(response.headers['set-cookie']).split(';')[0] ?? ''
  })

  const identify = async (headers: object, at = server) =>
    (await at.app.authenticator.identify({ headers } as FastifyRequest, true)).principal
  const byToken = (at = server) => identify({ authorization }, at)
  const byCookie = (at = server) => identify({ cookie }, at)
  const db = () => server.deps.db
  const sessions = () => db().selectFrom('session').select(['id', 'seen_at', 'kind']).orderBy('created_at').execute()

  it('is read when someone signs in, before their first call', async () => {
    const execute = vi.spyOn(db().getExecutor(), 'executeQuery')
    try {
      expect([(await byToken()).username, (await byCookie()).username]).toEqual(['gamma', 'gamma'])
      expect(execute.mock.calls.map(([{ sql: text }]) => text)).toEqual([])
    } finally {
      execute.mockRestore()
    }
  })

  it('has changed rights only when those of the user, or of the role Public, have changed', async () => {
    const { authenticator } = server.app
    const [user, visitor] = [await byToken(), await identify({})]
    expect(visitor.kind).toBe('anonymous')
    const change = async (name: string) => {
      const { id } = await db().selectFrom('role').select('id').where('name', '=', name).executeTakeFirstOrThrow()
      await db().insertInto('permission').values({ name, view: 'of a test' }).execute()
      const granted = await db()
        .selectFrom('permission')
        .select('id')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      await db().insertInto('role_permission').values({ role_id: id, permission_id: granted.id }).execute()
    }
    await authenticator.withChangedRights([])
    await change('Alpha')
    expect(await authenticator.withChangedRights([user, visitor])).toEqual(new Set())
    await change('Public')
    expect(await authenticator.withChangedRights([user, visitor])).toEqual(new Set([visitor]))
    await change('Gamma')
    expect(await authenticator.withChangedRights([user])).toEqual(new Set([user]))
  })

  it('is the same object while no rights change', async () => {
    const [token, first] = [await byToken(), await byCookie()]
    expect([token.username, first.username]).toEqual(['gamma', 'gamma'])
    clock = new Date(clock.getTime() + 300_000)
    await eventually(async () => {
      const before = await byToken()
      await db().updateTable('user').set({ login_count: 7 }).execute()
      await db()
        .insertInto('key_value')
        .values({ key: `${Math.random()}`, resource: '', value: '', created_on: '', changed_on: '' })
        .execute()
      await server.as('admin').get('/api/v1/me/')
      expect(await byToken()).toBe(before)
    })
    const kept = await byCookie()
    // Another session ends.
    await db().deleteFrom('session').where('id', '=', 'none').execute()
    expect(await byCookie()).toBe(kept)
  })

  it('has changed rights at the next call, on another server when they are reported', async () => {
    const before = await byToken()
    await byToken(other)
    await db().insertInto('user_attribute').values({ user_id: before.id!, name: 'region', value: 'north' }).execute()
    expect([...(await byToken()).attributes]).toEqual([['region', ['north']]])
    await eventually(async () => expect([...(await byToken(other)).attributes]).toEqual([['region', ['north']]]))
    await other.deps.db.deleteFrom('user_attribute').execute()
    expect((await byToken(other)).attributes.size).toBe(0)
    await eventually(async () => expect((await byToken()).attributes.size).toBe(0))
    await db().updateTable('user').set({ active: 0 }).where('id', '=', before.id!).execute()
    expect((await byToken()).kind).toBe('anonymous')
    await eventually(async () => expect((await byToken(other)).kind).toBe('anonymous'))
    await db().updateTable('user').set({ active: 1 }).where('id', '=', before.id!).execute()
    expect((await byToken()).username).toBe('gamma')
  })

  it('ends with the session on every server', async () => {
    await byCookie()
    await byCookie(other)
    await other.deps.db.deleteFrom('session').execute()
    expect((await byCookie(other)).kind).toBe('anonymous')
    await eventually(async () => expect((await byCookie()).kind).toBe('anonymous'))
  })

  it('is idle by the clock, also when only another server has recorded its use', async () => {
    await byCookie()
    await byToken()
    clock = new Date(clock.getTime() + 2 * 60_000)
    const kept = await byCookie()
    // Calls do not wait until their time is stored.
    const expectStoredUse = () =>
      eventually(async () => {
        const used = (await sessions()).filter(({ seen_at }) => seen_at === formatStoredTime(clock))
        expect(used).toHaveLength(1)
      })
    await expectStoredUse()
    clock = new Date(clock.getTime() + 11 * 3_600_000)
    await byCookie(other)
    await expectStoredUse()
    clock = new Date(clock.getTime() + 2 * 3_600_000)
    const still = await byCookie()
    expect([still.username, kept.username]).toEqual(['gamma', 'gamma'])
    clock = new Date(clock.getTime() + 12 * 3_600_000 + 1000)
    expect((await byCookie()).kind).toBe('anonymous')
    clock = new Date(clock.getTime() + 7 * 24 * 3_600_000)
    expect((await byToken()).kind).toBe('anonymous')
  })
})

describe.each(testStores.filter(([, store]) => store !== 'sqlite'))(
  'without reports of changes from %s',
  (_name, store) => {
    it('a principal is read again after a second', async () => {
      let clock = new Date('2026-05-01T08:00:00Z')
      const listener = { minRetryMs: 3_600_000, maxRetryMs: 3_600_000 }
      const storeLimits = { connectMs: 5000, settleMs: 5000, statementMs: 10_000, listener }
      const server = await startTestServer({ store, storeLimits, now: () => clock })
      const other = await server.openStoreAgain()
      await until(() => isTracked(server.deps.db))
      const payload = { username: 'gamma', password: 'gamma', provider: 'db' }
      const login = await server.app.http.inject({ method: 'POST', url: '/api/v1/security/login', payload })
      const headers = { authorization: `Bearer ${login.json<{ access_token: string }>().access_token}` }
      const identify = async () =>
        (await server.app.authenticator.identify({ headers } as FastifyRequest, true)).principal

      const kept = await identify()
      clock = new Date(clock.getTime() + 5000)
      expect(await identify()).toBe(kept)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parquetry changes'`.execute(other.db)
      await until(() => !isTracked(server.deps.db))
      await other.db
        .insertInto('user_attribute')
        .values({ user_id: kept.id!, name: 'region', value: 'north' })
        .execute()
      expect((await identify()).attributes.get('region')).toEqual(['north'])
      await other.db.deleteFrom('user_attribute').execute()
      clock = new Date(clock.getTime() + 1001)
      expect((await identify()).attributes.size).toBe(0)
      await other.close()
      await server.close()
    })
  },
)
