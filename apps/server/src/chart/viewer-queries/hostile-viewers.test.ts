import { buildQueryContext, drillBy, loadStoredForm, withFilters } from '@parquetry/charts'
import { subjectId, type QueryObject } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../testing.ts'
import { addChart, placeCharts } from './viewed-charts.testing.ts'

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }
const names = { expressionType: 'SIMPLE', aggregate: 'COUNT_DISTINCT', column: { column_name: 'Name' }, label: 'names' }
const early = {
  expressionType: 'SIMPLE',
  clause: 'WHERE',
  subject: 'Year',
  operator: 'TEMPORAL_RANGE',
  comparator: '1970-01-01 : 1971-01-01',
}
const notX = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'Name', operator: '!=', comparator: 'x' }
const pie = { viz_type: 'pie', groupby: ['Origin'], metric: count, row_limit: 10 }
const forms: Record<string, { viz_type: string; [field: string]: unknown }> = {
  pie: { ...pie, adhoc_filters: [] },
  ranged: { ...pie, granularity_sqla: 'Year', adhoc_filters: [early] },
  rangedTable: {
    viz_type: 'table',
    query_mode: 'aggregate',
    groupby: ['Origin'],
    metrics: [count],
    row_limit: 10,
    granularity_sqla: 'Year',
    time_range: '1970-01-01 : 1971-01-01',
    adhoc_filters: [],
  },
  rangedLine: {
    viz_type: 'echarts_timeseries_line',
    x_axis: 'Year',
    time_grain_sqla: 'P1Y',
    metrics: [count],
    groupby: [],
    row_limit: 100,
    granularity_sqla: 'Year',
    adhoc_filters: [early],
  },
  unique: { viz_type: 'big_number_total', metric: names, adhoc_filters: [] },
  masked: { ...pie, adhoc_filters: [notX] },
  byPower: { ...pie, groupby: ['Horsepower'] },
  paged: {
    viz_type: 'table',
    query_mode: 'raw',
    all_columns: ['Origin'],
    server_pagination: true,
    server_page_length: 10,
    adhoc_filters: [notX],
  },
}
const native = (id: string, targets: object[], more: object = {}) => ({
  id: `NATIVE_FILTER-${id}`,
  type: 'NATIVE_FILTER',
  filterType: 'filter_select',
  name: id,
  targets,
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
  ...more,
})

let cars: CarsServer
let dashboard: number
let role: number
let user: number
const charts: Record<string, number> = {}
const formOf = (name: string) => ({ ...forms[name]!, datasource: `${cars.dataset}__table` })
const place = (name: string) => ({ slice_id: charts[name], dashboardId: dashboard })

async function put(path: string, body: object): Promise<void> {
  const response = await cars.server.as('admin').put(path, body)
  expect(response.statusCode, response.body).toBe(200)
}

/** Places only these charts and filters on the dashboard. */
async function show(shown: string[], filters: object[] = []): Promise<void> {
  const positions = placeCharts(shown.map((name) => charts[name]!))
  const metadata = { positions, native_filter_configuration: filters, cross_filters_enabled: true }
  await put(`/api/v1/dashboard/${dashboard}`, {
    published: true,
    roles: [role],
    json_metadata: JSON.stringify(metadata),
  })
}

async function buildContext(name: string, extra: Record<string, unknown> | null = null) {
  const { chart, form } = (await loadStoredForm({ ...formOf(name), ...place(name) }))!
  return buildQueryContext(chart, withFilters(form, extra ? [extra] : []))
}
type Context = Awaited<ReturnType<typeof buildContext>>

const ask = async (payload: object) => (await cars.server.as('gamma').post('/api/v1/chart/data', payload)).statusCode
const change = (context: Context, by: (query: QueryObject) => object) => ({
  ...context,
  queries: context.queries.map((query) => ({ ...query, ...by(query) })),
})
const withFilter = (context: Context, filter: object) =>
  change(context, ({ filters }) => ({ filters: [...(filters ?? []), filter] }))

async function createChart(name: string, form: { viz_type: string }, dataset = cars.dataset): Promise<void> {
  charts[name] = await addChart(cars, name, form, dataset)
}

beforeAll(async () => {
  cars = await startCarsServer({ settings: { flags: { DASHBOARD_RBAC: true, DRILL_BY: true } } })
  for (const [name, form] of Object.entries(forms)) await createChart(name, form)
  const made = await cars.server.as('admin').post('/api/v1/dashboard/', { dashboard_title: 'Cars' })
  dashboard = made.json<{ id: number }>().id
  const { db } = cars.server.deps
  role = (await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()).id
  user = (await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()).id
})
afterAll(() => cars?.close())

describe('a viewer without access to the dataset cannot read more', () => {
  it.each(['ranged', 'rangedTable', 'rangedLine'])('by removing the saved time range of %s', async (name) => {
    const time = native('time', [{}], { filterType: 'filter_time' })
    for (const filters of [[], [time]]) {
      await show([name], filters)
      const context = await buildContext(name)
      expect(await ask(context)).toBe(200)
      const sent: object[] = [
        { time_range: '' },
        { time_range: '', applied_time_extras: { __time_range: '' } },
        { applied_time_extras: { __time_range: '' }, time_range: '1900-01-01 : 2000-01-01' },
        { granularity: '' },
        { granularity: 'Name', applied_time_extras: { __time_col: '' } },
        { extras: { time_grain_sqla: 'P1D' }, applied_time_extras: { __time_grain: '' } },
      ]
      for (const changes of filters.length > 0 ? sent.slice(0, 2) : sent)
        expect([changes, await ask(change(context, () => changes))]).toEqual([changes, 403])
    }
  })

  it('by drilling, with conditions, other times and no limit', async () => {
    const drill = async (name: string, column: string) => {
      const columns = [{ column_name: column, is_dttm: false }]
      const drilled = await drillBy({ ...formOf(name), ...place(name) }, [], column, { columns, metrics: [] } as never)
      const context = buildQueryContext(drilled!.chart, drilled!.form)
      return { ...context, datasource: { id: cars.dataset, type: 'table' as const } }
    }
    await show(['pie', 'byPower'], [native('power', [{ datasetId: cars.dataset, column: { name: 'Horsepower' } }])])
    const context = await drill('pie', 'Horsepower')
    const refused = [
      await ask(context),
      await ask(change(context, ({ extras }) => ({ extras: { ...extras, having: "MAX(Name) LIKE 'v%'" } }))),
      await ask(change(context, () => ({ row_limit: 0 }))),
      await ask(change(context, () => ({ time_range: '1900-01-01 : 2000-01-01' }))),
    ]
    await show(['unique'])
    expect([...refused, await ask(await drill('unique', 'Name'))]).toEqual([403, 403, 403, 403, 403])
  })

  it('by filters of the columns of a metric or a saved filter', async () => {
    await show(['pie', 'unique', 'masked', 'byPower'])
    const context = await buildContext('pie')
    expect(await ask(withFilter(context, { col: 'Horsepower', op: '>=', val: 100 })), 'a dimension').toBe(200)
    expect(await ask(withFilter(context, { col: 'Name', op: '>=', val: 'm' }))).toBe(403)
    await show(['paged'])
    const paged = await buildContext('paged')
    expect(await ask(withFilter(paged, { col: 'Origin', op: 'ILIKE', val: 'u%' })), 'a column').toBe(200)
    expect(await ask(withFilter(paged, { col: 'Name', op: 'ILIKE', val: 'ford p%' }))).toBe(403)
  })

  it('by a group-by filter of another dataset', async () => {
    const extra = { interactive_groupby: ['Name'] }
    for (const [targets, expected] of [
      [[], 403],
      [[{ datasetId: cars.dataset + 1000 }], 403],
      [[{ datasetId: cars.dataset }], 200],
    ] as const) {
      await show(['pie'], [native('group', [...targets], { filterType: 'filter_groupby' })])
      expect([targets, await ask(await buildContext('pie', extra))]).toEqual([targets, expected])
    }
  })

  it('by changing a chart of another dataset on the dashboard, or a filter of one', async () => {
    const { db } = cars.server.deps
    const { database_id } = await db
      .selectFrom('dataset')
      .select('database_id')
      .where('id', '=', cars.dataset)
      .executeTakeFirstOrThrow()
    const admin = cars.server.as('admin')
    const body = { database: database_id, table_name: 'own', sql: 'SELECT 1 AS one, 2 AS Name' }
    const own = (await admin.post('/api/v1/dataset/', body)).json<{ id: number }>().id
    await admin.post(`/api/v1/dataset/${own}/access`, { subject: subjectId('user', user) })
    const sql = { label: 'x', sqlExpression: "Name LIKE 'ford%'", expressionType: 'SQL' }
    const form = { viz_type: 'table', query_mode: 'raw', all_columns: ['one'], row_limit: 10 }
    await createChart('mine', form, own)
    await put(`/api/v1/chart/${charts['mine']}`, { owners: [user] })
    await show(['pie', 'mine'])
    const params = JSON.stringify({
      ...form,
      all_columns: ['one', 'Name', 'Origin', sql],
      note: ['Year'],
      datasource: `${own}__table`,
    })
    const edited = await cars.server.as('gamma').put(`/api/v1/chart/${charts['mine']}`, { params })
    expect(edited.statusCode, edited.body).toBe(200)
    const context = await buildContext('pie')
    const filtered = (col: unknown, op: string, val: unknown) => ask(withFilter(context, { col, op, val }))
    expect(await filtered('Name', '>=', 'm'), 'by name').toBe(403)
    expect(await filtered('Year', '>=', 0), 'by a name elsewhere in the form').toBe(403)
    expect(await filtered(sql, '==', true), 'by SQL').toBe(403)
    expect(await filtered('Origin', '==', 'USA'), 'by what the chart shows').toBe(200)
    expect(await filtered('one', '==', 1), 'by a column that its dataset lacks').toBe(200)

    const cylinders = native('cylinders', [{ datasetId: cars.dataset, column: { name: 'Cylinders' } }])
    const parents = { cascadeParentIds: ['NATIVE_FILTER-other', cylinders.id] }
    const origin = native('origin', [{ datasetId: cars.dataset, column: { name: 'Origin' } }], parents)
    const power = native('power', [{ datasetId: cars.dataset, column: { name: 'Horsepower' } }])
    await show(['pie'], [origin, native('other', [{ datasetId: own, column: { name: 'Name' } }]), cylinders, power])
    const values = (col: string, op: string, val: unknown) =>
      ask({
        datasource: { id: cars.dataset, type: 'table' },
        queries: [{ columns: ['Origin'], metrics: [count], filters: [{ col, op, val }], row_limit: 100 }],
        form_data: { type: 'NATIVE_FILTER', native_filter_id: origin.id, dashboardId: dashboard },
      })
    expect(await values('Cylinders', 'IN', [4]), 'of its parent').toBe(200)
    expect(await values('Name', '>=', 'v'), 'of another dataset').toBe(403)
    expect(await values('Horsepower', '>=', 100), 'of no parent').toBe(403)
  })
})
