import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPermission } from '../access/principal.ts'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { addRole, grant } from './grants.ts'
import { loadPrincipal } from '../access/load-principal.ts'
import { seedRoles } from './seed-roles.ts'
import { addUser, findUser } from './users.ts'

describe.each(testStores)('roles on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store })
  })
  afterAll(() => server.close())

  const principal = async (username: string) => {
    const user = await findUser(server.deps.db, username)
    if (!user) throw new Error(`no user ${username}`)
    return loadPrincipal(server.deps.db, user)
  }

  it('PERM-001: returns the user with their roles and permissions', async () => {
    const response = await server.as('sqllab').get('/api/v1/me/roles/')
    expect(response.json()).toMatchObject({
      result: {
        username: 'sqllab',
        userId: expect.any(Number) as number,
        permissions: {},
        roles: {
          Gamma: expect.arrayContaining([['can_read', 'Chart']]) as unknown,
          sql_lab: expect.any(Array) as unknown,
        },
      },
    })
  })

  it('PERM-002: administrators are users with a role named admin, in any case', async () => {
    await addRole(server.deps.db, 'aDMIN')
    await addUser(server.deps.db, { username: 'odd', password: null, roles: ['aDMIN'] }, new Date())
    expect([
      (await principal('odd')).isAdmin,
      (await principal('admin')).isAdmin,
      (await principal('alpha')).isAdmin,
    ]).toEqual([true, true, false])
  })

  const hasSqlLab = async (user: TestUser) => {
    const who = await principal(user)
    const execute = { database_id: 0, sql: 'select 1' }
    const run = await server.as(user).post('/api/v1/sqllab/execute/', execute)
    const page = await server.as(user, 'session').get('/sqllab/')
    return [hasPermission(who, ['can_sqllab', 'Superset']), run.statusCode !== 403, page.statusCode === 200]
  }

  it('PERM-003: administrators have SQL Lab', async () => {
    expect(await hasSqlLab('admin')).toEqual([true, true, true])
  })

  it('PERM-004: users with the role sql_lab have SQL Lab', async () => {
    expect(await hasSqlLab('sqllab')).toEqual([true, true, true])
  })

  it.each(['alpha', 'gamma', 'publicuser'] as const)(
    '%s has no SQL Lab, neither its page nor its endpoints',
    async (user) => {
      expect(await hasSqlLab(user)).toEqual([false, false, false])
    },
  )

  it('PERM-006: only users with SQL Lab have saved queries', async () => {
    expect(hasPermission(await principal('sqllab'), ['can_write', 'SavedQuery'])).toBe(true)
    expect(hasPermission(await principal('gamma'), ['can_read', 'SavedQuery'])).toBe(false)
  })

  it('Public is empty, Gamma sees no data by default, Alpha sees all data, and neither manages users', async () => {
    expect((await principal('publicuser')).permissions.size).toBe(0)
    expect(hasPermission(await principal('gamma'), ['all_datasource_access', 'all_datasource_access'])).toBe(false)
    expect(hasPermission(await principal('alpha'), ['all_datasource_access', 'all_datasource_access'])).toBe(true)
    expect(hasPermission(await principal('alpha'), ['can_write', 'Database'])).toBe(false)
    expect(hasPermission(await principal('alpha'), ['can_list', 'UserDBModelView'])).toBe(false)
  })

  it('are recomputed at each start, except grants on single objects', async () => {
    const { db, settings } = server.deps
    await db.insertInto('permission').values({ name: 'datasource_access', view: '[x].[y](id:1)' }).execute()
    await grant(db, 'Gamma', ['datasource_access', '[x].[y](id:1)'])
    await grant(db, 'Gamma', ['can_write', 'Database'])
    await seedRoles(db, settings.config)
    const gamma = await principal('gamma')
    expect(hasPermission(gamma, ['datasource_access', '[x].[y](id:1)'])).toBe(true)
    expect(hasPermission(gamma, ['can_write', 'Database'])).toBe(false)
  })

  it('give anonymous visitors the permissions of Public', async () => {
    const ask = () => server.as('nobody').get('/api/v1/_openapi')
    expect((await ask()).statusCode).toBe(401)
    await seedRoles(server.deps.db, { PUBLIC_ROLE_LIKE: 'Gamma' })
    server.app.authenticator.forget()
    expect((await ask()).statusCode).toBe(200)
    expect((await server.as('nobody').get('/api/v1/me/')).statusCode).toBe(401)
  })
})
