import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, testStores, type TestServer } from '../testing.ts'

interface Role {
  id: number
  name: string
  users: number
  access: string
}

describe.each(testStores)('roles of a database on %s', (_name, store) => {
  let server: TestServer
  let id: number
  beforeAll(async () => {
    server = await startTestServer({ store })
    const made = await server
      .as('admin')
      .post('/api/v1/database/', { database_name: 'shared', sqlalchemy_uri: 'duckdb://' })
    expect(made.statusCode, made.body).toBe(201)
    id = made.json<{ id: number }>().id
  })
  afterAll(() => server.close())

  const roles = async (): Promise<Map<string, Role>> => {
    const response = await server.as('admin').get(`/api/v1/database/${id}/roles/`)
    return new Map(response.json<{ result: Role[] }>().result.map((role) => [role.name, role]))
  }
  const sees = async (user: 'gamma' | 'alpha'): Promise<number> =>
    (await server.as(user).get(`/api/v1/database/${id}`)).statusCode
  const give = (names: readonly string[], known: Map<string, Role>) =>
    server.as('admin').put(`/api/v1/database/${id}/roles/`, { roles: names.map((name) => known.get(name)!.id) })

  it('lists which roles may read it, at first only those that read every database', async () => {
    const known = await roles()
    expect(known.get('Admin')).toMatchObject({ access: 'all' })
    expect(known.get('Alpha')).toMatchObject({ access: 'all' })
    expect(known.get('Gamma')).toMatchObject({ access: 'none' })
    expect(known.get('Gamma')!.users).toBeGreaterThan(0)
    expect([await sees('alpha'), await sees('gamma')]).toEqual([200, 404])
  })

  it('a granted role has access from the next request on, until the grant is removed', async () => {
    const known = await roles()
    const changedOn = async () =>
      (await server.as('admin').get(`/api/v1/security/roles/${known.get('Gamma')!.id}`)).headers.etag
    const before = await changedOn()
    const given = await give(['Gamma', 'Admin'], known)
    expect([given.statusCode, given.json()]).toEqual([200, { message: 'OK' }])
    expect((await roles()).get('Gamma')).toMatchObject({ access: 'granted' })
    // Another administrator who edits the role now gets a conflict.
    expect(await changedOn()).not.toBe(before)
    expect(await sees('gamma')).toBe(200)
    expect((await give(['Gamma'], known)).statusCode, 'twice is once').toBe(200)
    await give([], known)
    expect([await sees('gamma'), (await roles()).get('Gamma')?.access]).toEqual([404, 'none'])
    expect(await sees('alpha')).toBe(200)
  })

  it('a missing role or database changes nothing', async () => {
    const known = await roles()
    const path = `/api/v1/database/${id}/roles/`
    const wrong = await server.as('admin').put(path, { roles: [known.get('Gamma')!.id, 9999] })
    expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('Role 9999 does not exist.')])
    expect((await roles()).get('Gamma')?.access).toBe('none')
    expect((await server.as('admin').get('/api/v1/database/9999/roles/')).statusCode).toBe(404)
  })

  it('is allowed only for users who may change roles', async () => {
    const path = `/api/v1/database/${id}/roles/`
    for (const user of ['alpha', 'gamma'] as const) {
      expect((await server.as(user).get(path)).statusCode).toBe(403)
      expect((await server.as(user).put(path, { roles: [] })).statusCode).toBe(403)
    }
  })
})
