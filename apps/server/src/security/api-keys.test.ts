import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { scopeOf } from './api-key-scopes.ts'

interface Key {
  uuid: string
  key: string
  key_prefix: string
}

const path = '/api/v1/security/api_keys/'
const day = 24 * 3_600_000

describe.each(testStores)('API keys on %s', (_name, store) => {
  let server: TestServer
  let time = Date.UTC(2026, 0, 31, 10)
  beforeAll(async () => {
    server = await startTestServer({ store, now: () => new Date(time) })
  })
  afterAll(() => server.close())

  const create = async (user: TestUser, body: object = {}): Promise<Key> =>
    (await server.as(user).post(path, { name: 'script', ...body })).json<{ result: Key }>().result
  const by = (key: string, method: string, url: string, payload?: object) =>
    server.app.http.inject({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(payload && { payload }),
    })
  const statusBy = async (key: string, method: string, url: string, payload?: object) =>
    (await by(key, method, url, payload)).statusCode
  const userId = async (username: string): Promise<number> =>
    (await server.deps.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id

  it('are shown once, and only their hash is stored', async () => {
    const response = await server.as('gamma').post(path, {
      name: ' nightly ',
      scopes: 'superset:chart:read, superset:chart:read',
      expires_on: '2026-02-28T12:00:00+02:00',
    })
    expect(response.statusCode).toBe(201)
    const { key, ...shown } = response.json<{ result: Key }>().result
    expect(key).toMatch(/^sst_[\w-]{43}$/)
    expect(shown).toEqual({
      uuid: expect.any(String) as string,
      name: 'nightly',
      key_prefix: key.slice(0, 10),
      scopes: 'superset:chart:read',
      created_on: '2026-01-31T10:00:00.000',
      expires_on: '2026-02-28T10:00:00.000',
    })
    const item = { ...shown, active: true, revoked_on: null, last_used_on: null }
    expect((await server.as('gamma').get(path)).json()).toEqual({ result: [item] })
    expect((await server.as('gamma').get(path + shown.uuid)).json()).toEqual({ result: item })
    const stored = JSON.stringify([
      await server.deps.db.selectFrom('api_key').selectAll().execute(),
      await server.deps.db.selectFrom('version').selectAll().execute(),
      await server.deps.db.selectFrom('log').selectAll().execute(),
    ])
    expect(stored).not.toContain(key.slice(10))
  })

  it.each([
    [{ name: 'a', scopes: 'superset:chart:read,superset:chart:delete' }, 'scopes', 'superset:chart:delete'],
    [{ name: 'a', scopes: ',' }, 'scopes', 'Unknown scope ""'],
    [{ name: 'a', expires_on: '2026-01-31T09:59:59' }, 'expires_on', 'future'],
    [{ name: 'a', expires_on: 'tomorrow' }, 'expires_on', 'ISO time'],
    [{ name: 'a', expires_on: '2026-13-45' }, 'expires_on', 'ISO time'],
    [{ name: ' ' }, 'name', 'Enter a name'],
    [{ name: 'a', user_id: 1 }, 'user_id', 'Unknown field'],
  ])('are not created from %j', async (body, field, text) => {
    const count = async () => (await server.as('gamma').get(path)).json<{ result: unknown[] }>().result.length
    const before = await count()
    const response = await server.as('gamma').post(path, body)
    expect(response.statusCode).toBe(400)
    expect(response.json<{ message: Record<string, string[]> }>().message[field]?.[0]).toContain(text)
    expect(await count()).toBe(before)
  })

  it('belong to their owner: the key of another user does not exist', async () => {
    const { uuid, key } = await create('alpha')
    for (const user of ['gamma', 'admin'] as const) {
      expect((await server.as(user).get(path + uuid)).statusCode).toBe(404)
      expect((await server.as(user).delete(path + uuid)).statusCode).toBe(404)
    }
    expect((await server.as('nobody').get(path)).statusCode).toBe(401)
    expect(await statusBy(key, 'GET', '/api/v1/me/')).toBe(200)
  })

  it('call every route as their owner, without a CSRF token, and the action log names them', async () => {
    const { uuid, key } = await create('alpha')
    expect((await by(key, 'GET', '/api/v1/me/')).json()).toMatchObject({ result: { username: 'alpha' } })
    const made = await by(key, 'POST', '/api/v1/dashboard/', { dashboard_title: 'by a key' })
    expect(made.statusCode).toBe(201)
    expect(await statusBy(key, 'GET', '/api/v1/security/users/1/api_keys/')).toBe(403)
    const entry = await server.deps.db
      .selectFrom('log')
      .select(['user_id', 'json'])
      .where('action', '=', 'dashboard.create')
      .executeTakeFirstOrThrow()
    expect(entry.user_id).toBe(await userId('alpha'))
    expect(JSON.parse(entry.json ?? '')).toMatchObject({ api_key: { uuid, name: 'script' } })
    expect((await server.as('alpha').get(path + uuid)).json()).toMatchObject({
      result: { last_used_on: '2026-01-31T10:00:00.000' },
    })
  })

  it('act with the current permissions of their owner, from the next call on', async () => {
    const { key } = await create('sqllab')
    const { db } = server.deps
    const id = await userId('sqllab')
    const charts = () => statusBy(key, 'GET', '/api/v1/chart/')
    expect(await charts()).toBe(200)
    const roles = await db.selectFrom('user_role').selectAll().where('user_id', '=', id).execute()
    await db.deleteFrom('user_role').where('user_id', '=', id).execute()
    expect(await charts()).toBe(403)
    await db.insertInto('user_role').values(roles).execute()
    expect(await charts()).toBe(200)
    await db.updateTable('user').set({ active: 0 }).where('id', '=', id).execute()
    expect(await charts()).toBe(401)
    await db.updateTable('user').set({ active: 1 }).where('id', '=', id).execute()
    expect(await charts()).toBe(200)
  })

  it('are refused from the next call on after they were revoked or have expired, like unknown ones', async () => {
    const [revoked, expiring] = [
      await create('gamma'),
      await create('gamma', { expires_on: new Date(time + day).toISOString() }),
    ]
    for (const { key } of [revoked, expiring]) expect(await statusBy(key, 'GET', '/api/v1/me/')).toBe(200)
    expect((await server.as('gamma').delete(path + revoked.uuid)).json()).toEqual({ message: 'OK' })
    const refusal = await by(revoked.key, 'GET', '/api/v1/me/')
    expect([refusal.statusCode, refusal.json<object>()]).toEqual([
      401,
      {
        message: 'This API key is not valid. It may have expired or been revoked.',
        msg: 'This API key is not valid. It may have expired or been revoked.',
      },
    ])
    expect((await by(`sst_${'A'.repeat(43)}`, 'GET', '/api/v1/me/')).json()).toEqual(refusal.json())
    expect((await by(`${expiring.key}x`, 'GET', '/api/v1/me/')).json()).toEqual(refusal.json())
    expect((await by(expiring.key.toUpperCase(), 'GET', '/api/v1/me/')).statusCode).toBe(422)
    time += day
    expect((await by(expiring.key, 'GET', '/api/v1/me/')).json()).toEqual(refusal.json())
    time -= day
  })

  it('with scopes are refused on all routes that these do not include', async () => {
    const { key } = await create('admin', { scopes: 'superset:chart:read,superset:dashboard:write' })
    const allowed: [string, string, object?][] = [
      ['GET', '/api/v1/chart/'],
      ['GET', '/api/v1/security/csrf_token/'],
      ['POST', '/api/v1/dashboard/', { dashboard_title: 'd' }],
    ]
    for (const [method, url, body] of allowed)
      expect([url, await statusBy(key, method, url, body)]).toEqual([
        url,
        expect.toSatisfy((status: number) => status < 300),
      ])
    expect(await statusBy(key, 'POST', '/api/v1/chart/data', {})).toBe(400)
    const refused: [string, string, object?][] = [
      ['POST', '/api/v1/chart/', { slice_name: 'c' }],
      ['PUT', '/api/v1/chart/1', {}],
      ['GET', '/api/v1/dashboard/'],
      ['GET', '/api/v1/dataset/'],
      ['GET', '/api/v1/me/'],
      ['GET', path],
      ['GET', '/api/v1/trash/'],
      ['GET', '/superset/welcome/'],
      ['GET', '/api/v1/log/'],
    ]
    for (const [method, url, body] of refused) {
      const status = await statusBy(key, method, url, body)
      expect([url, status]).toEqual([url, url === '/superset/welcome/' ? 302 : 403])
    }
  })

  it('cannot create keys or change the password', async () => {
    const { key } = await create('admin')
    const password = 'a-new-passW0rd'
    for (const [method, url, body] of [
      ['POST', path, { name: 'another' }],
      ['POST', '/api/v1/me/password', { current: 'admin', password }],
      ['PUT', '/api/v1/me/', { current_password: 'admin', password }],
      ['PUT', `/api/v1/security/users/${await userId('admin')}`, { password }],
    ] as const) {
      const response = await by(key, method, url, body)
      expect([response.statusCode, response.json()]).toEqual([
        403,
        { message: 'API keys cannot be used for this. Sign in with your username and password.' },
      ])
    }
  })

  it('are listed and revoked by administrators for any user', async () => {
    const { uuid, key } = await create('alpha')
    const url = `/api/v1/security/users/${await userId('alpha')}/api_keys/`
    const { result } = (await server.as('admin').get(url)).json<{ result: Key[] }>()
    expect(result.map((each) => each.uuid)).toContain(uuid)
    expect(JSON.stringify(result)).not.toContain(key)
    for (const user of ['gamma', 'alpha'] as const)
      expect([
        (await server.as(user).get(url)).statusCode,
        (await server.as(user).delete(url + uuid)).statusCode,
      ]).toEqual([403, 403])
    expect((await server.as('admin').delete(`/api/v1/security/users/1/api_keys/${uuid}`)).statusCode).toBe(404)
    expect((await server.as('admin').get('/api/v1/security/users/99999/api_keys/')).statusCode).toBe(404)
    expect((await server.as('admin').delete(url + uuid)).statusCode).toBe(200)
    expect(await statusBy(key, 'GET', '/api/v1/me/')).toBe(401)
  })

  it('of administrators are not revoked by other users who manage accounts', async () => {
    const { db } = server.deps
    const { uuid } = await create('admin')
    const pairs = await db.selectFrom('permission').select('id').where('view', '=', 'User').execute()
    const gamma = await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()
    const added = pairs.map(({ id }) => ({ role_id: gamma.id, permission_id: id }))
    await db.insertInto('role_permission').values(added).execute()
    const url = `/api/v1/security/users/${await userId('admin')}/api_keys/${uuid}`
    expect((await server.as('gamma').delete(url)).statusCode).toBe(403)
    for (const { permission_id } of added)
      await db
        .deleteFrom('role_permission')
        .where('role_id', '=', gamma.id)
        .where('permission_id', '=', permission_id)
        .execute()
  })

  it('every call of the API needs a scope, or is one of those that no scope includes', () => {
    const without = server.app.contracts
      .filter((route) => route.can !== 'anyone' && route.reply !== 'page' && scopeOf(route) === undefined)
      .map(({ path: route }) => route.split('/').slice(0, 4).join('/'))
    expect([...new Set(without)].toSorted()).toEqual([
      '/api/v1/access_request',
      '/api/v1/advanced_data_type',
      '/api/v1/assets',
      '/api/v1/async_event',
      '/api/v1/available_domains',
      '/api/v1/cachekey',
      '/api/v1/log',
      '/api/v1/menu',
      '/api/v1/notification',
      '/api/v1/security',
      '/api/v1/trash',
      '/superset/available_domains/',
      '/superset/favstar/:kind',
      '/superset/log/',
      '/superset/recent_activity/:id',
    ])
  })
})
