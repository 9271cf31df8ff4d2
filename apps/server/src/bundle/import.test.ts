import type { Bundle } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../access/principal.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { importBundle } from './import-bundle.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const database = { database_name: 'lab', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) }
const dataset = (n: number, table_name: string) => ({
  table_name,
  uuid: uuid(n),
  database_uuid: uuid(1),
  columns: [],
  metrics: [],
})
const context = {
  datasource: { id: 4711, type: 'table' },
  queries: [{ columns: ['a'] }],
  form_data: { datasource: '4711__table', slice_id: 815, viz_type: 'table' },
}
const chart = (datasetNumber: number, slice_name: string) => ({
  slice_name,
  viz_type: 'table',
  uuid: uuid(4),
  dataset_uuid: uuid(datasetNumber),
  params: { viz_type: 'table', datasource: '4711__table', slice_id: 815 },
  query_context: JSON.stringify(context),
})
const place = (n: number, chartUuid: string, chartId: number) => ({
  type: 'CHART',
  id: `CHART-${n}`,
  children: [],
  meta: { uuid: chartUuid, chartId, width: 4, height: 50 },
})
const dashboard = (foreignId: number) => ({
  dashboard_title: 'Sales',
  slug: 'sales',
  uuid: uuid(5),
  position: {
    ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', id: 'GRID_ID', children: ['ROW-1'] },
    'ROW-1': { type: 'ROW', id: 'ROW-1', children: ['CHART-1', 'CHART-2'], meta: {} },
    'CHART-1': place(1, uuid(4), 815),
    'CHART-2': place(2, uuid(9), foreignId),
  },
  metadata: { expanded_slices: { [foreignId]: true, 815: true }, timed_refresh_immune_slices: [foreignId] },
})
const bundle = (files: Record<string, Record<string, unknown>>): Bundle => ({
  metadata: { version: '1.0.0', type: 'Dashboard', timestamp: '2026-01-02T03:04:05.000+00:00' },
  files: new Map(Object.entries(files)),
})
/** The dashboard with its chart over one of two datasets. */
const version = (datasetNumber: number, sliceName: string, foreignId = 0) =>
  bundle({
    'databases/d.yaml': database,
    'datasets/d/x.yaml': dataset(2, 'x'),
    'datasets/d/y.yaml': dataset(3, 'y'),
    'charts/a.yaml': chart(datasetNumber, sliceName),
    'dashboards/b.yaml': dashboard(foreignId),
  })

describe.each(testStores)('an import on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store })
  })
  afterAll(() => server.close())

  const load = (what: Bundle, overwrite = true) =>
    importBundle(server.deps.db, what, { authorId: null, at: '2026-01-01T00:00:00.000', overwrite })
  const readChart = () =>
    server.deps.db
      .selectFrom('chart')
      .innerJoin('dataset', 'dataset.id', 'datasource_id')
      .select(['chart.id', 'slice_name', 'table_name', 'datasource_id', 'chart.params', 'query_context'])
      .where('chart.uuid', '=', uuid(4))
      .executeTakeFirstOrThrow()

  it('leaves no ids of the other store, and a place whose chart is missing stays empty', async () => {
    await load(version(2, 'First'))
    const { id: local } = await readChart()
    // The other store used the number of a local chart for a chart that is not in the bundle.
    await load(version(2, 'First', local))
    const { datasource_id, params, query_context } = await readChart()
    expect(JSON.parse(params ?? '')).toEqual({ viz_type: 'table', datasource: `${datasource_id}__table` })
    expect(JSON.parse(query_context ?? '')).toEqual({
      ...context,
      datasource: { id: datasource_id, type: 'table' },
      form_data: { viz_type: 'table', datasource: `${datasource_id}__table` },
    })
    const { id, position_json, json_metadata } = await server.deps.db
      .selectFrom('dashboard')
      .selectAll()
      .where('uuid', '=', uuid(5))
      .executeTakeFirstOrThrow()
    const position = JSON.parse(position_json ?? '') as Record<string, { meta: Record<string, unknown> }>
    expect(position['CHART-1']!.meta).toMatchObject({ chartId: local, uuid: uuid(4) })
    expect(position['CHART-2']!.meta).toEqual({ uuid: uuid(9), width: 4, height: 50 })
    expect(JSON.parse(json_metadata ?? '')).toMatchObject({
      expanded_slices: { [local]: true },
      timed_refresh_immune_slices: [],
    })
    const charts = await server.as('admin').get(`/api/v1/dashboard/${id}/charts`)
    expect(charts.json<{ result: { id: number }[] }>().result.map((each) => each.id)).toEqual([local])
  })

  it('renews the charts of a dashboard when overwrite is chosen, and only then (C091)', async () => {
    await load(version(2, 'First'))
    await expect(load(version(3, 'Moved'), false)).rejects.toMatchObject({ code: 'unprocessable' })
    expect(await readChart()).toMatchObject({ slice_name: 'First', table_name: 'x' })
    await load(version(3, 'Moved'))
    expect(await readChart()).toMatchObject({ slice_name: 'Moved', table_name: 'y' })
    const admin = server.as('admin')
    const idOf = async (kind: 'dashboard' | 'chart' | 'dataset', of: string) =>
      (await server.deps.db.selectFrom(kind).select('id').where('uuid', '=', of).executeTakeFirstOrThrow()).id
    const removed = [
      await admin.delete(`/api/v1/dashboard/${await idOf('dashboard', uuid(5))}`),
      await admin.delete(`/api/v1/chart/${await idOf('chart', uuid(4))}`),
      await admin.delete(`/api/v1/dataset/${await idOf('dataset', uuid(2))}`),
      await admin.delete(`/api/v1/dataset/${await idOf('dataset', uuid(3))}`),
    ]
    expect(removed.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    await load(version(2, 'First'))
    expect(await readChart()).toMatchObject({ slice_name: 'First', table_name: 'x' })
  })

  describe('tags', () => {
    const tagged = (chartTags: unknown, dashboardTags: unknown = chartTags): Bundle => {
      const { metadata, files } = version(2, 'Tagged')
      const with_ = (path: string, tags: unknown) => ({ ...files.get(path), ...(tags !== undefined && { tags }) })
      return {
        metadata,
        files: new Map([
          ...files,
          ['charts/a.yaml', with_('charts/a.yaml', chartTags)],
          ['dashboards/b.yaml', with_('dashboards/b.yaml', dashboardTags)],
          ['tags.yaml', { tags: [{ tag_name: 'north', description: 'Of the north' }, { tag_name: 'unused' }] }],
        ]),
      }
    }
    const readTags = async () => {
      const { db } = server.deps
      const [chart, dashboard] = await Promise.all([
        db.selectFrom('chart_tag').innerJoin('custom_tag', 'id', 'tag_id').select('name').orderBy('name').execute(),
        db.selectFrom('dashboard_tag').innerJoin('custom_tag', 'id', 'tag_id').select('name').orderBy('name').execute(),
      ])
      return [chart, dashboard].map((rows) => rows.map(({ name }) => name))
    }

    it('are created, and replace those of charts and dashboards; without a list they stay', async () => {
      await load(tagged(['north', 'Sales', 'Sales', 'owner:1', 'a,b', ' '], ['north']))
      expect(await readTags()).toEqual([['Sales', 'north'], ['north']])
      const described = await server.deps.db.selectFrom('custom_tag').select(['name', 'description']).execute()
      expect(new Map(described.map(({ name, description }) => [name, description]))).toEqual(
        new Map([
          ['north', 'Of the north'],
          ['Sales', null],
        ]),
      )
      await load(tagged(undefined))
      expect(await readTags()).toEqual([['Sales', 'north'], ['north']])
      await load(tagged(['Sales'], []))
      expect(await readTags()).toEqual([['Sales'], []])
      await expect(load(tagged('Sales'))).rejects.toMatchObject({
        details: { 'charts/a.yaml': { tags: [expect.any(String)] } },
      })
    })

    it('need the permission to tag, and new ones the permission to write tags', async () => {
      const as = (permissions: readonly string[]): Principal => ({
        kind: 'user',
        id: null,
        username: 'tagger',
        firstName: '',
        lastName: '',
        email: '',
        roles: [],
        groups: [],
        attributes: new Map(),
        permissions: new Set(['all_datasource_access all_datasource_access', ...permissions]),
        isAdmin: false,
        guest: null,
      })
      const loadAs = (principal: Principal, more: object = {}) =>
        importBundle(server.deps.db, tagged(['Sales', 'new']), {
          authorId: null,
          at: '2026-01-01T00:00:00.000',
          overwrite: true,
          principal,
          ...more,
        })
      await load(tagged(['Sales'], []))
      await loadAs(as([]))
      expect(await readTags()).toEqual([['Sales'], []])
      await loadAs(as(['can_tag Dashboard']))
      expect(await readTags()).toEqual([['Sales'], ['Sales']])
      await loadAs(as(['can_write Tag']), { hasTags: false })
      expect(await readTags()).toEqual([['Sales'], ['Sales']])
      await loadAs(as(['can_write Tag']))
      expect(await readTags()).toEqual([
        ['Sales', 'new'],
        ['Sales', 'new'],
      ])
    })
  })

  it('regression: replacing a dataset vouches only for what it changes, and a filter names no dataset of the other store', async () => {
    const { db } = server.deps
    const { id: alpha } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'alpha')
      .executeTakeFirstOrThrow()
    const { id: admin } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
    const virtual = (change: object): Bundle => ({
      metadata: { version: '1.0.0', type: 'SqlaTable', timestamp: '' },
      files: new Map<string, Record<string, unknown>>([
        ['databases/d.yaml', database],
        ['datasets/d/v.yaml', { ...dataset(7, 'v'), sql: 'SELECT 1 AS a', ...change }],
      ]),
    })
    const replace = (change: object, authorId: number) =>
      importBundle(db, virtual(change), { authorId, at: '2026-01-01T00:00:00.000', overwrite: true })
    const authors = () =>
      db
        .selectFrom('dataset')
        .select(['sql_by_fk', 'expressions_by_fk', 'description'])
        .where('uuid', '=', uuid(7))
        .executeTakeFirst()
    await replace({}, alpha)
    await replace({ description: 'Other' }, admin)
    expect(await authors()).toEqual({ sql_by_fk: alpha, expressions_by_fk: alpha, description: 'Other' })
    await replace({ metrics: [{ metric_name: 'm', expression: 'count(*)' }] }, admin)
    expect(await authors()).toMatchObject({ sql_by_fk: alpha, expressions_by_fk: admin })
    await replace({ sql: 'SELECT 2 AS a' }, admin)
    expect(await authors()).toMatchObject({ sql_by_fk: admin })
    const filter = { id: 'f', targets: [{ datasetId: 1, column: { name: 'a' } }] }
    const filtered = { ...dashboard(0), slug: null, uuid: uuid(8), metadata: { native_filter_configuration: [filter] } }
    await load(bundle({ 'dashboards/f.yaml': filtered }))
    const row = await db
      .selectFrom('dashboard')
      .select('json_metadata')
      .where('uuid', '=', uuid(8))
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.json_metadata ?? '')).toMatchObject({
      native_filter_configuration: [{ targets: [{ column: { name: 'a' } }] }],
    })
    expect(row.json_metadata).not.toContain('datasetId')
  })

  it('hostile: references that are objects lead nowhere', async () => {
    const strange = { a: 1, toString: 1 }
    const position = { 'CHART-1': { type: 'CHART', id: 'CHART-1', children: [], meta: { uuid: strange, chartId: 1 } } }
    const filter = { id: 'f', targets: [{ datasetUuid: strange }] }
    const files = {
      'databases/d.yaml': database,
      'datasets/d/x.yaml': dataset(2, 'x'),
      'charts/a.yaml': { ...chart(2, 'Strange'), params: { datasource: strange } },
      'dashboards/s.yaml': {
        ...dashboard(0),
        slug: null,
        uuid: uuid(9),
        position,
        metadata: { native_filter_configuration: [filter] },
      },
    }
    await load(bundle(files))
    expect((await readChart()).slice_name).toBe('Strange')
  })

  it('reports a slug that another dashboard uses', async () => {
    await load(version(2, 'First'))
    const other = bundle({ 'dashboards/c.yaml': { ...dashboard(0), uuid: uuid(6) } })
    await expect(load(other)).rejects.toMatchObject({ details: { 'dashboards/c.yaml': { slug: ['Must be unique'] } } })
    expect(await server.deps.db.selectFrom('dashboard').select('id').where('uuid', '=', uuid(6)).execute()).toEqual([])
  })
})
