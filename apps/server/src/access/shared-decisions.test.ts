import { randomUUID } from 'node:crypto'
import type { Bundle } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { importBundle } from '../bundle/import-bundle.ts'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { addUser } from '../security/users.ts'
import { isTracked } from '../store/changes.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { can, canReadData, isDashboardShared } from './access.ts'
import { loadPrincipalById } from './load-principal.ts'
import type { Principal } from './principal.ts'

describe.each(testStores)('users with the same roles, on %s', (_name, store) => {
  let server: TestServer
  let users: [ann: number, ben: number]
  beforeAll(async () => {
    server = await startTestServer({ store })
    const { db } = server.deps
    await vi.waitUntil(() => isTracked(db), { timeout: 20_000 })
    const add = (username: string) => addUser(db, { username, password: null, roles: ['Gamma'] }, new Date())
    users = [await add('ann'), await add('ben')]
  })
  afterAll(() => server.close())

  const load = async (): Promise<[ann: Principal, ben: Principal]> => [
    (await loadPrincipalById(server.deps.db, users[0]))!,
    (await loadPrincipalById(server.deps.db, users[1]))!,
  ]

  /** Creates a dataset, a chart of it and a published dashboard with that chart, all owned by the first administrator. */
  async function createObjects(): Promise<{ dataset: number; dashboard: number }> {
    const { db } = server.deps
    const uuids = { database: randomUUID(), dataset: randomUUID(), chart: randomUUID(), dashboard: randomUUID() }
    const node = { type: 'CHART', id: 'CHART-1', children: [], meta: { uuid: uuids.chart, chartId: 1 } }
    const files = {
      'databases/d.yaml': { database_name: uuids.database, sqlalchemy_uri: 'duckdb://', uuid: uuids.database },
      'datasets/d/t.yaml': { table_name: uuids.dataset, uuid: uuids.dataset, database_uuid: uuids.database },
      'charts/c.yaml': { slice_name: 'c', viz_type: 'table', uuid: uuids.chart, dataset_uuid: uuids.dataset },
      'dashboards/b.yaml': {
        dashboard_title: 'b',
        published: true,
        uuid: uuids.dashboard,
        position: { 'CHART-1': node },
      },
    }
    const bundle: Bundle = {
      metadata: { version: '1.0.0', type: 'Dashboard', timestamp: '' },
      files: new Map(Object.entries(files)),
    }
    await importBundle(db, bundle, { authorId: 1, at: '2026-01-01T00:00:00.000', overwrite: false })
    const find = async (kind: 'dataset' | 'dashboard') =>
      (await db.selectFrom(kind).select('id').where('uuid', '=', uuids[kind]).executeTakeFirstOrThrow()).id
    return { dataset: await find('dataset'), dashboard: await find('dashboard') }
  }

  const context = (principal: Principal) => ({
    db: server.deps.db,
    principal,
    dashboardRoles: true,
    viewerData: { dashboards: true, charts: false },
  })
  const decide = async (principal: Principal, { dataset, dashboard }: { dataset: number; dashboard: number }) => ({
    opens: await can(context(principal), ['can_read', 'Dashboard'], { kind: 'dashboard', id: dashboard }),
    readsData: await canReadData(context(principal), dataset),
  })
  const nothing = { opens: false, readsData: false }

  it('read their permissions and what these allow once', async () => {
    const objects = await createObjects()
    await grantDataset(server, objects.dataset, 'Gamma')
    const execute = vi.spyOn(server.deps.db.getExecutor(), 'executeQuery')
    const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
      const before = execute.mock.calls.length
      await work()
      return execute.mock.calls.length - before
    }
    try {
      let [ann, ben] = await load()
      const open = async (principal: Principal) => {
        const { opens, readsData } = await decide(principal, objects)
        expect([opens, readsData]).toEqual([true, true])
      }
      expect(await countStatements(() => open(ann))).toBe(2)
      expect(await countStatements(() => open(ben))).toBe(0)
      const both = async () => {
        ;[ann, ben] = await load()
      }
      // The row of each and everything that was granted to them.
      expect(await countStatements(both)).toBe(4)
      expect(ben.permissions).toBe(ann.permissions)
    } finally {
      execute.mockRestore()
    }
  })

  it('share nothing that one of them may see as a certain user', async () => {
    const { db } = server.deps
    const objects = await createObjects()
    const [ann, ben] = await load()
    const expectDecisions = async (of: { ann?: object; ben?: object }) => {
      expect(await decide(ben, objects)).toEqual({ ...nothing, ...of.ben })
      expect(await decide(ann, objects)).toEqual({ ...nothing, ...of.ann })
      expect(await decide(ben, objects)).toEqual({ ...nothing, ...of.ben })
    }
    await expectDecisions({})
    await db.insertInto('dashboard_owner').values({ dashboard_id: objects.dashboard, user_id: users[0] }).execute()
    await expectDecisions({ ann: { opens: true } })
    await db.insertInto('dataset_owner').values({ dataset_id: objects.dataset, user_id: users[0] }).execute()
    await expectDecisions({ ann: { opens: true, readsData: true } })
    await db.deleteFrom('dashboard_owner').where('user_id', '=', users[0]).execute()
    await db.deleteFrom('dataset_owner').where('user_id', '=', users[0]).execute()
    await db.insertInto('dashboard_viewer').values({ dashboard_id: objects.dashboard, user_id: users[1] }).execute()
    await expectDecisions({ ben: { opens: true } })
    expect(await Promise.all([ann, ben].map((each) => isDashboardShared(context(each), objects.dashboard)))).toEqual([
      false,
      true,
    ])
    await db.deleteFrom('dashboard_viewer').execute()
    await db
      .insertInto('favorite')
      .values({ user_id: users[0], kind: 'dashboard', object_id: objects.dashboard, created_on: '' })
      .execute()
    await expectDecisions({ ann: { opens: true } })
    await db.deleteFrom('favorite').execute()
    await expectDecisions({})
  })

  it('have other rights at once when what they have is changed', async () => {
    const { db } = server.deps
    const objects = await createObjects()
    const { id } = await db
      .selectFrom('permission')
      .select('id')
      .where('name', '=', 'datasource_access')
      .where('view', 'like', `%(id:${objects.dataset})`)
      .executeTakeFirstOrThrow()
    const gamma = (await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()).id
    const readData = async () =>
      Promise.all((await load()).map((principal) => canReadData(context(principal), objects.dataset)))
    expect(await readData()).toEqual([false, false])
    await db.insertInto('user_permission').values({ user_id: users[1], permission_id: id }).execute()
    expect(await readData()).toEqual([false, true])
    await db.deleteFrom('user_permission').execute()
    await db.insertInto('role_permission').values({ role_id: gamma, permission_id: id }).execute()
    expect(await readData()).toEqual([true, true])
    await db.deleteFrom('user_role').where('user_id', '=', users[0]).execute()
    expect(await readData()).toEqual([false, true])
    await db.insertInto('user_role').values({ user_id: users[0], role_id: gamma }).execute()
    await db.deleteFrom('role_permission').where('permission_id', '=', id).execute()
    expect(await readData()).toEqual([false, false])
  })
})
