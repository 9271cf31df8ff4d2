import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, testStores, type Client, type TestServer } from '../testing.ts'

const state = JSON.stringify({
  nativeFilters: { 'NATIVE_FILTER-r': { id: 'NATIVE_FILTER-r' } },
  dataMask: { 'NATIVE_FILTER-r': { extraFormData: {}, filterState: { value: ['Japan'] } } },
})

describe.each(testStores)('filter sets, store on %s', (_name, store) => {
  let server: TestServer
  let owner: Client
  let viewer: Client
  let other: Client
  let path: string
  let fetchUserId: (client: Client) => Promise<number>
  beforeAll(async () => {
    server = await startTestServer({ store })
    owner = server.as('admin')
    viewer = server.as('gamma')
    other = server.as('alpha')
    fetchUserId = async (client) => (await client.get('/api/v1/me/')).json<{ result: { id: number } }>().result.id
    const created = await owner.post('/api/v1/dashboard/', { dashboard_title: 'Sales', published: true })
    const { id } = created.json<{ id: number }>()
    // As a favorite, a published dashboard without charts is visible to them.
    for (const client of [viewer, other]) {
      const user_id = await fetchUserId(client)
      const row = { user_id, kind: 'dashboard' as const, object_id: id, created_on: '2026-01-01T00:00:00' }
      await server.deps.db.insertInto('favorite').values(row).execute()
    }
    path = `/api/v1/dashboard/${id}/filtersets`
  })
  afterAll(() => server.close())

  const names = async (client: Client) =>
    (await client.get(path)).json<{ result: { name: string }[] }>().result.map(({ name }) => name)
  const createFilterSet = async (client: Client, name: string, body: object = {}) =>
    client.post(path, { name, json_metadata: state, owner_type: 'User', owner_id: await fetchUserId(client), ...body })

  it('NATF-028, NATF-032, API-047, API-048: a viewer saves a named filter set that other users do not see', async () => {
    const created = await createFilterSet(viewer, 'Asia')
    expect(created.statusCode, created.body).toBe(201)
    expect(created.json()).toMatchObject({
      name: 'Asia',
      owner_type: 'User',
      owner_id: await fetchUserId(viewer),
      params: JSON.parse(state),
    })
    const { id } = created.json<{ id: number }>()
    const list = await viewer.get(path)
    expect(list.json()).toMatchObject({ ids: [id], result: [{ id, name: 'Asia', params: JSON.parse(state) }] })
    expect(await names(other)).toEqual([])
    expect(await names(owner), 'an administrator sees all').toEqual(['Asia'])
  })

  it('NATF-029, NATF-031, API-049, API-050: the owner renames and deletes a set; deleting a missing set succeeds', async () => {
    const { id } = (await createFilterSet(other, 'Mine')).json<{ id: number }>()
    const renamed = await other.put(`${path}/${id}`, { name: 'Ours' })
    expect(renamed.json()).toMatchObject({ id, name: 'Ours', params: JSON.parse(state) })
    expect((await viewer.put(`${path}/${id}`, { name: 'Stolen' })).statusCode).toBe(404)
    expect((await viewer.delete(`${path}/${id}`)).statusCode).toBe(200)
    expect(await names(other), 'other users cannot delete it').toEqual(['Ours'])
    expect((await other.delete(`${path}/${id}`)).json()).toEqual({ id })
    expect((await other.delete(`${path}/${id}`)).statusCode).toBe(200)
    expect(await names(other)).toEqual([])
  })

  it('NATF-027: a set of the dashboard is created by its editors and visible to all its viewers', async () => {
    const body = { name: 'Quarter', json_metadata: state, owner_type: 'Dashboard' }
    expect((await viewer.post(path, body)).statusCode).toBe(403)
    const created = await owner.post(path, body)
    expect(created.statusCode, created.body).toBe(201)
    expect(await names(other)).toEqual(['Quarter'])
    const { id } = created.json<{ id: number }>()
    expect((await other.put(`${path}/${id}`, { name: 'x' })).statusCode).toBe(403)
    expect((await other.delete(`${path}/${id}`)).statusCode).toBe(403)
  })

  it('refuses sets for another user, invalid states, and dashboards that the caller may not see', async () => {
    expect((await viewer.post(path, { name: 'x', json_metadata: state, owner_type: 'User' })).statusCode).toBe(400)
    expect((await createFilterSet(viewer, 'x', { owner_id: await fetchUserId(other) })).statusCode).toBe(403)
    for (const json_metadata of ['{', '[]', '{}', '{"nativeFilters":[]}', '{"nativeFilters":{},"dataMask":1}'])
      expect((await createFilterSet(viewer, 'x', { json_metadata })).statusCode, json_metadata).toBe(400)
    const hidden = (await owner.post('/api/v1/dashboard/', { dashboard_title: 'Hidden' })).json<{ id: number }>().id
    expect((await viewer.get(`/api/v1/dashboard/${hidden}/filtersets`)).statusCode).toBe(404)
    expect((await viewer.get('/api/v1/dashboard/999999/filtersets')).statusCode).toBe(404)
  })

  it('is deleted and restored with its dashboard', async () => {
    const { id } = (await owner.post('/api/v1/dashboard/', { dashboard_title: 'Gone' })).json<{ id: number }>()
    await owner.post(`/api/v1/dashboard/${id}/filtersets`, {
      name: 'x',
      json_metadata: state,
      owner_type: 'Dashboard',
    })
    expect((await owner.delete(`/api/v1/dashboard/${id}`)).statusCode).toBe(200)
    const remaining = await server.deps.db
      .selectFrom('filter_set')
      .select('id')
      .where('dashboard_id', '=', id)
      .execute()
    expect(remaining).toEqual([])
    const restored = await owner.post(`/api/v1/trash/dashboard/${id}/restore`, {})
    expect(restored.statusCode, restored.body).toBe(200)
    const { result } = (await owner.get(`/api/v1/dashboard/${id}/filtersets`)).json<{ result: object[] }>()
    expect(result).toMatchObject([{ name: 'x', params: JSON.parse(state) as object }])
  })
})
