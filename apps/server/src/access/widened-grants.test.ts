import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importBundle } from '../bundle/import-bundle.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { addChart as addViewedChart } from '../chart/viewer-queries/viewed-charts.testing.ts'
import type { TestUser } from '../testing.ts'
import { loadPrincipal } from './load-principal.ts'

const rowCount = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }
const allScope = { rootPath: ['ROOT_ID'], excluded: [] as number[] }

let cars: CarsServer
/** A dataset that gamma may read, unlike the cars. */
let own: number
/** Charts: of the cars, and of the own dataset. */
let pie: number
let mine: number
let dashboard: number
let gammaId: number
let gammaRole: number

const send = async (user: TestUser, method: 'POST' | 'PUT', path: string, payload: object) => {
  const response = await cars.server.as(user).send(method, path, { payload, headers: {} })
  return { status: response.statusCode, body: response.body, id: (response.json() as { id: number }).id }
}
const put = async (path: string, body: object, user: TestUser = 'gamma') =>
  (await send(user, 'PUT', `/api/v1/${path}`, body)).status
const admin = async (path: string, body: object) => expect(await put(path, body, 'admin')).toBe(200)

const pieForm = { viz_type: 'pie', groupby: ['Origin'], metric: rowCount, row_limit: 10 }
const ownForm = { viz_type: 'table', query_mode: 'raw', all_columns: ['one'], row_limit: 10 }
const addChart = (name: string, dataset: number, form: { viz_type: string }) =>
  addViewedChart(cars, name, form, dataset)

/** Metadata with the layout: each chart in its own tab. */
function metadata(charts: readonly number[], filters: object[] = [], more: object = {}): { json_metadata: string } {
  const node = (id: string, type: string, children: string[], meta: object = {}) => [id, { id, type, children, meta }]
  const positions = Object.fromEntries([
    node('ROOT_ID', 'ROOT', ['TABS-1']),
    node(
      'TABS-1',
      'TABS',
      charts.map((id) => `TAB-${id}`),
    ),
    ...charts.flatMap((id) => [
      node(`TAB-${id}`, 'TAB', [`CHART-${id}`], { text: String(id) }),
      node(`CHART-${id}`, 'CHART', [], { chartId: id, width: 4, height: 50 }),
    ]),
  ]) as object
  return { json_metadata: JSON.stringify({ positions, native_filter_configuration: filters, ...more }) }
}
const filter = (filterType: string, targets: object[] = [], scope: object = allScope) => ({
  id: `NATIVE_FILTER-${filterType}`,
  type: 'NATIVE_FILTER',
  filterType,
  name: filterType,
  targets,
  scope,
})
const show = (...args: Parameters<typeof metadata>) =>
  admin(`dashboard/${dashboard}`, { published: true, ...metadata(...args) })

beforeAll(async () => {
  cars = await startCarsServer({ settings: { flags: { DASHBOARD_RBAC: true } } })
  const { db } = cars.server.deps
  gammaId = (await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()).id
  gammaRole = (await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()).id
  const { database_id: database } = await db
    .selectFrom('dataset')
    .select('database_id')
    .where('id', '=', cars.dataset)
    .executeTakeFirstOrThrow()
  const virtual = { database, table_name: 'own', sql: 'SELECT 1 AS one' }
  own = (await send('admin', 'POST', '/api/v1/dataset/', virtual)).id
  await send('admin', 'POST', `/api/v1/dataset/${own}/access`, { subject: subjectId('user', gammaId) })
  pie = await addChart('pie', cars.dataset, pieForm)
  mine = await addChart('mine', own, ownForm)
  await admin(`chart/${mine}`, { owners: [gammaId] })
  dashboard = (await send('admin', 'POST', '/api/v1/dashboard/', { dashboard_title: 'Cars' })).id
  await admin(`dashboard/${dashboard}`, { roles: [gammaRole], owners: [gammaId] })
  await show([pie, mine])
})
afterAll(() => cars?.close())

describe('layers of charts whose data the owner may not read', () => {
  const sql = [{ expressionType: 'SQL', clause: 'WHERE', sqlExpression: "Name LIKE 'ford%'" }]
  const layer = (overrides: object, value: unknown = pie) => ({
    name: 'x',
    annotationType: 'EVENT',
    sourceType: 'table',
    value,
    show: true,
    overrides,
  })
  const context = (overrides: object, value: unknown = pie) => ({
    query_context: JSON.stringify({
      datasource: { id: own, type: 'table' },
      queries: [{ columns: ['one'], metrics: [], annotation_layers: [layer(overrides, value)] }],
    }),
  })
  const params = (form: object) => ({ params: JSON.stringify({ ...ownForm, datasource: `${own}__table`, ...form }) })

  it('are not added, wherever a chart stores them', async () => {
    const bodies = [
      context({ adhoc_filters: sql }),
      context({}),
      context({}, String(pie)),
      context({}, 999_999),
      params({ annotation_layers: [layer({ adhoc_filters: sql })] }),
      params({ annotation_layers: [{ ...layer({}), show: false }] }),
      { viz_type: 'line_multi', ...params({ line_charts: [pie], adhoc_filters: sql }) },
      { viz_type: 'deck_multi', ...params({ deck_slices: [String(pie)] }) },
      { viz_type: 'deck_multi', ...params({ deck_slices: pie }) },
    ]
    for (const body of bodies) expect(await put(`chart/${mine}`, body), JSON.stringify(body)).toBe(422)
    const refused = await send('gamma', 'PUT', `/api/v1/chart/${mine}`, context({}))
    expect(refused.body).toContain('The chart draws data of other charts')
    const chart = { slice_name: 'new', viz_type: 'table', datasource_id: own, datasource_type: 'table' }
    expect((await send('gamma', 'POST', '/api/v1/chart/', { ...chart, ...context({}) })).status).toBe(422)
  })

  it('stay while they are unchanged, and keep their settings', async () => {
    const layers = { annotation_layers: [layer({ time_range: null })] }
    await admin(`chart/${mine}`, { ...params({ ...layers, time_range: 'Last week' }), query_context: null })
    const changed = { ...layers, time_range: 'Last week', note: 1 }
    // The dashboard shows the chart, whose own data gamma may read.
    expect(await put(`chart/${mine}`, { slice_name: 'renamed', ...params(changed) })).toBe(200)
    expect(await put(`chart/${mine}`, params({ ...changed, time_range: 'Last year' }))).toBe(422)
    expect(await put(`chart/${mine}`, params({ annotation_layers: [layer({ adhoc_filters: sql })] }))).toBe(422)
    expect(await put(`chart/${mine}`, params({}))).toBe(200)
  })

  it('replace only time settings, even for those with access to their data', async () => {
    const second = await addChart('second', own, ownForm)
    expect(await put(`chart/${mine}`, context({ time_range: 'Last week', time_shift: '1 year' }, second))).toBe(200)
    const { status, body } = await send(
      'gamma',
      'PUT',
      `/api/v1/chart/${mine}`,
      context({ adhoc_filters: sql }, second),
    )
    expect([status, body]).toEqual([422, expect.stringContaining('time range, time grain and time shift')])
    await admin(`chart/${mine}`, { ...params({}), query_context: null })
  })

  it('do not come to a dashboard with a chart', async () => {
    const layered = await addChart('layered', own, { ...ownForm, annotation_layers: [layer({})] } as typeof ownForm)
    await admin(`chart/${layered}`, { owners: [gammaId] })
    expect(await put(`chart/${layered}`, { dashboards: [dashboard] })).toBe(422)
  })
})

describe('with VIEWER_PROMISCUOUS_MODE', () => {
  const wide = () => ({
    query_context: JSON.stringify({
      datasource: { id: cars.dataset, type: 'table' },
      queries: [{ columns: ['Name', 'Horsepower'], metrics: [], row_limit: 10 }],
    }),
  })
  const viewers = () => ({ viewers: [subjectId('user', gammaId)] })
  let hidden: number
  beforeAll(async () => {
    hidden = await addChart('hidden', cars.dataset, pieForm)
    await admin(`chart/${hidden}`, { owners: [gammaId] })
  })
  const inMode = async (work: () => Promise<void>) => {
    const { config } = cars.server.deps.settings
    config.VIEWER_PROMISCUOUS_MODE = true
    try {
      await work()
    } finally {
      config.VIEWER_PROMISCUOUS_MODE = false
    }
  }

  it('owners without access add no viewers', async () => {
    await inMode(async () => {
      expect(await put(`chart/${hidden}`, viewers())).toBe(422)
      expect(await put(`chart/${hidden}`, { ...viewers(), ...wide() })).toBe(422)
      expect(await put(`chart/${mine}`, viewers())).toBe(200)
      await admin(`chart/${mine}`, { viewers: [] })
    })
    expect(await put(`chart/${hidden}`, viewers())).toBe(200)
  })

  it('owners without access do not change what viewers of a chart read, in either mode', async () => {
    await admin(`chart/${hidden}`, viewers())
    const change = async () => {
      expect(await put(`chart/${hidden}`, wide())).toBe(422)
      expect(await put(`chart/${hidden}`, { params: JSON.stringify({ ...pieForm, groupby: ['Name'] }) })).toBe(422)
      expect(await put(`chart/${hidden}`, { slice_name: 'renamed', certified_by: 'me' })).toBe(200)
    }
    await change()
    await inMode(change)
  })

  it('copies no charts of data that the caller may not read', async () => {
    const body = { dashboard_title: 'copy', duplicate_slices: true, json_metadata: '{}' }
    const copy = (more: object = {}, user: TestUser = 'gamma') =>
      send(user, 'POST', `/api/v1/dashboard/${dashboard}/copy/`, { ...body, ...more })
    await admin(`chart/${pie}`, viewers())
    const refused = await copy()
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('without duplicating')])
    expect((await copy({ duplicate_slices: false })).status).toBe(200)
    expect((await copy({}, 'admin')).status).toBe(200)
    await admin(`chart/${pie}`, { viewers: [] })
  })
})

describe('filters of a dashboard whose data the owner may not read', () => {
  const change = (...args: Parameters<typeof metadata>) => put(`dashboard/${dashboard}`, metadata(...args))
  const onTab = (chart: number) => ({ rootPath: [`TAB-${chart}`], excluded: [] })
  const crossOf = (scope: object) => ({ global_chart_configuration: { scope, chartsInScope: [] } })

  it('are not added, of any type', async () => {
    await show([pie, mine])
    for (const type of ['filter_groupby', 'filter_time', 'filter_timecolumn', 'filter_timegrain', 'filter_select'])
      expect(await change([pie, mine], [filter(type)]), type).toBe(422)
    const target = { datasetId: own, column: { name: 'Name' } }
    expect(await change([pie, mine], [filter('filter_select', [target])])).toBe(422)
    // A filter of the chart alone whose data gamma may read.
    expect(await change([pie, mine], [filter('filter_time', [], onTab(mine))])).toBe(200)
    const filters = { modified: [filter('filter_time')] }
    expect(await put(`dashboard/${dashboard}/filters`, filters)).toBe(422)
  })

  it('keep their type, targets and scope', async () => {
    await show([pie, mine], [filter('filter_time', [], onTab(mine))])
    expect(await change([pie, mine], [filter('filter_time')])).toBe(422)
    expect(await change([pie, mine], [filter('filter_time', [], { rootPath: ['ROOT_ID'], excluded: [mine] })])).toBe(
      422,
    )
    await show([pie, mine], [filter('filter_time')])
    expect(await change([pie, mine], [{ ...filter('filter_time'), filterType: 'filter_groupby' }])).toBe(422)
    expect(await change([pie, mine], [{ ...filter('filter_time'), name: 'renamed', description: 'x' }])).toBe(200)
    expect(await change([pie, mine], [])).toBe(200)
  })

  it('do not come from charts: by cross-filters, or by charts that are added', async () => {
    await show([pie, mine], [], crossOf({ rootPath: ['ROOT_ID'], excluded: [pie] }))
    expect(await change([pie, mine], [], crossOf(allScope))).toBe(422)
    const chart_configuration = { [mine]: { id: mine, crossFilters: { scope: allScope, chartsInScope: [pie] } } }
    const narrow = crossOf({ rootPath: ['ROOT_ID'], excluded: [pie] })
    expect(await change([pie, mine], [], { ...narrow, chart_configuration })).toBe(422)
    await show([pie, mine], [], { cross_filters_enabled: false })
    expect(await change([pie, mine], [], { cross_filters_enabled: true })).toBe(422)
    const other = await addChart('other', own, ownForm)
    await admin(`chart/${other}`, { owners: [gammaId] })
    await show([pie, mine])
    expect(await change([pie, mine, other])).toBe(422)
    expect(await put(`chart/${other}`, { dashboards: [dashboard] })).toBe(422)
  })

  it('leave everything else to the owner, and all to those with access', async () => {
    await show([pie, mine], [filter('filter_time')])
    const same = [filter('filter_time')]
    expect(await put(`dashboard/${dashboard}`, { dashboard_title: 'New', css: '.a {}', certified_by: 'me' })).toBe(200)
    // Moved tabs, and a chart less.
    expect(await change([mine, pie], same, { color_scheme: 'd3Category10' })).toBe(200)
    expect(await change([mine], same)).toBe(200)
    const body = metadata([pie, mine], [filter('filter_groupby'), filter('filter_timecolumn')])
    const { db } = cars.server.deps
    const alpha = await db.selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()
    await admin(`dashboard/${dashboard}`, { owners: [gammaId, alpha.id] })
    expect(await put(`dashboard/${dashboard}`, body)).toBe(422)
    expect(await put(`dashboard/${dashboard}`, body, 'alpha')).toBe(200)
  })
})

describe('what an owner without access to the data brings back', () => {
  const layer = { name: 'x', annotationType: 'EVENT', sourceType: 'table', show: true, overrides: {} }
  const withLayer = () =>
    JSON.stringify({ ...ownForm, datasource: `${own}__table`, annotation_layers: [{ ...layer, value: pie }] })
  const restore = async (kind: 'chart' | 'dashboard', id: number, user: TestUser) =>
    (await send(user, 'POST', `/api/v1/trash/${kind}/${id}/restore`, {})).status
  const remove = async (path: string, user: TestUser) =>
    (await cars.server.as(user).send('DELETE', `/api/v1/${path}`, { headers: {} })).statusCode

  it('is checked like what they add: a chart from the trash that draws others', async () => {
    await show([pie])
    await admin(`chart/${mine}`, { params: withLayer(), query_context: null })
    expect(await remove(`chart/${mine}`, 'gamma')).toBe(200)
    expect(await restore('chart', mine, 'gamma')).toBe(422)
    expect(await restore('chart', mine, 'admin')).toBe(200)
    await admin(`chart/${mine}`, { params: JSON.stringify({ ...ownForm, datasource: `${own}__table` }) })
    expect(await remove(`chart/${mine}`, 'gamma')).toBe(200)
    expect(await restore('chart', mine, 'gamma')).toBe(200)
  })

  it('is checked like what they add: a dashboard from the trash that shows other data', async () => {
    await show([pie, mine])
    expect(await remove(`dashboard/${dashboard}`, 'gamma')).toBe(200)
    expect(await restore('dashboard', dashboard, 'gamma')).toBe(422)
    expect(await restore('dashboard', dashboard, 'admin')).toBe(200)
    await show([mine])
    expect(await remove(`dashboard/${dashboard}`, 'gamma')).toBe(200)
    expect(await restore('dashboard', dashboard, 'gamma')).toBe(200)
  })

  it('is checked like what they add: a chart of a bundle that draws others', async () => {
    await show([pie])
    const { db } = cars.server.deps
    const { uuid, dataset_uuid, database_uuid } = await db
      .selectFrom('chart')
      .innerJoin('dataset', 'dataset.id', 'datasource_id')
      .innerJoin('database', 'database.id', 'database_id')
      .select(['chart.uuid', 'dataset.uuid as dataset_uuid', 'database.uuid as database_uuid'])
      .where('chart.id', '=', mine)
      .executeTakeFirstOrThrow()
    const other = await db.selectFrom('chart').select('uuid').where('id', '=', pie).executeTakeFirstOrThrow()
    const load = async (username: TestUser, params: string) => {
      const user = await db.selectFrom('user').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
      const principal = await loadPrincipal(db, user)
      const files = {
        'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: database_uuid },
        'datasets/d/own.yaml': { table_name: 'own', uuid: dataset_uuid, database_uuid, columns: [], metrics: [] },
        'charts/a.yaml': {
          slice_name: 'a',
          viz_type: 'table',
          uuid,
          dataset_uuid,
          params: JSON.parse(params) as object,
        },
        // Numbers of charts mean charts of the bundle.
        [`charts/other_${pie}.yaml`]: {
          slice_name: 'other',
          viz_type: 'pie',
          uuid: other.uuid,
          dataset_uuid,
          params: {},
        },
      }
      const metadata = { version: '1.0.0', type: 'Slice', timestamp: '2026-01-02T03:04:05.000+00:00' } as const
      const options = { authorId: user.id, principal, at: '2026-01-01T00:00:00.000', overwrite: true }
      const only = new Set(['charts/a.yaml'])
      await importBundle(db, { metadata, files: new Map(Object.entries(files)) }, { ...options, only })
    }
    await expect(load('gamma', withLayer())).rejects.toThrow('The chart draws data of other charts')
    await load('gamma', JSON.stringify(ownForm))
    await load('admin', withLayer())
    await load('gamma', withLayer())
  })
})
