import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CarsServer, startCarsServer } from './chart/testing.ts'
import { addRowLevelSecurityRule } from './row-level-security/rules.testing.ts'
import { isTracked } from './store/changes.ts'
import { startTestServer, type TestServer, testStores } from './testing.ts'

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 })
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 })

describe.each(testStores)('two servers with one store on %s', (_name, store) => {
  let cars: CarsServer
  let one: TestServer
  let two: TestServer
  beforeAll(async () => {
    cars = await startCarsServer({ store })
    one = cars.server
    // Both read the files of uploaded tables.
    two = await startTestServer({ sharesWith: one, runners: one.deps.runners, settings: { home: one.home } })
    await until(() => isTracked(one.deps.db) && isTracked(two.deps.db))
  })
  afterAll(async () => {
    await two.close()
    await cars.close()
  })

  it('a changed dashboard is seen by both', async () => {
    const created = await one.as('admin').post('/api/v1/dashboard/', { dashboard_title: 'first' })
    const path = `/api/v1/dashboard/${created.json<{ id: number }>().id}`
    const title = async (at: TestServer) =>
      (await at.as('admin').get(path)).json<{ result?: { dashboard_title: string } }>().result?.dashboard_title
    expect(await title(one)).toBe('first')
    await eventually(async () => expect(await title(two)).toBe('first'))
    expect((await two.as('admin').put(path, { dashboard_title: 'second' })).statusCode).toBe(200)
    expect(await title(two)).toBe('second')
    await eventually(async () => expect(await title(one)).toBe('second'))
    expect((await one.as('admin').delete(path)).statusCode).toBe(200)
    expect(await title(one)).toBeUndefined()
    await eventually(async () => expect(await title(two)).toBeUndefined())
  })

  it('a new rule hides rows on both', async () => {
    const admin = await one.deps.db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
    const query = { metrics: [{ expressionType: 'SQL', sqlExpression: 'count(*)', label: 'n' }], columns: [] }
    const body = { datasource: { id: cars.dataset, type: 'table' }, queries: [query] }
    const count = async (at: TestServer) =>
      (await at.as('admin').post('/api/v1/chart/data', body)).json<{ result: [{ data: [{ n: number }] }] }>().result[0]
        .data[0].n
    const all = await count(one)
    expect(await count(two)).toBe(all)
    expect(all).toBeGreaterThan(0)
    const { db } = two.deps
    await addRowLevelSecurityRule(db, cars.dataset, { user: admin.id }, '1 = 0')
    expect(await count(two)).toBe(0)
    await eventually(async () => expect(await count(one)).toBe(0))
    await db.deleteFrom('row_rule').execute()
    expect(await count(two)).toBe(all)
    await eventually(async () => expect(await count(one)).toBe(all))
  })

  it('a right that a role loses is lost on both', async () => {
    const list = async (at: TestServer) => (await at.as('gamma').get('/api/v1/dashboard/')).statusCode
    expect([await list(one), await list(two)]).toEqual([200, 200])
    const { db } = two.deps
    const held = await db
      .selectFrom('role_permission')
      .innerJoin('role', 'role.id', 'role_id')
      .innerJoin('permission', 'permission.id', 'permission_id')
      .select(['role_id', 'permission_id'])
      .where('role.name', '=', 'Gamma')
      .where('permission.name', '=', 'can_read')
      .where('view', '=', 'Dashboard')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('role_permission').where('permission_id', '=', held.permission_id).execute()
    expect(await list(two)).toBe(403)
    await eventually(async () => expect(await list(one)).toBe(403))
    await db.insertInto('role_permission').values(held).execute()
    expect(await list(two)).toBe(200)
    await eventually(async () => expect(await list(one)).toBe(200))
  })
})
