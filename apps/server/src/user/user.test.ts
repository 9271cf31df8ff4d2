import type { Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireAdministrator } from '../access/last-administrator.ts'
import type { JobEnd } from '../jobs/job-queue.ts'
import { newRole } from '../security/grants.ts'
import type { Tables } from '../store/tables.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

const path = '/api/v1/security/users/'
const password = 'correct horse battery'
const administratorsOnly = 'Only an administrator can change an administrator.'

const manyValues = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n))

describe.each(testStores)('users on %s', (_name, store) => {
  let server: TestServer
  let admin: Client
  let roles: Map<string, number>
  let number = 0
  beforeAll(async () => {
    server = await startTestServer({ store })
    admin = server.as('admin')
    const found = await server.deps.db.selectFrom('role').select(['id', 'name']).execute()
    roles = new Map(found.map(({ id, name }) => [name, id]))
  }, 60_000)
  afterAll(() => server.close())

  const newUser = (change: object = {}) => {
    number += 1
    const username = `person${number}`
    return {
      username,
      first_name: 'Per',
      last_name: `Son ${number}`,
      email: `${username}@example.com`,
      password,
      roles: [roles.get('Gamma')],
      ...change,
    }
  }
  async function create(change: object = {}): Promise<{ id: number; username: string }> {
    const body = newUser(change)
    const response = await admin.post(path, body)
    expect([response.statusCode, response.json()]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })])
    expect(response.body).not.toContain(password)
    return { id: response.json<{ id: number }>().id, username: body.username }
  }
  const read = async (id: number) =>
    (await admin.get(`${path}${id}`)).json<{ result: Record<string, unknown> }>().result
  const idOf = async (username: string) =>
    (await server.deps.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
  /** Status and message of a refused call. */
  const send = async (method: string, address: string, payload?: object, client = admin) => {
    const response = await client.send(method, address, payload ? { payload } : {})
    return [response.statusCode, response.json<{ message: unknown }>().message]
  }
  /** Signs in; undefined when it is refused. */
  async function signIn(username: string, secret = password) {
    const body = { username, password: secret, provider: 'db' }
    const response = await server.as('nobody').post('/api/v1/security/login', body)
    if (response.statusCode !== 200) return undefined
    const headers = { authorization: `Bearer ${response.json<{ access_token: string }>().access_token}` }
    return (address: string) => server.as('nobody').send('GET', address, { headers })
  }

  it('have the fields of the reference in lists and details, and never a password', async () => {
    const { id, username } = await create({ attributes: { region: ['North', 'South'] } })
    const fields = {
      id,
      roles: [{ id: roles.get('Gamma'), name: 'Gamma' }],
      groups: [],
      first_name: 'Per',
      last_name: expect.any(String),
      username,
      active: true,
      email: `${username}@example.com`,
      last_login: null,
      login_count: 0,
      fail_login_count: 0,
      created_on: expect.any(String),
      changed_on: expect.any(String),
      created_by: { id: await idOf('admin') },
      changed_by: { id: await idOf('admin') },
    }
    expect(await read(id)).toMatchObject({ ...fields, attributes: { region: ['North', 'South'] } })
    const filters = [{ col: 'username', opr: 'eq', value: username }]
    const list = await admin.get(`${path}?q=${encodeURIComponent(JSON.stringify({ filters, order_column: 'id' }))}`)
    expect(list.json<{ result: object[] }>().result).toEqual([expect.objectContaining(fields)])
    const leaked = await admin.get(`${path}${id}?q=(columns:!(password))`)
    for (const { body } of [list, leaked]) expect(body).not.toMatch(/argon2/)
    const info = await admin.get(`${path}_info`)
    expect(info.json<{ permissions: string[] }>().permissions.toSorted()).toEqual(
      ['can_delete', 'can_get', 'can_get_list', 'can_info', 'can_post', 'can_put'].toSorted(),
    )
  })

  it('are filtered by the columns of the reference, and found by any part of their names', async () => {
    const { id, username } = await create({ first_name: 'Zoë' })
    const ids = async (col: string, opr: string, value: unknown) => {
      const q = encodeURIComponent(JSON.stringify({ filters: [{ col, opr, value }], page_size: 100 }))
      return (await admin.get(`${path}?q=${q}`)).json<{ ids: number[] }>().ids
    }
    expect(await ids('username', 'user_all_text', 'ZOË')).toEqual([id])
    expect(await ids('email', 'eq', `${username}@example.com`)).toEqual([id])
    expect(await ids('roles', 'rel_m_m', roles.get('Gamma'))).toContain(id)
    expect(await ids('roles', 'rel_m_m', roles.get('Admin'))).not.toContain(id)
    expect(await ids('active', 'eq', false)).not.toContain(id)
    expect(await ids('login_count', 'gt', 1000)).toEqual([])
    for (const col of [
      'id',
      'groups',
      'first_name',
      'last_name',
      'last_login',
      'fail_login_count',
      'created_on',
      'changed_on',
    ])
      expect((await admin.get(`${path}?q=(filters:!((col:${col},opr:nope,value:1)))`)).statusCode, col).toBe(200)
  })

  it('are refused with the field when a value is wrong, and nothing is stored', async () => {
    const { username } = await create()
    const count = async () => (await admin.get(path)).json<{ count: number }>().count
    const before = await count()
    const cases: [object, number, string][] = [
      [{ username: username.toUpperCase() }, 422, 'username'],
      [{ email: `${username.toUpperCase()}@EXAMPLE.com` }, 422, 'email'],
      [{ email: 'nobody' }, 400, 'email'],
      [{ username: ' x' }, 400, 'username'],
      [{ password: 'short' }, 400, 'password'],
      [{ password: 'password123' }, 400, 'password'],
      [{ roles: [99_999] }, 400, 'roles'],
      [{ groups: [99_999] }, 400, 'groups'],
      [{ roles: [], groups: [] }, 400, 'roles'],
      [{ roles: undefined }, 400, 'roles'],
      [{ attributes: { 'not a name': ['x'] } }, 400, 'attributes'],
      [{ attributes: { region: 'x' } }, 400, 'attributes'],
      [{ attributes: { a: manyValues(600), b: manyValues(600) } }, 400, 'attributes'],
    ]
    for (const [change, status, field] of cases)
      expect([change, ...(await send('POST', path, newUser(change)))]).toEqual([
        change,
        status,
        { [field]: expect.anything() },
      ])
    expect(await count()).toBe(before)
  })

  it('are changed by the sent fields only, and stale changes are refused', async () => {
    const { id, username } = await create({ attributes: { region: ['North'] } })
    const before = await read(id)
    const response = await admin.put(`${path}${id}`, { first_name: 'Paula', password: '' })
    expect([response.statusCode, response.json()]).toMatchObject([200, { result: { first_name: 'Paula' } }])
    expect(await read(id)).toMatchObject({ username, first_name: 'Paula', attributes: { region: ['North'] } })
    expect(await signIn(username)).toBeDefined()
    expect((await send('PUT', `${path}${id}`, { last_name: 'X', changed_on: before['changed_on'] }))[0]).toBe(409)
    const unknown = { roles: [99_999] }
    expect(await send('PUT', `${path}${id}`, unknown)).toEqual([404, { roles: [expect.any(String)] }])
    expect(await send('PUT', `${path}${id}`, { groups: [99_999] })).toEqual([404, { groups: [expect.any(String)] }])
    expect(await send('PUT', `${path}${id}`, { roles: [] })).toEqual([400, { roles: [expect.any(String)] }])
    expect(await send('PUT', `${path}${id}`, { email: 'ADMIN@example.com' })).toEqual([
      422,
      { email: [expect.any(String)] },
    ])
    expect((await send('PUT', `${path}99999`, { first_name: 'X' }))[0]).toBe(404)
    await admin.put(`${path}${id}`, { attributes: {} })
    expect(await read(id)).toMatchObject({ attributes: {} })
  })

  it('count sign-ins, and failed ones since the last', async () => {
    const { id, username } = await create()
    await signIn(username, 'wrong password')
    await signIn(username, 'wrong password')
    expect(await read(id)).toMatchObject({ login_count: 0, fail_login_count: 2, last_login: null })
    await signIn(username)
    expect(await read(id)).toMatchObject({ login_count: 1, fail_login_count: 0, last_login: expect.any(String) })
  })

  it('lose their sessions and background work at once when they are deactivated or get a new password', async () => {
    const { id, username } = await create()
    const { jobs } = server.deps
    const ends: JobEnd[] = []
    jobs.handle('waits', {
      run: ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ended: (_job, end) => void ends.push(end),
    })
    for (const change of [{ password: 'another good one' }, { active: false }]) {
      const session = (await signIn(username)) ?? (await signIn(username, 'another good one'))
      expect((await session!('/api/v1/me/')).statusCode).toBe(200)
      await jobs.add('waits', {}, id)
      expect((await admin.put(`${path}${id}`, change)).statusCode).toBe(200)
      expect((await session!('/api/v1/me/')).statusCode).toBe(401)
      await expect.poll(() => ends.pop()?.state).toBe('stopped')
    }
    expect(await signIn(username, 'another good one')).toBeUndefined()
    await admin.put(`${path}${id}`, { active: true })
    expect(await signIn(username, 'another good one')).toBeDefined()
  })

  it('have no API keys and links from before when they are activated again, and no links after a new password', async () => {
    const { id, username } = await create()
    const { db } = server.deps
    const link = async () => (await admin.post(`${path}${id}/reset_links/`, {})).statusCode
    const links = () => db.selectFrom('one_time_link').select('id').where('user_id', '=', id).execute()
    expect([await link(), (await links()).length]).toEqual([201, 1])
    await admin.put(`${path}${id}`, { password: 'another good one' })
    expect(await links()).toEqual([])
    const body = { username, password: 'another good one', provider: 'db' }
    const token = (await server.as('nobody').post('/api/v1/security/login', body)).json<{ access_token: string }>()
    const made = await server.as('nobody').send('POST', '/api/v1/security/api_keys/', {
      payload: { name: 'k' },
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    const { key } = made.json<{ result: { key: string } }>().result
    const use = async () =>
      (await server.as('nobody').send('GET', '/api/v1/me/', { headers: { authorization: `Bearer ${key}` } })).statusCode
    expect([await use(), await link()]).toEqual([200, 201])
    await admin.put(`${path}${id}`, { active: false })
    await admin.put(`${path}${id}`, { active: true })
    expect([await use(), await links()]).toEqual([401, []])
  })

  it('get the rights of another role with their next call', async () => {
    const { id, username } = await create()
    const session = await signIn(username)
    expect((await session!(path)).statusCode).toBe(403)
    await admin.put(`${path}${id}`, { roles: [roles.get('Admin')] })
    expect((await session!(path)).statusCode).toBe(200)
    await admin.put(`${path}${id}`, { roles: [roles.get('Gamma')] })
    expect((await session!(path)).statusCode).toBe(403)
  })

  it('cannot deactivate or delete themselves', async () => {
    const own = await idOf('admin')
    expect(await send('PUT', `${path}${own}`, { active: false })).toEqual([422, { active: [expect.any(String)] }])
    expect(await send('DELETE', `${path}${own}`)).toEqual([422, { id: [expect.stringContaining('your own')] }])
  })

  it('keep the last administrator, whichever way would take the role away', async () => {
    const own = await idOf('admin')
    const group = await admin.post('/api/v1/security/groups/', {
      name: 'Chiefs',
      roles: [roles.get('Admin')],
      users: [own],
    })
    const groupPath = `/api/v1/security/groups/${group.json<{ id: number }>().id}`
    // Holds the role Admin by the group only.
    expect((await admin.put(`${path}${own}`, { roles: [] })).statusCode).toBe(200)
    const last = [422, expect.stringContaining('no user who can administer')]
    expect(await send('PUT', `${path}${own}`, { roles: [roles.get('Gamma')], groups: [] })).toEqual(last)
    expect(await send('PUT', groupPath, { users: [] })).toEqual(last)
    expect(await send('PUT', groupPath, { roles: [roles.get('Gamma')] })).toEqual(last)
    expect(await send('DELETE', groupPath)).toEqual(last)
    expect((await admin.put(`${path}${own}`, { roles: [roles.get('Admin')] })).statusCode).toBe(200)
    expect((await admin.delete(groupPath)).statusCode).toBe(200)
    expect(await send('PUT', `${path}${own}`, { roles: [roles.get('Gamma')] })).toEqual(last)
    const helper = await createHelper()
    expect(await send('PUT', `${path}${own}`, { active: false }, helper)).toEqual([403, administratorsOnly])
    const second = await create({ roles: [roles.get('Admin')] })
    const session = await signIn(second.username)
    expect((await session!(path)).statusCode).toBe(200)
    expect((await admin.put(`${path}${second.id}`, { active: false })).statusCode).toBe(200)
    expect((await admin.delete(`${path}${second.id}`)).statusCode).toBe(200)
  })

  // SQLite has one transaction at a time.
  if (store !== 'sqlite')
    it('keep the last administrator when two deactivate each other at once', async () => {
      const { db } = server.deps
      const [first, second] = [await idOf('admin'), (await create({ roles: [roles.get('Admin')] })).id]
      const [isFirstChecked, isSecondChecking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const deactivate = (id: number, check: (trx: Transaction<Tables>) => Promise<void>) =>
        db.transaction().execute(async (trx) => {
          await trx.updateTable('user').set({ active: 0 }).where('id', '=', id).execute()
          await check(trx)
        })
      const outcomes = await Promise.allSettled([
        deactivate(first, async (trx) => {
          await requireAdministrator(trx)
          isFirstChecked.resolve()
          await isSecondChecking.promise
        }),
        deactivate(second, async (trx) => {
          await isFirstChecked.promise
          const checking = requireAdministrator(trx)
          isSecondChecking.resolve()
          await checking
        }),
      ])
      await db.updateTable('user').set({ active: 1 }).where('id', '=', first).execute()
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
      expect((await admin.delete(`${path}${second}`)).statusCode).toBe(200)
    })

  /** A user with the permission to manage users, who is not an administrator. */
  async function createHelper(): Promise<Client> {
    const { db } = server.deps
    const pairs = await db.selectFrom('permission').select('id').where('view', 'in', ['User', 'Group']).execute()
    await db
      .insertInto('role')
      .values(newRole('Helper'))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { id: role_id } = await db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Helper')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('user_role')
      .values({ user_id: await idOf('publicuser'), role_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('role_permission')
      .values(pairs.map(({ id }) => ({ role_id, permission_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return server.as('publicuser')
  }

  it('are managed by others with the permission, except administrators', async () => {
    const helper = await createHelper()
    const own = await idOf('admin')
    const { id } = await create()
    expect((await helper.put(`${path}${id}`, { first_name: 'Pia' })).statusCode).toBe(200)
    for (const [method, address, body] of [
      ['PUT', `${path}${own}`, { password: 'taken over!!' }],
      ['PUT', `${path}${id}`, { roles: [roles.get('Admin')] }],
      ['POST', path, newUser({ roles: [roles.get('Admin')] })],
      ['POST', '/api/v1/security/groups/', { name: 'Coup', roles: [roles.get('Admin')], users: [id] }],
      ['POST', `${path}${own}/transfer`, { to: id }],
      ['POST', `${path}${id}/transfer`, { to: own }],
    ] as const)
      expect([method, address, ...(await send(method, address, body, helper))]).toEqual([
        method,
        address,
        403,
        administratorsOnly,
      ])
  })

  it('are deleted only when they own nothing, after a hand-over for example', async () => {
    const { id } = await create()
    const made = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Sales', owners: [id] })
    const dashboard = made.json<{ id: number }>().id
    await server.deps.db.deleteFrom('dashboard_owner').where('user_id', '!=', id).execute()
    await server.deps.db.updateTable('saved_query').set({ user_id: id }).execute()
    const report = await admin.post('/api/v1/report/', {
      type: 'Report',
      name: 'Weekly',
      crontab: '0 9 * * 1',
      report_format: 'NONE',
      owners: [id],
    })
    const { id: reportId } = report.json<{ id: number }>()
    await server.deps.db.updateTable('report').set({ run_as_fk: id }).where('id', '=', reportId).execute()
    expect(await send('DELETE', `${path}${id}`)).toEqual([
      422,
      { id: [expect.any(String), '1 dashboard', '1 alert or report'] },
    ])
    expect((await admin.get(`${path}${id}/owned`)).json()).toEqual({
      result: [
        { kind: 'dashboard', count: 1, items: [{ id: dashboard, name: 'Sales' }] },
        { kind: 'report', count: 1, items: [{ id: reportId, name: 'Weekly' }] },
      ],
    })
    const inactive = await create({ active: false })
    for (const to of [id, inactive.id, 99_999])
      expect(await send('POST', `${path}${id}/transfer`, { to })).toEqual([422, { to: [expect.any(String)] }])
    const to = await idOf('alpha')
    const response = await admin.post(`${path}${id}/transfer`, { to })
    expect([response.statusCode, response.json()]).toEqual([200, { result: { dashboard: 1, report: 1 } }])
    const owners = await server.deps.db
      .selectFrom('dashboard_owner')
      .select('user_id')
      .where('dashboard_id', '=', dashboard)
      .execute()
    expect(owners).toEqual([{ user_id: to }])
    const moved = await server.deps.db.selectFrom('report').select('run_as_fk').where('id', '=', reportId).execute()
    expect(moved).toEqual([{ run_as_fk: to }])
    expect((await admin.get(`${path}${id}/owned`)).json()).toEqual({ result: [] })
    const logged = await server.deps.db.selectFrom('log').select('json').where('action', '=', 'user.transfer').execute()
    expect(logged.map(({ json }) => JSON.parse(json ?? ''))).toContainEqual({ id, to, dashboard: 1, report: 1 })
    expect((await admin.delete(`${path}${id}`)).statusCode).toBe(200)
    expect((await admin.get(`${path}${id}`)).statusCode).toBe(404)
  })

  it('are open to administrators only', async () => {
    const calls = [
      ['GET', path],
      ['GET', `${path}1`],
      ['GET', `${path}_info`],
      ['GET', `${path}1/owned`],
      ['POST', path],
      ['PUT', `${path}1`],
      ['DELETE', `${path}1`],
      ['POST', `${path}1/transfer`],
    ] as const
    for (const [method, address] of calls) {
      const body = method === 'POST' || method === 'PUT' ? {} : undefined
      expect([method, address, (await send(method, address, body, server.as('alpha')))[0]]).toEqual([
        method,
        address,
        403,
      ])
      expect([method, address, (await send(method, address, body, server.as('nobody')))[0]]).toEqual([
        method,
        address,
        401,
      ])
    }
  })

  it('have no image, and a user who does not exist is not found', async () => {
    const statusOf = async (id: number) => (await server.as('gamma').get(`/api/v1/user/${id}/avatar.png`)).statusCode
    expect([await statusOf(await idOf('alpha')), await statusOf(99_999)]).toEqual([204, 404])
  })

  it('are listed in the second table of a page for older clients, without their markup', async () => {
    const { id } = await create({ first_name: '<script>alert(1)</script>' })
    const page = (index: number) =>
      server.as('admin', 'session').get(`/users/list/?psize_UserDBModelView=100&page_UserDBModelView=${index}`)
    const { body } = await page(0)
    const table = body.split('<table>')[2] ?? ''
    expect(table.match(/<th>/g)).toHaveLength(7)
    expect(table).toContain(`<a href="/users/show/${id}">`)
    expect(table).toContain('<td>alpha</td>')
    expect(table).toContain('<td>[Alpha]</td>')
    expect(body).not.toContain('<script')
    expect((await page(1)).body.split('<table>')[2]?.match(/<tr>/g)).toHaveLength(1)
  })

  it('change their own name and email address, and their password with the current one', async () => {
    const { username } = await create()
    const session = await signIn(username)
    const { body } = await server.as('nobody').post('/api/v1/security/login', { username, password, provider: 'db' })
    const headers = { authorization: `Bearer ${(JSON.parse(body) as { access_token: string }).access_token}` }
    const change = async (payload: object) => {
      const response = await server.as('nobody').send('PUT', '/api/v1/me/', { payload, headers })
      return [response.statusCode, response.json<Record<string, unknown>>()]
    }
    expect(await change({})).toEqual([400, { message: expect.any(String) }])
    expect(await change({ first_name: '' })).toEqual([400, { message: { first_name: [expect.any(String)] } }])
    expect(await change({ email: 'admin@example.com' })).toEqual([422, { message: { email: [expect.any(String)] } }])
    expect(await change({ first_name: 'Pia', email: 'pia@example.com' })).toMatchObject([
      200,
      { result: { username, first_name: 'Pia', email: 'pia@example.com' } },
    ])
    expect((await session!('/api/v1/me/')).json()).toMatchObject({ result: { first_name: 'Pia' } })
    const next = 'a new and good one'
    expect(await change({ password: next })).toEqual([400, { message: { current_password: [expect.any(String)] } }])
    expect((await change({ password: next, current_password: 'wrong' }))[0]).toBe(422)
    expect((await change({ password: 'short', current_password: password }))[0]).toBe(400)
    expect((await change({ password: next, current_password: password }))[0]).toBe(200)
    // The other session has ended, this one has not.
    expect((await session!('/api/v1/me/')).statusCode).toBe(401)
    expect((await change({ last_name: 'Pan' }))[0]).toBe(200)
    expect(await signIn(username, next)).toBeDefined()
  })
})
