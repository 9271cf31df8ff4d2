import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addMissingDataPermissions } from '../access/data-permissions.ts'
import { seedRoles } from '../security/seed-roles.ts'
import { addUser } from '../security/users.ts'
import { formatStoredTime } from '../store/time.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

const path = '/api/v1/security/roles/'

describe.each(testStores)('roles by the API on %s', (_name, store) => {
  let server: TestServer
  let admin: Client
  let builtIn: Map<string, number>
  /** Ids of the users of the test server. */
  let users: Map<string, number>
  /** Permission on an object instead of a feature. */
  let grantId: number
  let groupId: number

  beforeAll(async () => {
    server = await startTestServer({ store })
    admin = server.as('admin')
    const { db } = server.deps
    builtIn = new Map((await db.selectFrom('role').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]))
    users = new Map(
      (await db.selectFrom('user').select(['id', 'username']).execute()).map(({ id, username }) => [username, id]),
    )
    const pair = { name: 'datasource_access', view: '[sales].[orders](id:77)' }
    grantId = (await db.insertInto('permission').values(pair).returning('id').executeTakeFirstOrThrow()).id
    const now = formatStoredTime(new Date())
    const audit = { created_on: now, changed_on: now, created_by_fk: null, changed_by_fk: null }
    const group = { name: 'north', label: 'Sales <North>', description: null, uuid: 'f0', ...audit }
    groupId = (await db.insertInto('user_group').values(group).returning('id').executeTakeFirstOrThrow()).id
  })
  afterAll(() => server.close())
  afterEach(async () => {
    const own = await server.deps.db.selectFrom('role').select(['id', 'name']).execute()
    for (const { id, name } of own)
      if (!builtIn.has(name)) await server.deps.db.deleteFrom('role').where('id', '=', id).execute()
  })

  const create = async (name: string, more: object = {}): Promise<number> => {
    const response = await admin.post(path, { name, ...more })
    expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
    return response.json<{ id: number }>().id
  }
  const permissionsOf = async (id: number): Promise<number[]> =>
    (await admin.get(`${path}${id}/permissions/`)).json<{ result: { id: number }[] }>().result.map((pair) => pair.id)
  const setPermissions = (id: number, permission_view_menu_ids: unknown[]) =>
    admin.post(`${path}${id}/permissions`, { permission_view_menu_ids })
  const pairId = async (name: string, view: string): Promise<number> => {
    const { db } = server.deps
    const pair = db.selectFrom('permission').select('id').where('name', '=', name).where('view', '=', view)
    return (await pair.executeTakeFirstOrThrow()).id
  }
  const search = async (q: object) =>
    (await admin.get(`${path}search/?q=${encodeURIComponent(JSON.stringify(q))}`)).json<{
      count: number
      ids: number[]
      result: { id: number; name: string; user_ids: number[]; permission_ids: number[]; group_ids: number[] }[]
    }>()
  const find = async (name: string) =>
    (await search({ filters: [{ col: 'name', value: name }] })).result.find((role) => role.name === name)
  /** Roles after the start of the server. */
  const restart = async (publicRoleLike: string | null = null) => {
    await seedRoles(server.deps.db, { PUBLIC_ROLE_LIKE: publicRoleLike })
    await addMissingDataPermissions(server.deps.db)
    server.app.authenticator.forget()
  }

  it('have the fields of the reference in lists and details, and further ones on request', async () => {
    const list = (await admin.get(`${path}?q=(page_size:2)`)).json<Record<string, unknown>>()
    expect(list).toMatchObject({ list_columns: ['id', 'name'], order_columns: expect.arrayContaining(['id', 'name']) })
    expect(list['result']).toMatchObject([{ id: expect.any(Number), name: 'Admin' }, { id: expect.any(Number) }])
    const id = await create('Sales')
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('gamma')] })
    const columns = ['is_built_in', 'fixed_by', 'user_count', 'group_count', 'permission_count']
    const q = encodeURIComponent(JSON.stringify({ columns }))
    const detail = async (role: number) => (await admin.get(`${path}${role}?q=${q}`)).json<{ result: object }>().result
    expect((await admin.get(`${path}${id}`)).json()).toMatchObject({ id, result: { id, name: 'Sales' } })
    expect(await detail(id)).toEqual({
      is_built_in: false,
      fixed_by: null,
      user_count: 1,
      group_count: 0,
      permission_count: 0,
    })
    expect(await detail(builtIn.get('Gamma') ?? 0)).toMatchObject({ is_built_in: true, fixed_by: 'start' })
    expect(await detail(builtIn.get('Public') ?? 0)).toMatchObject({ is_built_in: true, fixed_by: null })
    expect((await admin.get(`${path}_info`)).json()).toMatchObject({
      permissions: expect.arrayContaining(['can_get_list', 'can_post', 'can_put', 'can_delete']),
      add_columns: expect.arrayContaining([expect.objectContaining({ name: 'name', required: true })]),
    })
  })

  it('are found by users, groups, permissions and part of the name', async () => {
    const id = await create('Analysts 100%')
    await setPermissions(id, [grantId])
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('alpha')] })
    await admin.put(`${path}${id}/groups`, { group_ids: [groupId] })
    const row = {
      id,
      name: 'Analysts 100%',
      user_ids: [users.get('alpha')],
      permission_ids: [grantId],
      group_ids: [groupId],
    }
    for (const filter of [
      { col: 'name', value: 'ts 100%' },
      { col: 'permission_ids', value: grantId },
      { col: 'group_ids', value: groupId },
    ])
      expect(await search({ filters: [filter] })).toEqual({ count: 1, ids: [id], result: [row] })
    const byUser = await search({ filters: [{ col: 'user_ids', value: users.get('alpha') }], order_column: 'name' })
    expect(byUser.result.map(({ name }) => name)).toEqual(['Alpha', 'Analysts 100%'])
    expect((await search({ filters: [{ col: 'name', value: '%' }] })).ids).toEqual([id])
    expect((await search({ filters: [{ col: 'nothing', value: 1 }], page_size: 1, page: 1 })).count).toBe(6)
    expect((await admin.get(`${path}search/?q=(order_column:uuid)`)).statusCode).toBe(400)
  })

  it('regression: a copy requires a second factor if the role does', async () => {
    const { db } = server.deps
    const id = await create('Careful')
    await db.updateTable('role').set({ requires_second_factor: 1 }).where('id', '=', id).execute()
    const copies = [await create('As careful', { copy_of: id }), await create('Careless')]
    const required = await db.selectFrom('role').select('requires_second_factor').where('id', 'in', copies).execute()
    expect(required.map((role) => role.requires_second_factor)).toEqual([1, 0])
    for (const each of [id, ...copies]) await admin.delete(`${path}${each}`)
  })

  it('are created, renamed and deleted, and a name belongs to one role in any case', async () => {
    const id = await create('Support')
    const refused = [
      await admin.post(path, { name: 'support' }),
      await admin.post(path, { name: 'ADMIN' }),
      await admin.post(path, { name: ' x' }),
      await admin.post(path, { name: 'x'.repeat(65) }),
      await admin.post(path, {}),
      await admin.post(path, { name: 'y', copy_of: 99_999 }),
      await admin.put(`${path}${id}`, { name: 'gamma' }),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 422))
    expect(refused.map((each) => Object.keys(each.json<{ message: object }>().message))).toEqual([
      ...Array.from({ length: 5 }, () => ['name']),
      ['copy_of'],
      ['name'],
    ])
    expect((await admin.put(`${path}${id}`, { name: 'SUPPORT' })).json()).toMatchObject({ result: { name: 'SUPPORT' } })
    expect((await admin.delete(`${path}${id}`)).json()).toEqual({ message: 'OK' })
    expect((await admin.get(`${path}${id}`)).statusCode).toBe(404)
    expect((await admin.put(`${path}${id}`, { name: 'a' })).statusCode).toBe(404)
  })

  it('take a whole set of permissions and ignore unknown ids', async () => {
    const id = await create('Readers')
    const read = await pairId('can_read', 'Chart')
    expect((await setPermissions(id, [read, grantId, 999_999, read])).json()).toEqual({
      result: { permission_view_menu_ids: [read, grantId].toSorted((a, b) => a - b) },
    })
    expect((await admin.get(`${path}${id}/permissions/`)).json()).toMatchObject({
      result: expect.arrayContaining([{ id: read, permission_name: 'can_read', view_menu_name: 'Chart' }]),
    })
    await setPermissions(id, [grantId])
    expect(await permissionsOf(id)).toEqual([grantId])
    expect((await setPermissions(id, ['1'])).statusCode).toBe(400)
    expect((await setPermissions(99_999, [])).statusCode).toBe(404)
    expect((await admin.get(`${path}99999/permissions/`)).statusCode).toBe(404)
    const empty = await pairId('datasource_access', '')
    expect((await setPermissions(id, [empty])).json()).toEqual({ result: { permission_view_menu_ids: [] } })
  })

  it('act on the next call of those who hold them, and no longer when they are taken away', async () => {
    const publicUser = server.as('publicuser')
    const status = async () => (await publicUser.get('/api/v1/chart/')).statusCode
    const id = await create('Chart readers')
    await setPermissions(id, [await pairId('can_read', 'Chart')])
    expect(await status()).toBe(403)
    await admin.post(`${path}${id}/members/`, { add_users: [users.get('publicuser')] })
    expect(await status()).toBe(200)
    await setPermissions(id, [])
    expect(await status()).toBe(403)
  })

  it.each(['Admin', 'Alpha', 'Gamma', 'sql_lab'])(
    'of the kind %s keep their feature permissions, name and existence, but not their grants',
    async (name) => {
      const id = builtIn.get(name) ?? 0
      const before = await permissionsOf(id)
      const extra = await pairId('can_warm_up_cache', 'Superset')
      const changes = [before.slice(1), ...(before.includes(extra) ? [] : [[...before, extra]]), []]
      for (const ids of changes) {
        const refused = await setPermissions(id, ids)
        expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('Duplicate the role')])
      }
      expect((await admin.put(`${path}${id}`, { name: 'Other' })).statusCode).toBe(422)
      expect((await admin.delete(`${path}${id}`)).statusCode).toBe(422)
      expect((await setPermissions(id, [...before, grantId])).statusCode).toBe(200)
      await restart()
      expect((await permissionsOf(id)).toSorted((a, b) => a - b)).toEqual(
        [...before, grantId].toSorted((a, b) => a - b),
      )
      await setPermissions(id, before)
      await restart()
      expect(await permissionsOf(id)).toEqual(before)
    },
  )

  it('keep every edit when the server is started again', async () => {
    const pair = await pairId('can_write', 'Database')
    const id = await create('Own', { copy_of: builtIn.get('Gamma') })
    expect(await permissionsOf(id)).toEqual(await permissionsOf(builtIn.get('Gamma') ?? 0))
    await admin.put(`${path}${id}`, { name: 'Renamed' })
    await setPermissions(id, [pair, grantId])
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('gamma'), users.get('alpha')] })
    await admin.put(`${path}${id}/groups`, { group_ids: [groupId] })
    const publicId = builtIn.get('Public') ?? 0
    await setPermissions(publicId, [pair])
    await admin.put(`${path}${builtIn.get('sql_lab')}/groups`, { group_ids: [groupId] })
    const state = async () => [await find('Renamed'), await find('Public'), await find('sql_lab')]
    const before = await state()
    expect(before[0]?.permission_ids).toEqual([pair, grantId].toSorted((a, b) => a - b))
    expect(before.map((role) => role?.group_ids)).toEqual([[groupId], [], [groupId]])
    await restart()
    expect(await state()).toEqual(before)
    await setPermissions(publicId, [])
    await admin.put(`${path}${builtIn.get('sql_lab')}/groups`, { group_ids: [] })
  })

  it('say who still holds them instead of being deleted', async () => {
    const id = await create('Busy')
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('gamma'), users.get('alpha')] })
    await admin.put(`${path}${id}/groups`, { group_ids: [groupId] })
    const refused = await admin.delete(`${path}${id}`)
    expect([refused.statusCode, refused.json()]).toEqual([
      422,
      {
        message: 'The role Busy is still in use: 2 users (alpha, gamma); group north; remove the role there first.',
      },
    ])
    expect(await find('Busy')).toMatchObject({ id, group_ids: [groupId] })
    await admin.post(`${path}${id}/members/`, {
      remove_users: [users.get('gamma'), users.get('alpha')],
      remove_groups: [groupId],
    })
    expect((await admin.delete(`${path}${id}`)).statusCode).toBe(200)
  })

  it('are not given to users and groups that do not exist, and nothing changes then', async () => {
    const id = await create('Nobody')
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('gamma')] })
    const before = await find('Nobody')
    const refused = [
      await admin.put(`${path}${id}/users`, { user_ids: [users.get('alpha'), 99_999] }),
      await admin.put(`${path}${id}/groups`, { group_ids: [groupId, 99_999] }),
      await admin.post(`${path}${id}/members/`, { remove_users: [users.get('gamma')], add_groups: [99_999] }),
      await admin.put(`${path}99999/users`, { user_ids: [] }),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect((await admin.put(`${path}${id}/users`, { user_ids: 'all' })).statusCode).toBe(400)
    expect(await find('Nobody')).toEqual(before)
  })

  it('always leave an active user with the role Admin, whatever is changed', async () => {
    const id = builtIn.get('Admin') ?? 0
    const { db } = server.deps
    const adminId = users.get('admin') ?? 0
    const sleeper = await addUser(db, { username: 'sleeper', password: null, roles: ['Gamma'] }, new Date())
    await db.updateTable('user').set({ active: 0 }).where('id', '=', sleeper).execute()
    await db.insertInto('user_group_member').values({ group_id: groupId, user_id: sleeper }).execute()
    const members = `${path}${id}/members/`
    const attempts: [() => Promise<{ statusCode: number }>, number][] = [
      [() => admin.put(`${path}${id}/users`, { user_ids: [] }), 422],
      [() => admin.put(`${path}${id}/users`, { user_ids: [sleeper] }), 422],
      [() => admin.post(members, { remove_users: [adminId] }), 422],
      // The only member of the group is inactive.
      [() => admin.post(members, { remove_users: [adminId], add_groups: [groupId] }), 422],
      [() => admin.post(members, { add_groups: [groupId] }), 200],
      [() => admin.put(`${path}${id}/users`, { user_ids: [] }), 422],
      [() => admin.put(`${path}${id}/groups`, { group_ids: [] }), 200],
    ]
    for (const [attempt, status] of attempts) {
      expect((await attempt()).statusCode).toBe(status)
      expect((await find('Admin'))?.user_ids).toEqual([adminId])
    }
    // A group with an active member is enough; then its role cannot be taken away.
    await db.updateTable('user').set({ active: 1 }).where('id', '=', sleeper).execute()
    await admin.post(members, { add_groups: [groupId] })
    expect((await admin.post(members, { remove_users: [adminId] })).statusCode).toBe(200)
    expect((await admin.get(path)).statusCode).toBe(403)
    await db.insertInto('user_role').values({ user_id: adminId, role_id: id }).execute()
    await admin.post(members, { remove_groups: [groupId] })
    await db.deleteFrom('user').where('id', '=', sleeper).execute()
  })

  it('are not overwritten by an administrator who has not seen the last change', async () => {
    const id = await create('Shared')
    const { headers } = await admin.get(`${path}${id}`)
    const late = { 'content-type': 'application/json', 'if-match': String(headers['etag']) }
    const seen = String(headers['etag']).replaceAll('"', '')
    await admin.post(`${path}${id}/members/`, { add_users: [users.get('gamma')] })
    const answers = [
      await admin.send('PUT', `${path}${id}`, { payload: { name: 'Mine' }, headers: late }),
      await admin.post(`${path}${id}/permissions`, { permission_view_menu_ids: [grantId], changed_on: seen }),
      await admin.put(`${path}${id}/users`, { user_ids: [], changed_on: seen }),
      await admin.put(`${path}${id}/groups`, { group_ids: [groupId], changed_on: seen }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409, 409])
    expect(await find('Shared')).toMatchObject({ user_ids: [users.get('gamma')], permission_ids: [], group_ids: [] })
  })

  it('show their users and groups by pages, found by name', async () => {
    const id = await create('Held')
    await admin.post(`${path}${id}/members/`, {
      add_users: [users.get('gamma'), users.get('alpha')],
      add_groups: [groupId],
    })
    const members = async (q: object) =>
      (await admin.get(`${path}${id}/members/?q=${encodeURIComponent(JSON.stringify(q))}`)).json<{
        count: number
        result: { id: number; type: string; label: string }[]
      }>()
    expect(await members({})).toMatchObject({
      count: 3,
      result: [
        { type: 'group', id: groupId, label: 'Sales <North>', active: null },
        { type: 'user', id: users.get('alpha'), active: true },
        { type: 'user', id: users.get('gamma'), active: true },
      ],
    })
    expect((await members({ filter: 'GAMM' })).result.map((member) => member.id)).toEqual([users.get('gamma')])
    expect(await members({ page: 1, page_size: 2 })).toMatchObject({ count: 3, result: [{ id: users.get('gamma') }] })
  })

  it('are written to the action log with the change', async () => {
    const id = await create('Logged')
    await setPermissions(id, [grantId])
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('gamma')] })
    await admin.put(`${path}${id}/users`, { user_ids: [] })
    await admin.delete(`${path}${id}`)
    const rows = await server.deps.db.selectFrom('log').select(['action', 'json']).orderBy('id').execute()
    const own = rows.filter(({ json }) => (JSON.parse(json ?? '{}') as { id?: number }).id === id)
    expect(own.map(({ action, json }) => [action, JSON.parse(json ?? '') as object])).toEqual([
      ['role.create', { id, name: 'Logged' }],
      ['role.permissions', { id, name: 'Logged', added: 1, removed: 0 }],
      ['role.users', { id, name: 'Logged', added: [users.get('gamma')], removed: [] }],
      ['role.users', { id, name: 'Logged', added: [], removed: [users.get('gamma')] }],
      ['role.delete', { id, uuid: expect.any(String) as string }],
    ])
  })

  it('are read and changed by administrators only', async () => {
    const id = await create('Secret')
    for (const user of ['gamma', 'alpha', 'sqllab', 'publicuser', 'nobody'] as const) {
      const other = server.as(user)
      const answers = [
        await other.get(path),
        await other.get(`${path}${id}`),
        await other.get(`${path}${id + 1}`),
        await other.get(`${path}_info`),
        await other.get(`${path}search/`),
        await other.get(`${path}${id}/permissions/`),
        await other.get(`${path}${id}/members/`),
        await other.post(path, { name: 'mine' }),
        await other.put(`${path}${id}`, { name: 'mine' }),
        await other.post(`${path}${id}/permissions`, { permission_view_menu_ids: [grantId] }),
        await other.put(`${path}${id}/users`, { user_ids: [users.get('gamma')] }),
        await other.put(`${path}${id}/groups`, { group_ids: [groupId] }),
        await other.post(`${path}${id}/members/`, { add_users: [users.get('gamma')] }),
        await other.delete(`${path}${id}`),
      ]
      const status = user === 'nobody' ? 401 : 403
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => status))
      expect(answers.some(({ body }) => body.includes('Secret'))).toBe(false)
    }
  })

  it('are pages for older clients: a list in the second table and forms with selected options', async () => {
    const id = await create('<b>"Bold"</b>')
    await setPermissions(id, [await pairId('can_read', 'Chart')])
    await admin.put(`${path}${id}/users`, { user_ids: [users.get('gamma')] })
    const session = server.as('admin', 'session')
    const tableRows = async (query: string) => {
      const { body } = await session.get(`/roles/list/?${query}`)
      return body.split('<table>')[2]?.split('<tr>').slice(2) ?? []
    }
    const size = builtIn.size + 1
    expect(await tableRows('psize_RoleModelView=100&page_RoleModelView=0')).toHaveLength(size)
    expect(await tableRows('psize_RoleModelView=100&page_RoleModelView=1')).toHaveLength(0)
    const [row] = await tableRows(`_flt_3_name=${encodeURIComponent('<b>"Bold"</b>')}`)
    expect(row).toContain(`href="/roles/edit/${id}"`)
    const form = (await session.get(`/roles/edit/${id}`)).body
    expect(form).not.toContain('<b>')
    expect(form).toContain('selected>can read on Chart</option>')
    expect(form).toMatch(new RegExp(`<select id="user"[^>]*><option value="${users.get('gamma')}" selected>`))
    expect((await session.get('/roles/edit/99999')).statusCode).toBe(404)
    for (const page of ['/roles/list/', `/roles/edit/${id}`, '/roles/', `/roles/${id}`])
      expect((await server.as('alpha', 'session').get(page)).statusCode, page).toBe(302)
  })
})

describe('roles of a server of their own', () => {
  let server: TestServer
  let roles: Map<string, number>
  beforeAll(async () => {
    server = await startTestServer()
    const found = await server.deps.db.selectFrom('role').select(['id', 'name']).execute()
    roles = new Map(found.map(({ id, name }) => [name, id]))
  })
  afterAll(() => server.close())

  it('the permissions of Public are fixed while they are those of another role', async () => {
    const { db, settings } = server.deps
    settings.config.PUBLIC_ROLE_LIKE = 'Gamma'
    await seedRoles(db, { PUBLIC_ROLE_LIKE: 'Gamma' })
    const address = `${path}${roles.get('Public')}/permissions`
    const refused = await server.as('admin').post(address, { permission_view_menu_ids: [] })
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('PUBLIC_ROLE_LIKE')])
    settings.config.PUBLIC_ROLE_LIKE = null
  })

  it('lets users who manage roles without being administrators pass on only what they have', async () => {
    const { db } = server.deps
    const asAdmin = server.as('admin')
    const pairs = await db.selectFrom('permission').selectAll().where('view', 'in', ['Role', 'Chart', 'Log']).execute()
    const idsOf = (view: string) => pairs.filter((pair) => pair.view === view).map(({ id }) => id)
    const make = async (name: string, permission_view_menu_ids: number[]) => {
      const { id } = (await asAdmin.post(path, { name })).json<{ id: number }>()
      await asAdmin.post(`${path}${id}/permissions`, { permission_view_menu_ids })
      return id
    }
    const [managers, auditors, readers] = [
      await make('Managers', [...idsOf('Role'), ...idsOf('Chart')]),
      await make('Auditors', idsOf('Log')),
      await make('Readers', []),
    ]
    const { id: self } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'publicuser')
      .executeTakeFirstOrThrow()
    await asAdmin.post(`${path}${managers}/members/`, { add_users: [self] })
    const manager = server.as('publicuser')
    const setTo = (id: number, permission_view_menu_ids: number[]) =>
      manager.post(`${path}${id}/permissions`, { permission_view_menu_ids })
    const answers = [
      await setTo(readers, idsOf('Chart')),
      await manager.post(`${path}${readers}/members/`, { add_users: [self] }),
      await setTo(readers, [...idsOf('Chart'), ...idsOf('Log')]),
      await manager.post(`${path}${auditors}/members/`, { add_users: [self] }),
      await manager.put(`${path}${auditors}/users`, { user_ids: [self] }),
      await manager.post(path, { name: 'Mine', copy_of: auditors }),
      await manager.post(`${path}${roles.get('Admin')}/members/`, { add_users: [self] }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 403, 403, 403, 403, 403])
    await asAdmin.post(`${path}${managers}/members/`, { remove_users: [self] })
    await asAdmin.post(`${path}${readers}/members/`, { remove_users: [self] })
  })

  it('a random sequence of changes of roles, groups and users never leaves the server without an administrator', async () => {
    const { db } = server.deps
    const testUsers = ['admin', 'gamma', 'sqllab', 'publicuser'] as const
    const found = await db.selectFrom('user').select(['id', 'username']).where('username', 'in', testUsers).execute()
    const userIds = found.map(({ id }) => id)
    const admin = roles.get('Admin') ?? 0
    const made = await server.as('admin').post('/api/v1/security/groups/', { name: 'staff' })
    const group = made.json<{ id: number }>().id
    let seed = 20_261_129
    const random = (n: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * n)
    }
    const some = () => userIds.filter(() => random(3) === 0)
    const one = () => userIds[random(userIds.length)] ?? 0
    const steps: ((client: Client) => Promise<{ statusCode: number; body: string }>)[] = [
      (client) => client.put(`${path}${admin}/users`, { user_ids: some() }),
      (client) => client.put(`${path}${admin}/groups`, { group_ids: random(2) === 0 ? [] : [group] }),
      (client) =>
        client.post(`${path}${admin}/members/`, {
          remove_users: some(),
          ...(random(2) === 0 ? { add_groups: [group] } : { remove_groups: [group] }),
        }),
      (client) => client.put(`/api/v1/security/groups/${group}`, { users: some() }),
      (client) => client.put(`/api/v1/security/groups/${group}`, { roles: random(2) === 0 ? [] : [admin] }),
      (client) =>
        client.put(`/api/v1/security/users/${one()}`, { roles: random(3) === 0 ? [admin] : [roles.get('Gamma')] }),
    ]
    const listAdministrators = async () =>
      (
        await sql<{ username: (typeof testUsers)[number] }>`select username from "user" where active = 1 and (
          id in (select user_id from user_role where role_id = ${admin})
          or id in (select user_id from user_group_member join user_group_role using (group_id)
            where role_id = ${admin}))`.execute(db)
      ).rows.map(({ username }) => username)
    const statuses = new Map<number, number>()
    for (let step = 0; step < 120; step++) {
      const attempt = steps[random(steps.length)]!
      const [caller] = await listAdministrators()
      expect(caller, `step ${step}`).toBeDefined()
      const { statusCode, body } = await attempt(server.as(caller!))
      expect([200, 422], body).toContain(statusCode)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect(await listAdministrators()).not.toEqual([])
    // The sequence both changes something and is refused.
    expect(Math.min(statuses.get(200) ?? 0, statuses.get(422) ?? 0)).toBeGreaterThan(10)
  })
})
