import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Principal } from '../access/principal.ts'
import { loadPrincipalById } from '../access/load-principal.ts'
import { importBundle } from '../bundle/import-bundle.ts'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'
import type { DashboardRow } from './dashboard-resource.ts'
import { updateDashboard } from './save-dashboard.ts'

describe('attacks on dashboards', () => {
  let cars: CarsServer
  let ids: Record<'gamma' | 'admin', number>
  let role: Record<'Gamma' | 'Alpha', number>
  beforeAll(async () => {
    cars = await startCarsServer()
    const { db, settings } = cars.server.deps
    settings.flags['DASHBOARD_RBAC'] = true
    const users = await db.selectFrom('user').select(['id', 'username']).execute()
    const roles = await db.selectFrom('role').select(['id', 'name']).execute()
    ids = Object.fromEntries(users.map(({ id, username }) => [username, id])) as typeof ids
    role = Object.fromEntries(roles.map(({ id, name }) => [name, id])) as typeof role
  }, 60_000)
  afterAll(() => cars.close())

  const filterOf = (name: string, more: object = {}) => ({
    id: 'NATIVE_FILTER-x',
    type: 'NATIVE_FILTER',
    filterType: 'filter_select',
    targets: [{ datasetId: cars.dataset, column: { name } }],
    ...more,
  })
  const withFilters = (...filters: object[]) => JSON.stringify({ native_filter_configuration: filters })
  const withChart = (chartId: number) =>
    JSON.stringify({ positions: { 'CHART-1': { id: 'CHART-1', type: 'CHART', children: [], meta: { chartId } } } })
  const make = async (user: TestUser, body: object) => {
    const made = await cars.server.as(user).post('/api/v1/dashboard/', { dashboard_title: 'Cars', ...body })
    return { status: made.statusCode, id: made.json<{ id: number }>().id, body: made.body }
  }
  const chart = async (owners: number[] = []) => {
    const body = { slice_name: 'c', datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'table', owners }
    return (await cars.server.as('admin').post('/api/v1/chart/', body)).json<{ id: number }>().id
  }
  const put = async (user: TestUser, path: string, body: object) =>
    (await cars.server.as(user).put(`/api/v1/${path}`, body)).statusCode
  /** Status that Gamma gets when requesting the values of a dashboard's filter. */
  const namesBy = async (dashboardId: number) =>
    (
      await cars.server.as('gamma').post('/api/v1/chart/data', {
        datasource: { id: cars.dataset, type: 'table' },
        queries: [{ columns: ['Name'], row_limit: 5 }],
        form_data: { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-x', dashboardId },
      })
    ).statusCode

  describe('PERM-018: the roles of a dashboard open only data that its owner may read', () => {
    it('regression: a filter on another user’s dataset does not reveal the values of a column', async () => {
      const own = { published: true, roles: [role.Gamma], json_metadata: withFilters(filterOf('Name')) }
      const made = await make('gamma', own)
      expect(made.status).toBe(422)
      expect(made.body).toContain('you do not have access to all of it')
      expect(made.body).not.toContain('cars')
      const { id } = await make('gamma', { ...own, roles: [] })
      expect(await put('gamma', `dashboard/${id}`, { roles: [role.Gamma] })).toBe(422)
      expect(await namesBy(id)).toBe(403)
      const bare = await make('gamma', { published: true, roles: [role.Gamma] })
      expect(await put('gamma', `dashboard/${bare.id}`, { json_metadata: withFilters(filterOf('Name')) })).toBe(422)
      expect(await put('gamma', `dashboard/${bare.id}/filters`, { modified: [filterOf('Name')] })).toBe(422)
      const later = { ...filterOf('Name'), targets: [{ datasetId: 987_654, column: { name: 'Name' } }] }
      expect(await put('gamma', `dashboard/${bare.id}/filters`, { modified: [later] })).toBe(422)
      expect(await namesBy(bare.id)).toBe(403)
    })

    it('refuses an own chart whose data its owner may not read, added from either side', async () => {
      const own = await chart([ids.gamma])
      const { id } = await make('gamma', { published: true, roles: [role.Gamma] })
      expect(await put('gamma', `dashboard/${id}`, { json_metadata: withChart(own) })).toBe(422)
      expect(await put('gamma', `chart/${own}`, { dashboards: [id] })).toBe(422)
      const closed = await make('gamma', { json_metadata: withChart(own) })
      expect(await put('gamma', `dashboard/${closed.id}`, { roles: [role.Gamma] })).toBe(422)
    })

    it('allows changes to a dashboard that others opened, but not to the data it opens', async () => {
      const opened = await make('admin', {
        published: true,
        roles: [role.Gamma],
        owners: [ids.gamma],
        json_metadata: withFilters(filterOf('Origin')),
      })
      const change = (body: object) => put('gamma', `dashboard/${opened.id}`, body)
      const named = withFilters(filterOf('Origin', { name: 'From' }))
      expect(await change({ dashboard_title: 'Mine', roles: [role.Gamma], json_metadata: named })).toBe(200)
      expect(await change({ json_metadata: withFilters(filterOf('Name')) })).toBe(422)
      const seeing = { adhoc_filters: [{ expressionType: 'SQL', sqlExpression: "Name LIKE 'a%'", clause: 'WHERE' }] }
      expect(await change({ json_metadata: withFilters(filterOf('Origin', seeing)) })).toBe(422)
      expect(await change({ roles: [role.Gamma, role.Alpha] })).toBe(422)
      expect(await change({ roles: [], json_metadata: withFilters() })).toBe(200)
    })

    it('refuses to restore an earlier version with a filter that the current roles would open', async () => {
      const { id } = await make('gamma', { published: true, json_metadata: withFilters(filterOf('Name')) })
      expect(await put('gamma', `dashboard/${id}`, { json_metadata: withFilters() })).toBe(200)
      expect(await put('admin', `dashboard/${id}`, { roles: [role.Gamma] })).toBe(200)
      const answers = await Promise.all(
        [1, 2, 3].map((n) => cars.server.as('gamma').post(`/api/v1/dashboard/${id}/versions/${n}/restore`, {})),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toContain(422)
      expect(await namesBy(id)).toBe(403)
    })

    it('checks a restore from the trash like a creation', async () => {
      const restore = async (user: TestUser, kind: string, id: number) =>
        (await cars.server.as(user).post(`/api/v1/trash/${kind}/${id}/restore`, {})).statusCode
      const remove = async (user: TestUser, path: string) =>
        expect((await cars.server.as(user).delete(`/api/v1/${path}`)).statusCode).toBe(200)
      const body = { published: true, owners: [ids.gamma], roles: [role.Gamma] }
      const filtered = await make('admin', { ...body, json_metadata: withFilters(filterOf('Name')) })
      await remove('gamma', `dashboard/${filtered.id}`)
      expect(await restore('gamma', 'dashboard', filtered.id)).toBe(422)
      expect(await namesBy(filtered.id)).not.toBe(200)
      expect(await restore('admin', 'dashboard', filtered.id)).toBe(200)
      expect(await namesBy(filtered.id)).toBe(200)

      const own = await chart([ids.gamma])
      const showing = await make('admin', { ...body, json_metadata: withChart(own) })
      await remove('gamma', `chart/${own}`)
      expect(await restore('gamma', 'chart', own)).toBe(422)
      await remove('gamma', `dashboard/${showing.id}`)
      expect(await restore('gamma', 'dashboard', showing.id)).toBe(200)
      expect(await restore('gamma', 'chart', own)).toBe(422)
      expect(await restore('admin', 'chart', own)).toBe(200)
    })

    it('refuses a bundle that overwrites a dashboard with roles or a chart on it', async () => {
      const { db } = cars.server.deps
      const kept = await chart([ids.gamma])
      const uuidOf = async (table: 'dashboard' | 'chart' | 'dataset', id: number) =>
        (await db.selectFrom(table).select('uuid').where('id', '=', id).executeTakeFirstOrThrow()).uuid
      const opened = await make('admin', { published: true, owners: [ids.gamma], roles: [role.Gamma] })
      const [dashboard, chartUuid, dataset] = await Promise.all([
        uuidOf('dashboard', opened.id),
        uuidOf('chart', kept),
        uuidOf('dataset', cars.dataset),
      ])
      const home = await db
        .selectFrom('dataset')
        .innerJoin('database', 'database.id', 'database_id')
        .select(['database.uuid', 'database_name', 'table_name'])
        .where('dataset.id', '=', cars.dataset)
        .executeTakeFirstOrThrow()
      const targets = [{ datasetUuid: dataset, column: { name: 'Name' } }]
      const filters = [{ id: 'NATIVE_FILTER-x', type: 'NATIVE_FILTER', filterType: 'filter_select', targets }]
      const tile = { id: 'CHART-1', type: 'CHART', children: [], meta: { chartId: 1, uuid: chartUuid } }
      const bundle = (more: object, position: object = {}) => ({
        metadata: { version: '1.0.0', type: 'Dashboard' as const, timestamp: '' },
        files: new Map<string, Record<string, unknown>>([
          ['databases/d.yaml', { database_name: home.database_name, uuid: home.uuid, sqlalchemy_uri: 'duckdb://' }],
          ['datasets/d/t.yaml', { table_name: home.table_name, uuid: dataset, database_uuid: home.uuid }],
          ['charts/c.yaml', { slice_name: 'c', viz_type: 'table', uuid: chartUuid, dataset_uuid: dataset, params: {} }],
          ['dashboards/b.yaml', { dashboard_title: 'Cars', published: true, uuid: dashboard, position, ...more }],
        ]),
      })
      const importAs = async (what: ReturnType<typeof bundle>, user: 'gamma' | 'admin') => {
        const principal = await loadPrincipalById(db, ids[user])
        const options = { authorId: ids[user], principal: principal!, at: '2026-01-01T00:00:00.000', overwrite: true }
        return importBundle(db, what, options)
      }
      const filtering = bundle({ metadata: { native_filter_configuration: filters } })
      await expect(importAs(filtering, 'gamma')).rejects.toThrow(/you do not have access to all of it/)
      await expect(importAs(bundle({}, { 'CHART-1': tile }), 'gamma')).rejects.toThrow(
        /you do not have access to all of it/,
      )
      expect(await namesBy(opened.id)).toBe(403)
      await importAs(bundle({ css: 'a {}' }), 'gamma')
      await importAs(filtering, 'admin')
      expect(await namesBy(opened.id)).toBe(200)
    })
  })

  describe('a dashboard that the user may not see', () => {
    let secret: number
    let shown: number
    beforeEach(async () => {
      shown = await chart()
      secret = (await make('admin', { dashboard_title: 'Layoffs', json_metadata: withChart(shown) })).id
    })

    it('regression: its title and settings do not appear in chart responses', async () => {
      const { db } = cars.server.deps
      await db.insertInto('dataset_owner').values({ dataset_id: cars.dataset, user_id: ids.gamma }).execute()
      const gamma = cars.server.as('gamma')
      const columns = '(columns:!(id,dashboards.id,dashboards.dashboard_title))'
      for (const path of [`chart/${shown}`, 'chart/', `chart/?q=${columns}`, `explore/?slice_id=${shown}`]) {
        const response = await gamma.get(`/api/v1/${path}`)
        expect(response.statusCode, path).toBe(200)
        expect(response.body, path).not.toContain('Layoffs')
      }
      expect((await cars.server.as('admin').get(`/api/v1/chart/${shown}`)).body).toContain('Layoffs')
      await db.deleteFrom('dataset_owner').where('user_id', '=', ids.gamma).execute()
    })

    it('returns 404 for every request that names it', async () => {
      const before = await cars.server.as('admin').post(`/api/v1/dashboard/${secret}/permalink`, {})
      const { key } = before.json<{ key: string }>()
      const states = `/api/v1/dashboard/${secret}/filter_state`
      const kept = await cars.server.as('admin').post(states, { value: '{}' })
      const paths = ['', '/charts', '/datasets', '/tabs', '/versions/', '/versions/1', '/filtersets']
      for (const user of ['gamma', 'nobody'] as const) {
        const client = cars.server.as(user)
        for (const path of [
          ...paths.map((path) => `/api/v1/dashboard/${secret}${path}`),
          `/api/v1/dashboard/permalink/${key}`,
          `${states}/${kept.json<{ key: string }>().key}`,
        ]) {
          const { statusCode, body } = await client.get(path)
          expect(user === 'gamma' ? [404] : [401, 404], `${user} ${path}`).toContain(statusCode)
          expect(body).not.toContain('Layoffs')
        }
        for (const [path, body] of [
          ['data', { charts: [{ id: shown }] }],
          ['permalink', {}],
          ['filter_state', { value: '{}' }],
          ['favorites/', {}],
          ['copy/', { dashboard_title: 'x', json_metadata: '{}' }],
        ] as const) {
          const response = await client.post(`/api/v1/dashboard/${secret}/${path}`, body)
          expect(user === 'gamma' ? [404] : [401, 404], `${user} ${path}`).toContain(response.statusCode)
        }
      }
    })
  })

  it('regression: a slug that an address would take for an id is refused', async () => {
    const alpha = cars.server.as('alpha')
    const refused = await alpha.post('/api/v1/dashboard/', { dashboard_title: 'Year', slug: '2026' })
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('digits alone')])
    const { id } = await make('alpha', { dashboard_title: 'Year', slug: ' Year 2026! ' })
    expect((await alpha.get('/api/v1/dashboard/Year-2026')).json()).toMatchObject({ result: { id, slug: 'Year-2026' } })
  })

  it('regression: a slug that equals the uuid of another dashboard does not hide that dashboard', async () => {
    const uuid = randomUUID()
    const fake = await make('alpha', { dashboard_title: 'Fake', slug: uuid })
    const real = await make('admin', { dashboard_title: 'Real', uuid })
    const idOf = async (user: TestUser) => {
      const response = await cars.server.as(user).get(`/api/v1/dashboard/${uuid}`)
      return response.json<{ result?: { id: number } }>().result?.id
    }
    expect([fake.status, real.status]).toEqual([201, 201])
    expect(await idOf('admin')).toBe(real.id)
    expect(await idOf('alpha'), 'nor for who may not see that one').toBeUndefined()
  })

  it('regression: a request for the same chart thousands of times is refused', async () => {
    const id = await chart()
    const board = await make('admin', { json_metadata: withChart(id) })
    const ask = (times: number) =>
      cars.server
        .as('admin')
        .post(`/api/v1/dashboard/${board.id}/data`, { charts: Array.from({ length: times }, () => ({ id })) })
    expect((await ask(2)).statusCode).toBe(200)
    expect((await ask(2001)).statusCode).toBe(400)
  })

  it('regression: one of two concurrent saves fails with a conflict', async () => {
    const { db, now, settings } = cars.server.deps
    const { id } = await make('admin', {})
    const principal = (await loadPrincipalById(db, ids.admin)) as Principal
    const row = (await db
      .selectFrom('dashboard')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()) as DashboardRow
    const event = { action: 'x', user_id: ids.admin, dashboard_id: null, slice_id: null, json: {}, isWritten: false }
    const context = {
      db,
      principal,
      dashboardRoles: true,
      viewerData: { dashboards: true, charts: false },
      now: now(),
      hasTags: true,
      linkQuotaMb: 0,
      settings,
      event,
    }
    const save = (dashboard_title: string) =>
      updateDashboard(context, row, { dashboard_title, changed_on: row.changed_on })
    // Both have read the dashboard before either writes.
    const both = await Promise.allSettled([save('One'), save('Other')])
    expect(both.map(({ status }) => status).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
  })
})
