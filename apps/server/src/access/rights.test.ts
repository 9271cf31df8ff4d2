import type { Bundle } from '@parquetry/bundle'
import type { PermissionPair } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importBundle } from '../bundle/import-bundle.ts'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { addMissingDataPermissions } from './data-permissions.ts'
import { grant, revoke } from '../security/grants.ts'
import { findUser } from '../security/users.ts'

interface CreatedObjects {
  dataset: number
  chart: number
  dashboard: number
}

describe.each(testStores)('permissions on %s', (_name, store) => {
  let server: TestServer
  let made: CreatedObjects
  beforeAll(async () => {
    server = await startTestServer({ store })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    made = await make('alpha')
  })

  const idOf = async (username: string): Promise<number> => {
    const user = await findUser(server.deps.db, username)
    if (!user) throw new Error(`no user ${username}`)
    return user.id
  }

  /** Creates a dataset, a chart of it and a published dashboard with that chart, all owned by `owner`. */
  async function make(owner: TestUser): Promise<CreatedObjects> {
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
    const options = { authorId: await idOf(owner), at: '2026-01-01T00:00:00.000', overwrite: false }
    await importBundle(server.deps.db, bundle, options)
    const find = async (kind: 'dataset' | 'chart' | 'dashboard') =>
      (
        await server.deps.db
          .selectFrom(kind)
          .select('id')
          .where('uuid', '=', uuids[kind] as never)
          .executeTakeFirstOrThrow()
      ).id
    return { dataset: await find('dataset'), chart: await find('chart'), dashboard: await find('dashboard') }
  }

  /** Runs `look` while a role lacks one of its permissions. */
  async function withRevoked<T>(role: string, pair: PermissionPair, look: () => Promise<T>): Promise<T> {
    await revoke(server.deps.db, role, pair)
    server.app.authenticator.forget()
    const seen = await look()
    await grant(server.deps.db, role, pair)
    server.app.authenticator.forget()
    return seen
  }

  /** Permissions on the view Superset that a page receives for its user. */
  async function mainRights(user: TestUser): Promise<string[]> {
    const { result } = (await server.as(user).get('/api/v1/me/roles/')).json<{
      result: { roles: Record<string, [string, string][]> }
    }>()
    return Object.values(result.roles).flatMap((pairs) =>
      pairs.filter(([, view]) => view === 'Superset').map(([name]) => name),
    )
  }
  const isTold = async (name: string) => {
    const before = (await mainRights('alpha')).includes(name)
    const after = await withRevoked('Alpha', [name, 'Superset'], () => mainRights('alpha'))
    return [before, after.includes(name)]
  }
  const pageStatus = async (path: string) => (await server.as('alpha', 'session').get(path)).statusCode

  const put = async (user: TestUser, path: string, body: object) => (await server.as(user).put(path, body)).statusCode
  const rename = (user: TestUser) => put(user, `/api/v1/dashboard/${made.dashboard}`, { dashboard_title: 'new' })

  it('regression: hides the name of a table from users who may not read it', async () => {
    const { table_name } = await server.deps.db
      .selectFrom('dataset')
      .select('table_name')
      .where('id', '=', made.dataset)
      .executeTakeFirstOrThrow()
    const body = { datasource: { id: made.dataset, type: 'table' }, queries: [{ columns: ['a'] }] }
    const gamma = server.as('gamma')
    for (const response of [
      await gamma.post('/api/v1/chart/data', body),
      await gamma.get(`/api/v1/explore/?datasource_type=table&datasource_id=${made.dataset}`),
      await gamma.get(`/api/v1/explore/?slice_id=${made.chart}`),
      await gamma.get(`/api/v1/datasource/table/${made.dataset}/column/a/values/`),
      await gamma.get(`/api/v1/dataset/${made.dataset}`),
    ])
      expect(response.body).not.toContain(table_name)
    expect((await gamma.post('/api/v1/chart/data', body)).statusCode).toBe(403)
  })

  it('regression: hides e-mail addresses from users who do not manage users', async () => {
    const { db } = server.deps
    const email = 'owner@example.com'
    await db.updateTable('user').set({ email }).where('username', '=', 'alpha').execute()
    await grant(db, 'Gamma', ['all_datasource_access', 'all_datasource_access'])
    server.app.authenticator.forget()
    const paths = [
      '/api/v1/dashboard/related/owners?q=(filter:alpha)',
      `/api/v1/dashboard/${made.dashboard}`,
      '/api/v1/dashboard/?q=(columns:!(owners.email,owners.id),page_size:100)',
      `/api/v1/explore/?slice_id=${made.chart}`,
    ]
    const tellsAddress = async (user: TestUser, path: string) => {
      const { statusCode, body } = await server.as(user).get(path)
      expect(statusCode, body).toBe(200)
      return body.includes(email)
    }
    try {
      for (const path of paths) expect([path, await tellsAddress('gamma', path)]).toEqual([path, false])
      expect(await tellsAddress('admin', paths[0]!)).toBe(true)
      expect(await tellsAddress('admin', paths[2]!)).toBe(true)
    } finally {
      await revoke(db, 'Gamma', ['all_datasource_access', 'all_datasource_access'])
      server.app.authenticator.forget()
    }
  })

  it('regression: rejects a layout that is too large', async () => {
    const position_json = JSON.stringify({ 'MARKDOWN-1': { meta: { code: 'x'.repeat(5 << 20) } } })
    const path = `/api/v1/dashboard/${made.dashboard}`
    for (const body of [{ position_json }, { json_metadata: JSON.stringify({ positions: JSON.parse(position_json) }) }])
      expect(await put('alpha', path, body)).toBe(422)
    expect(await put('alpha', path, { position_json: '{}' })).toBe(200)
  })

  it('PERM-007: roles decide which actions on dashboards are allowed', async () => {
    const fetchListStatus = async () => (await server.as('alpha').get('/api/v1/dashboard/')).statusCode
    expect([await fetchListStatus(), await withRevoked('Alpha', ['can_read', 'Dashboard'], fetchListStatus)]).toEqual([
      200, 403,
    ])
    const { permissions } = (await server.as('alpha').get('/api/v1/dashboard/_info?q=(keys:!(permissions))')).json<{
      permissions: string[]
    }>()
    expect(permissions).toEqual(expect.arrayContaining(['can_read', 'can_write']))
  })

  it('PERM-008: reports can_save_dash to the page only while a role grants it', async () => {
    expect(await isTold('can_save_dash')).toEqual([true, false])
  })

  it('PERM-009: reports can_share_dashboard to the page only while a role grants it', async () => {
    expect(await isTold('can_share_dashboard')).toEqual([true, false])
  })

  it('PERM-010: can_explore is required to open Explore', async () => {
    expect(await isTold('can_explore')).toEqual([true, false])
    const open = () => pageStatus(`/explore/?slice_id=${made.chart}`)
    expect([await open(), await withRevoked('Alpha', ['can_explore', 'Superset'], open)]).toEqual([200, 302])
  })

  it('PERM-011: reports can_share_chart to the page only while a role grants it', async () => {
    expect(await isTold('can_share_chart')).toEqual([true, false])
  })

  it('PERM-012, PERM-020: rejects downloads without can_csv before querying the database', async () => {
    expect(await isTold('can_csv')).toEqual([true, false])
    const context = { datasource: { id: made.dataset, type: 'table' }, queries: [{ columns: ['a'] }] }
    const download = async () =>
      (await server.as('alpha').post('/api/v1/chart/data', { ...context, result_format: 'csv' })).statusCode
    expect(await withRevoked('Alpha', ['can_csv', 'Superset'], download)).toBe(403)
  })

  it('PERM-013: can_slice is required to open a chart by its id', async () => {
    expect(await isTold('can_slice')).toEqual([true, false])
    const open = () => pageStatus(`/superset/slice/${made.chart}/`)
    expect([await open(), await withRevoked('Alpha', ['can_slice', 'Superset'], open)]).toEqual([200, 302])
  })

  it('PERM-014: an admin can edit any dashboard', async () => {
    expect(await rename('admin')).toBe(200)
  })

  it('PERM-015: an owner can edit a dashboard only with can_write on Dashboard', async () => {
    expect(await rename('alpha')).toBe(200)
    expect(await withRevoked('Alpha', ['can_write', 'Dashboard'], () => rename('alpha'))).toBe(403)
  })

  it('PERM-016: other users cannot edit a dashboard, regardless of their permissions', async () => {
    await put('admin', `/api/v1/dashboard/${made.dashboard}`, { owners: [await idOf('admin')] })
    expect(await rename('alpha')).toBe(403)
    expect(await rename('gamma')).toBe(404)
  })

  it('PERM-017: an owner can add other owners to a dashboard', async () => {
    const owners = [await idOf('gamma'), await idOf('alpha')]
    expect(await put('alpha', `/api/v1/dashboard/${made.dashboard}`, { owners })).toBe(200)
    expect(await rename('gamma')).toBe(200)
  })

  it('PERM-018, PERM-031: stores the roles of a dashboard, and lets them open it, only with DASHBOARD_RBAC', async () => {
    const gamma = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Gamma')
      .executeTakeFirstOrThrow()
    const path = `/api/v1/dashboard/${made.dashboard}`
    const rolesAfterChange = async () => {
      expect(await put('alpha', path, { roles: [gamma.id] })).toBe(200)
      return (await server.as('admin').get(path)).json<{ result: { roles: { name: string }[] } }>().result.roles
    }
    const open = async () => (await server.as('gamma').get(path)).statusCode
    const { flags } = server.deps.settings
    flags['DASHBOARD_RBAC'] = false
    expect([await rolesAfterChange(), await open()]).toEqual([[], 404])
    flags['DASHBOARD_RBAC'] = true
    expect([await rolesAfterChange(), await open()]).toEqual([[{ id: gamma.id, name: 'Gamma' }], 200])
    flags['DASHBOARD_RBAC'] = false
    expect(await open()).toBe(404)
  })

  it('PERM-019: can_write on Chart is required to add charts', async () => {
    const chart = {
      slice_name: 'n',
      datasource_id: made.dataset,
      datasource_type: 'table',
      viz_type: 'pie',
      params: '{}',
    }
    const addChart = async () => (await server.as('alpha').post('/api/v1/chart/', chart)).statusCode
    expect([await addChart(), await withRevoked('Alpha', ['can_write', 'Chart'], addChart)]).toEqual([201, 403])
  })

  it('PERM-021: only owners can overwrite a chart', async () => {
    const overwrite = (user: TestUser) => put(user, `/api/v1/chart/${made.chart}`, { slice_name: 'over' })
    expect(await overwrite('alpha')).toBe(200)
    await put('admin', `/api/v1/chart/${made.chart}`, { owners: [await idOf('admin')] })
    expect(await overwrite('alpha')).toBe(403)
  })

  it('PERM-022: only owners and admins can edit a dataset', async () => {
    const edit = (user: TestUser) => put(user, `/api/v1/dataset/${made.dataset}`, { description: 'd' })
    expect([await edit('alpha'), await edit('admin')]).toEqual([200, 200])
    await put('admin', `/api/v1/dataset/${made.dataset}`, { owners: [await idOf('admin')] })
    expect([await edit('alpha'), await edit('admin')]).toEqual([403, 200])
  })

  it('PERM-026: each list reports what the caller may do with the resource', async () => {
    const permissionsOf = async (user: TestUser, resource: string) =>
      (await server.as(user).get(`/api/v1/${resource}/_info?q=(keys:!(permissions))`))
        .json<{ permissions: string[] }>()
        .permissions.toSorted()
    expect(await permissionsOf('gamma', 'dataset')).toEqual(['can_read'])
    expect(await permissionsOf('admin', 'database')).toEqual(['can_export', 'can_read', 'can_write'])
    expect(await permissionsOf('gamma', 'database')).toEqual(['can_read'])
  })

  it('shows an imported dataset to users with access to it', async () => {
    const look = async () => (await server.as('gamma').get(`/api/v1/dataset/${made.dataset}`)).statusCode
    const pair = await server.deps.db
      .selectFrom('permission')
      .select('view')
      .where('name', '=', 'datasource_access')
      .where('view', 'like', `%(id:${made.dataset})`)
      .executeTakeFirstOrThrow()
    expect(await look()).toBe(404)
    await grant(server.deps.db, 'Gamma', ['datasource_access', pair.view])
    server.app.authenticator.forget()
    expect(await look()).toBe(200)
  })

  it('adds missing permissions to the objects of an older store, and leaves existing ones unchanged', async () => {
    const { db } = server.deps
    const pairs = () => db.selectFrom('permission').select(['id', 'name', 'view']).orderBy('id').execute()
    const before = await pairs()
    await addMissingDataPermissions(db)
    expect(await pairs()).toEqual(before)
    const lost = before.filter(({ view }) => view.endsWith(`(id:${made.dataset})`))
    expect(lost.length).toBeGreaterThan(0)
    for (const { id } of lost) await db.deleteFrom('permission').where('id', '=', id).execute()
    await addMissingDataPermissions(db)
    const names = (list: typeof before) => list.map(({ name, view }) => `${name} ${view}`).toSorted()
    expect(names(await pairs())).toEqual(names(before))
  })
})
