import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertDatasetPermission } from '../access/data-permissions.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

const base = '/api/v1/security/'

describe.each(testStores)('permissions on %s', (_name, store) => {
  let server: TestServer
  let admin: Client
  beforeAll(async () => {
    server = await startTestServer({ store })
    admin = server.as('admin')
  })
  afterAll(() => server.close())

  type Row = { id: number; name: string }
  const list = async <T = Row>(what: string, q: object = {}): Promise<T[]> =>
    (await admin.get(`${base}${what}/?q=${encodeURIComponent(JSON.stringify({ page_size: 100, ...q }))}`)).json<{
      result: T[]
    }>().result
  const findId = async (what: string, name: string): Promise<number> => {
    const [found] = await list(what, { filters: [{ col: 'name', opr: 'eq', value: name }] })
    return found?.id ?? -1
  }

  it('have the fields of the reference', async () => {
    const names = await list('permissions')
    expect(names).toContainEqual({ id: expect.any(Number), name: 'can_read' })
    expect(new Set(names.map(({ id }) => id)).size).toBe(names.length)
    const view = await findId('resources', 'Chart')
    expect((await admin.get(`${base}resources/${view}`)).json()).toMatchObject({ result: { id: view, name: 'Chart' } })
    const name = await findId('permissions', 'can_read')
    const filters = [
      { col: 'permission', opr: 'rel_o_m', value: name },
      { col: 'view_menu', opr: 'rel_o_m', value: view },
    ]
    const pairs = await list<object>('permissions-resources', { filters })
    expect(pairs).toEqual([{ id: expect.any(Number), permission: { name: 'can_read' }, view_menu: { name: 'Chart' } }])
    const { db } = server.deps
    const { id } = await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()
    const held = await list('permissions-resources', { filters: [{ col: 'role', opr: 'rel_m_m', value: id }] })
    expect(held.length).toBeGreaterThan(50)
    for (const what of ['permissions', 'resources', 'permissions-resources'])
      expect((await admin.get(`${base}${what}/_info?q=(keys:!(permissions))`)).json()).toMatchObject({
        permissions: expect.arrayContaining(['can_get_list', 'can_get', 'can_info']),
      })
  })

  it('regression: names and views keep their ids while permissions on objects come and go', async () => {
    const { db } = server.deps
    const before = await findId('permissions', 'datasource_access')
    const dataset = { id: 5, table_name: 'orders', schema: null }
    await upsertDatasetPermission(db, dataset, { id: 1, database_name: 'shop' })
    const view = await findId('resources', '[shop].[orders](id:5)')
    expect(await findId('permissions', 'datasource_access')).toBe(before)
    await upsertDatasetPermission(db, { ...dataset, table_name: 'sales' }, { id: 1, database_name: 'shop' })
    expect(await findId('resources', '[shop].[sales](id:5)')).toBe(view)
    await db.deleteFrom('permission').where('view', '=', '[shop].[sales](id:5)').execute()
    expect(await findId('permissions', 'datasource_access')).toBe(before)
  })

  it('of one’s own are created, changed and deleted, except while a role has them', async () => {
    const make = async (what: string, body: object) => {
      const response = await admin.post(`${base}${what}/`, body)
      expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
      return response.json<{ id: number }>().id
    }
    const status = async (method: 'post' | 'put' | 'delete', address: string, body?: object) =>
      (await admin[method](`${base}${address}`, body)).statusCode
    const view = await make('resources', { name: 'Portal' })
    const name = await findId('permissions', 'can_read')
    const body = { permission_id: name, view_menu_id: view }
    const pair = await make('permissions-resources', body)
    expect(await findId('resources', 'Portal')).toBe(view)
    const refused = [
      await status('post', 'resources/', { name: 'portal'.replace('p', 'P') }),
      await status('post', 'resources/', { name: '' }),
      await status('post', 'permissions-resources/', body),
      await status('post', 'permissions-resources/', { ...body, view_menu_id: 99_999 }),
      await status('post', 'permissions-resources/', {
        ...body,
        permission_id: await findId('permissions', 'datasource_access'),
      }),
      await status('delete', `resources/${view}`),
      await status('put', `resources/${await findId('resources', 'Chart')}`, { name: 'Mine' }),
      await status('delete', `resources/${await findId('resources', 'Chart')}`),
    ]
    expect(refused).toEqual(refused.map(() => 422))
    const { db } = server.deps
    const [chart] = await list('permissions-resources', {
      filters: [{ col: 'view_menu', opr: 'eq', value: 'Chart' }],
    })
    expect(await status('delete', `permissions-resources/${chart?.id}`)).toBe(422)
    expect(await status('put', `permissions-resources/${chart?.id}`, { view_menu_id: view })).toBe(422)

    const { id: role_id } = await db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Public')
      .executeTakeFirstOrThrow()
    await db.insertInto('role_permission').values({ role_id, permission_id: pair }).execute()
    expect(await status('delete', `permissions-resources/${pair}`)).toBe(422)
    await db.deleteFrom('role_permission').where('role_id', '=', role_id).execute()

    expect(await status('put', `resources/${view}`, { name: 'Intranet' })).toBe(200)
    expect(await findId('resources', 'Intranet')).toBe(view)
    const write = await findId('permissions', 'can_write')
    expect(await status('put', `permissions-resources/${pair}`, { permission_id: write })).toBe(200)
    expect((await admin.get(`${base}permissions-resources/${pair}`)).json()).toMatchObject({
      result: { permission: { name: 'can_write' }, view_menu: { name: 'Intranet' } },
    })
    expect(await status('delete', `permissions-resources/${pair}`)).toBe(200)
    expect(await status('delete', `resources/${view}`)).toBe(200)
    expect(await status('delete', `resources/${view}`)).toBe(404)
    expect(await findId('resources', 'Intranet')).toBe(-1)
  })

  it('are read by administrators only', async () => {
    for (const what of ['permissions', 'resources', 'permissions-resources'])
      for (const [user, status] of [
        ['alpha', 403],
        ['publicuser', 403],
        ['nobody', 401],
      ] as const)
        for (const address of ['', '_info', '1'])
          expect((await server.as(user).get(`${base}${what}/${address}`)).statusCode).toBe(status)
  })
})
