import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { datasetViewName } from './data-rights.ts'
import { grant } from '../security/grants.ts'

const at = '2026-01-01T00:00:00.000'
const audit = { created_on: at, changed_on: at, created_by_fk: null, changed_by_fk: null }
const kinds = ['chart', 'dashboard'] as const
type Kind = (typeof kinds)[number]

describe.each(testStores)('lists for users who can see few or many objects on %s', (_name, store) => {
  let server: TestServer
  let datasets: Record<'open' | 'secret', number>
  const ids: Record<Kind, number[]> = { chart: [], dashboard: [] }

  const insert = async (table: string, row: Record<string, unknown>): Promise<number> => {
    const names = Object.keys(row).map((name) => sql.ref(name))
    const { rows } = await sql<{ id: number }>`insert into ${sql.table(table)} (${sql.join(names)})
      values (${sql.join(Object.values(row))}) returning *`.execute(server.deps.db)
    return rows[0]!.id
  }
  const idOf = async (table: 'user' | 'role', column: 'username' | 'name', name: string): Promise<number> => {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
      where ${sql.ref(column)} = ${name}`.execute(server.deps.db)
    return rows[0]!.id
  }

  async function addDataset(database_id: number, table_name: string): Promise<number> {
    const flags = ['offset', 'filter_select_enabled', 'is_sqllab_view', 'normalize_columns', 'always_filter_main_dttm']
    const zeros = Object.fromEntries([...flags, 'is_managed_externally'].map((name) => [name, 0]))
    return insert('dataset', { uuid: randomUUID(), database_id, table_name, ...zeros, ...audit })
  }
  const addChart = (datasource_id: number): Promise<number> =>
    insert('chart', {
      uuid: randomUUID(),
      slice_name: 'c',
      viz_type: 'pie',
      datasource_type: 'table',
      datasource_id,
      is_managed_externally: 0,
      ...audit,
    })
  const addDashboard = async (published: number, chart?: number): Promise<number> => {
    const row = { uuid: randomUUID(), dashboard_title: 'b', published, is_managed_externally: 0, ...audit }
    const dashboard_id = await insert('dashboard', row)
    if (chart !== undefined) await insert('dashboard_chart', { dashboard_id, chart_id: chart })
    return dashboard_id
  }

  /** Creates objects that are visible in every possible way (dataset, owner, star, role) or not at all. */
  async function fill(): Promise<void> {
    const people = await Promise.all((['gamma', 'sqllab'] as const).map((name) => idOf('user', 'username', name)))
    const roles = await Promise.all(['Gamma', 'Alpha'].map((name) => idOf('role', 'name', name)))
    const forAll = (add: (user_id: number) => Promise<unknown>) => Promise.all(people.map(add))
    const ways: ((dashboard_id: number) => Promise<unknown>)[] = [
      async () => undefined,
      (dashboard_id) => forAll((user_id) => insert('dashboard_owner', { dashboard_id, user_id })),
      (object_id) => forAll((user_id) => insert('favorite', { user_id, kind: 'dashboard', object_id, created_on: at })),
      ...roles.map((role_id) => (dashboard_id: number) => insert('dashboard_role', { dashboard_id, role_id })),
    ]
    for (const dataset of [datasets.open, datasets.secret]) {
      const [plain, owned] = [await addChart(dataset), await addChart(dataset)]
      await forAll((user_id) => insert('chart_owner', { chart_id: owned, user_id }))
      ids.chart.push(plain, owned)
    }
    for (const published of [0, 1])
      for (const chart of [undefined, ids.chart[0], ids.chart[2]])
        for (const way of ways) {
          const dashboard = await addDashboard(published, chart)
          await way(dashboard)
          ids.dashboard.push(dashboard)
        }
  }

  beforeAll(async () => {
    server = await startTestServer({ store })
    const flags = ['expose_in_sqllab', 'allow_run_async', 'allow_ctas', 'allow_cvas', 'allow_dml', 'allow_file_upload']
    const database = await insert('database', {
      uuid: randomUUID(),
      database_name: 'd',
      backend: 'duckdb',
      sqlalchemy_uri: 'duckdb://',
      settings: '{}',
      extra: '{}',
      configuration_method: 'sqlalchemy_form',
      ...Object.fromEntries([...flags, 'impersonate_user', 'version'].map((name) => [name, 0])),
      ...audit,
    })
    datasets = { open: await addDataset(database, 'open'), secret: await addDataset(database, 'secret') }
    const view = datasetViewName('d', { table_name: 'open', id: datasets.open })
    await insert('permission', { name: 'datasource_access', view })
    await grant(server.deps.db, 'Gamma', ['datasource_access', view])
    await fill()
  })
  afterAll(() => server.close())

  const fetchList = async (user: TestUser, kind: Kind) =>
    (await server.as(user).get(`/api/v1/${kind}/?q=(order_column:changed_on_delta_humanized,page_size:100)`)).json<{
      count: number
      ids: number[]
    }>()
  const listReadable = async (user: TestUser, kind: Kind) => {
    const client = server.as(user)
    const open: number[] = []
    for (const id of ids[kind]) if ((await client.get(`/api/v1/${kind}/${id}`)).statusCode === 200) open.push(id)
    return open
  }
  /** Each test uses another user, because the count of visible objects is cached for a while. */
  const expectListOfWhatOpens = async (user: TestUser, more: number) => {
    for (const rbac of [false, true])
      for (const kind of kinds) {
        server.deps.settings.flags['DASHBOARD_RBAC'] = rbac
        const open = await listReadable(user, kind)
        const { count, ids: found } = await fetchList(user, kind)
        expect(open.length).toBeGreaterThan(kind === 'chart' ? 2 : 9)
        expect([count, found.slice(0, open.length)]).toEqual([open.length + more, open])
      }
  }

  it('lists exactly the objects that can be opened, for a user who sees few', async () => {
    await expectListOfWhatOpens('gamma', 0)
  })

  it('lists exactly the objects that can be opened, for a user who sees many', async () => {
    const { db } = server.deps
    const later = '2026-01-02T00:00:00.000'
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 600)
      insert into chart (uuid, slice_name, viz_type, datasource_id, datasource_type, is_managed_externally, created_on, changed_on)
      select 'many' || i, 'many', 'pie', ${sql.lit(datasets.open)}, 'table', 0, ${sql.lit(at)}, ${sql.lit(later)}
      from n`.execute(db)
    await sql`insert into dashboard (uuid, dashboard_title, published, is_managed_externally, created_on, changed_on)
      select uuid, 'many', 1, 0, created_on, changed_on from chart where slice_name = 'many'`.execute(db)
    await sql`insert into dashboard_chart (dashboard_id, chart_id)
      select dashboard.id, chart.id from dashboard join chart on chart.uuid = dashboard.uuid`.execute(db)
    await expectListOfWhatOpens('sqllab', 600)
  })
})
