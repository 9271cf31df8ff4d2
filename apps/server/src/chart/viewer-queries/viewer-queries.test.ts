import { buildDownloadContext, buildQueryContext, drillBy, loadStoredForm, withFilters } from '@parquetry/charts'
import { createMessageReader } from '@parquetry/frame'
import { framesType, subjectId, type DashboardStreamHead, type QueryObject } from '@parquetry/model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant, revoke } from '../../security/grants.ts'
import { startCarsServer, type CarsServer } from '../testing.ts'
import { addChart, placeCharts } from './viewed-charts.testing.ts'

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }
const power = { expressionType: 'SIMPLE', aggregate: 'AVG', column: { column_name: 'Horsepower' }, label: 'power' }
const large = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'Cylinders', operator: '>', comparator: 4 }
const custom = { expressionType: 'SQL', clause: 'WHERE', sqlExpression: 'Horsepower > 50' }

const forms = {
  pie: {
    viz_type: 'pie',
    groupby: ['Origin'],
    metric: count,
    sort_by_metric: true,
    row_limit: 2,
    adhoc_filters: [large, custom],
  },
  line: {
    viz_type: 'echarts_timeseries_line',
    x_axis: 'Year',
    time_grain_sqla: 'P1Y',
    metrics: [power],
    groupby: ['Origin'],
    row_limit: 1000,
  },
  paged: {
    viz_type: 'table',
    query_mode: 'raw',
    all_columns: ['Origin', 'Cylinders'],
    server_pagination: true,
    server_page_length: 10,
  },
  hidden: { viz_type: 'table', query_mode: 'raw', all_columns: ['Name'], row_limit: 10 },
}
type ChartName = keyof typeof forms

const native = (id: string, filterType: string, target: object, more: object = {}) => ({
  id: `NATIVE_FILTER-${id}`,
  type: 'NATIVE_FILTER',
  filterType,
  name: id,
  targets: [target],
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
  ...more,
})

let cars: CarsServer
let dashboard: number
const charts = {} as Record<ChartName, number>
const formOf = (name: ChartName) => ({ ...forms[name], datasource: `${cars.dataset}__table` })

/** Layout and filters of the dashboard, which shows all charts but `hidden`. */
function buildMetadata(shown: readonly ChartName[] = ['pie', 'line', 'paged']): string {
  const positions = placeCharts(shown.map((name) => charts[name]))
  const data = { datasetId: cars.dataset }
  const native_filter_configuration = [
    native('origin', 'filter_select', { ...data, column: { name: 'Origin' } }, { adhoc_filters: [large] }),
    native('power', 'filter_range', { ...data, column: { name: 'Horsepower' } }),
    native('time', 'filter_time', {}),
    native('grain', 'filter_timegrain', data),
    native('column', 'filter_timecolumn', data),
  ]
  return JSON.stringify({ positions, native_filter_configuration, cross_filters_enabled: true })
}

const put = async (path: string, body: object) => {
  const response = await cars.server.as('admin').put(path, body)
  expect(response.statusCode, response.body).toBe(200)
}
const place = (name: ChartName = 'pie') => ({ slice_id: charts[name], dashboardId: dashboard })

/** The request of a client for a saved chart, with what the dashboard adds. */
async function buildContext(name: ChartName, extra: object = {}, state: Record<string, unknown> = {}) {
  const { chart, form } = (await loadStoredForm({ ...formOf(name), ...place(name) }))!
  return buildQueryContext(chart, withFilters(form, [{ ...extra }]), { state })
}
const post = (payload: object, headers: Record<string, string> = {}) =>
  cars.server.as('gamma').send('POST', '/api/v1/chart/data', { payload, headers })
const ask = async (body: object) => (await post(body)).statusCode
/** The first query of a saved chart, changed. */
async function askChanged(name: ChartName, change: (query: QueryObject) => object, more: object = {}) {
  const context = await buildContext(name)
  return ask({ ...context, queries: context.queries.map((query) => ({ ...query, ...change(query) })), ...more })
}

beforeAll(async () => {
  cars = await startCarsServer({ settings: { flags: { DASHBOARD_RBAC: true, DRILL_BY: true } } })
  const admin = cars.server.as('admin')
  for (const name of Object.keys(forms) as ChartName[]) charts[name] = await addChart(cars, name, forms[name])
  const made = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Cars' })
  dashboard = made.json<{ id: number }>().id
})
beforeEach(async () => {
  const { db } = cars.server.deps
  const gamma = await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()
  await put(`/api/v1/dashboard/${dashboard}`, { published: true, roles: [gamma.id], json_metadata: buildMetadata() })
})
afterAll(() => cars?.close())

describe('viewers of a dashboard without access to its dataset read', () => {
  it('the saved queries of its charts', async () => {
    for (const name of ['pie', 'line', 'paged'] as const)
      expect([name, await ask(await buildContext(name))]).toEqual([name, 200])
    const { result } = (await post(await buildContext('pie'))).json<{ result: { data: object[] }[] }>()
    expect(result[0]?.data).toMatchObject([{ Origin: 'USA', count: 181 }, {}])
  })

  it.each([
    ['a value', { filters: [{ col: 'Origin', op: 'IN', val: ['USA'] }] }],
    ['a range', { filters: [{ col: 'Horsepower', op: '>=', val: 100 }] }],
    ['a cross-filter', { filters: [{ col: 'Year', op: '==', val: 0, grain: 'P1Y' }] }],
    ['a time range', { time_range: '1975-01-01 : 1980-01-01' }],
    ['a time grain', { time_grain_sqla: 'P1M' }],
    ['a time column', { granularity_sqla: 'Year', time_range: '1975-01-01 : 1980-01-01' }],
  ])('them under %s that its filters set', async (_, extra) => {
    const names =
      'filters' in extra && extra.filters[0]?.col === 'Year' ? (['pie'] as const) : (['pie', 'line'] as const)
    for (const name of names) {
      const response = await post(await buildContext(name, extra))
      expect(response.statusCode, response.body).toBe(200)
    }
  })

  it('pages of a table, in any order and searched', async () => {
    const state = { currentPage: 3, pageSize: 50, sortBy: [{ key: 'Cylinders', desc: true }] }
    expect(await ask(await buildContext('paged', {}, state))).toBe(200)
    expect(await ask(await buildContext('paged', {}, { searchText: 'US', searchColumn: 'Origin' }))).toBe(200)
  })

  it('files of them, where their role allows that', async () => {
    for (const name of ['pie', 'paged'] as const) {
      const { chart, form } = (await loadStoredForm({ ...formOf(name), ...place(name) }))!
      const context = buildDownloadContext(chart, form, 'csv')
      expect(await ask(context)).toBe(200)
      await revoke(cars.server.deps.db, 'Gamma', ['can_csv', 'Superset'])
      cars.server.app.authenticator.forget()
      expect(await ask(context)).toBe(403)
      await grant(cars.server.deps.db, 'Gamma', ['can_csv', 'Superset'])
      cars.server.app.authenticator.forget()
    }
  })

  it('a query that another client stored with a chart', async () => {
    const query = { columns: ['Origin'], metrics: [power], row_limit: 5, orderby: [[power, false]] }
    const datasource = { id: cars.dataset, type: 'table' }
    const query_context = JSON.stringify({ datasource, queries: [query], result_format: 'json', result_type: 'full' })
    await put(`/api/v1/chart/${charts.pie}`, { query_context })
    const body = { datasource, queries: [query], form_data: place() }
    expect(await ask(body)).toBe(200)
    const filters = [{ col: 'Origin', op: 'IN', val: ['USA'] }]
    expect(await ask({ ...body, queries: [{ ...query, filters }] })).toBe(200)
    expect(await ask({ ...body, queries: [{ ...query, metrics: [power, count] }] })).toBe(403)
    await cars.server.deps.db.updateTable('chart').set({ query_context: null }).execute()
  })
})

describe('viewers of a dashboard without access to its dataset never read', () => {
  it.each<[string, ChartName, (query: QueryObject) => object]>([
    ['another column', 'pie', () => ({ columns: ['Name'] })],
    ['one more column', 'pie', ({ columns }) => ({ columns: [...columns!, 'Name'] })],
    ['a column in SQL', 'pie', () => ({ columns: [{ label: 'x', sqlExpression: 'Name', expressionType: 'SQL' }] })],
    ['another metric', 'line', () => ({ metrics: [{ ...power, aggregate: 'MAX' }] })],
    ['a metric in SQL', 'pie', () => ({ metrics: [{ ...count, sqlExpression: 'max(Name)' }] })],
    ['rows instead of groups', 'pie', () => ({ metrics: null })],
    ['more rows', 'pie', () => ({ row_limit: 100 })],
    ['rows without a limit', 'pie', () => ({ row_limit: 0 })],
    ['the next rows', 'pie', () => ({ row_offset: 2 })],
    ['another order', 'pie', () => ({ orderby: [['Name', true]] })],
    ['the opposite order', 'pie', () => ({ orderby: [[count, true]] })],
    ['without a saved filter', 'pie', () => ({ filters: [] })],
    ['without a saved condition', 'pie', () => ({ extras: {} })],
    [
      'a filter of another column',
      'pie',
      ({ filters }) => ({ filters: [...filters!, { col: 'Name', op: '==', val: 'x' }] }),
    ],
    [
      'a filter in SQL',
      'pie',
      ({ filters }) => ({
        filters: [...filters!, { col: { label: 'x', sqlExpression: "Name LIKE 'a%'" }, op: '==', val: true }],
      }),
    ],
    ['a pattern', 'pie', ({ filters }) => ({ filters: [...filters!, { col: 'Origin', op: 'LIKE', val: 'U%' }] })],
    ['extras.where', 'pie', ({ extras }) => ({ extras: { ...extras, where: `${extras?.where} OR 1 = 1` } })],
    ['extras.having', 'pie', ({ extras }) => ({ extras: { ...extras, having: 'max(Name) > 1' } })],
    ['post-processing', 'pie', () => ({ post_processing: [{ operation: 'flatten', options: {} }] })],
    ['a time offset', 'line', () => ({ time_offsets: ['1 year ago'] })],
    ['a time shift', 'line', () => ({ time_shift: '1 year' })],
    ['a series limit by another metric', 'line', () => ({ series_limit: 1, series_limit_metric: count })],
    ['having columns', 'pie', () => ({ having_columns: ['Name'] })],
    ['the values predicate', 'pie', () => ({ apply_fetch_values_predicate: true })],
    ['a number of rows', 'pie', () => ({ is_rowcount: true })],
    ['URL parameters', 'pie', () => ({ url_params: { secret: '1' } })],
    ['a template', 'pie', () => ({ metrics: [{ ...count, sqlExpression: "{{ url_param('a') }}" }] })],
    [
      'an annotation layer',
      'pie',
      () => ({
        annotation_layers: [
          { name: 'x', annotationType: 'EVENT', sourceType: 'table', value: 1, show: true, showMarkers: false },
        ],
      }),
    ],
    ['samples', 'pie', () => ({ result_type: 'samples' })],
    ['all columns', 'pie', () => ({ result_type: 'drill_detail' })],
    ['the columns of the dataset', 'pie', () => ({ result_type: 'columns' })],
    ['time grains', 'pie', () => ({ result_type: 'timegrains' })],
    ['a page of other columns', 'paged', () => ({ columns: ['Name'] })],
    ['a page in the order of another column', 'paged', () => ({ orderby: [['Name', true]] })],
    ['a page searched in another column', 'paged', () => ({ filters: [{ col: 'Name', op: 'ILIKE', val: '%a%' }] })],
  ])('%s', async (_, name, change) => {
    expect(await askChanged(name, change)).toBe(403)
    const body = await buildContext(name)
    const changed = { ...body, queries: body.queries.map((query) => ({ ...query, ...change(query) })) }
    const asFrames = await post(changed, { accept: framesType })
    expect(asFrames.statusCode, 'as frames').toBe(403)
    expect(await ask({ ...changed, result_type: 'query' }), 'as SQL').toBe(403)
    expect(await ask({ ...changed, result_format: 'csv' }), 'as a file').toBe(403)
  })

  it.each(['samples', 'drill_detail', 'columns', 'timegrains'])('%s of the request', async (result_type) => {
    expect(await askChanged('pie', () => ({}), { result_type })).toBe(403)
    expect((await post({ ...(await buildContext('pie')), result_type }, { accept: framesType })).statusCode).toBe(403)
  })

  it('marks broken down by another column', async () => {
    const columns = [
      { column_name: 'Cylinders', is_dttm: false },
      { column_name: 'Year', is_dttm: true },
    ]
    const filters = [{ col: 'Origin', op: '==', val: 'USA' }]
    const facts = { columns, metrics: [] } as never
    for (const column of ['Cylinders', 'Year']) {
      const drilled = await drillBy({ ...formOf('pie'), ...place() }, filters as never, column, facts)
      const context = buildQueryContext(drilled!.chart, drilled!.form)
      const response = await post({ ...context, datasource: { id: cars.dataset, type: 'table' } })
      expect([column, response.statusCode]).toEqual([column, 403])
      expect(response.body).toContain('You can see only what the dashboard shows.')
    }
    const path = `/api/v1/dataset/${cars.dataset}/drill_info/?q=(dashboard_id:${dashboard})`
    const info = (await cars.server.as('gamma').get(path)).json<{ result: { columns: object[]; can_drill: boolean } }>()
    expect(info.result).toMatchObject({ columns: [], can_drill: false })
  })

  it('a chart that the dashboard does not show, or the dataset by itself', async () => {
    const context = await buildContext('pie')
    const under = (form_data: object) => ask({ ...context, form_data })
    expect(await ask(await buildContext('hidden'))).toBe(403)
    const elsewhere = [
      await under({ slice_id: charts.hidden, dashboardId: dashboard }),
      await under({ slice_id: charts.pie }),
      await under({ dashboardId: dashboard }),
      await under({ slice_id: charts.pie, dashboardId: dashboard + 1 }),
      await under({}),
      await under({ form_data_key: 'x', slice_id: charts.hidden, dashboardId: dashboard }),
    ]
    expect(elsewhere).toEqual([403, 403, 403, 403, 403, 403])
    // The x-axis decides which column a time range filters.
    expect(await under({ ...place(), x_axis: 'Year' })).toBe(403)
    expect(await under(place())).toBe(200)
  })

  it('another dataset under the chart of this one', async () => {
    const { database_id } = await cars.server.deps.db
      .selectFrom('dataset')
      .select('database_id')
      .where('id', '=', cars.dataset)
      .executeTakeFirstOrThrow()
    const sql = 'SELECT Name AS Origin, Cylinders, Horsepower FROM cars'
    const body = { database: database_id, table_name: 'names', sql }
    const made = await cars.server.as('admin').post('/api/v1/dataset/', body)
    expect(made.statusCode, made.body).toBe(201)
    const datasource = { id: made.json<{ id: number }>().id, type: 'table' }
    expect(await ask({ ...(await buildContext('pie')), datasource })).toBe(403)
  })

  it('anything after the dashboard is unpublished, loses the chart or the viewer, not even a cached response', async () => {
    const context = await buildContext('pie')
    const gamma = cars.server.as('gamma')
    const stream = async () =>
      (await gamma.post(`/api/v1/dashboard/${dashboard}/data`, { charts: [{ id: charts.pie }] })).statusCode
    for (const repeat of [1, 2, 3]) expect([repeat, await ask(context), await stream()]).toEqual([repeat, 200, 200])
    await put(`/api/v1/dashboard/${dashboard}`, { published: false })
    expect([await ask(context), await stream()]).toEqual([403, 404])
    await put(`/api/v1/dashboard/${dashboard}`, { published: true })
    expect(await ask(context)).toBe(200)
    await put(`/api/v1/dashboard/${dashboard}`, { json_metadata: buildMetadata(['line']) })
    expect(await ask(context)).toBe(403)
    await put(`/api/v1/dashboard/${dashboard}`, { json_metadata: buildMetadata() })
    expect(await ask(context)).toBe(200)
    await put(`/api/v1/chart/${charts.pie}`, { params: JSON.stringify({ ...formOf('pie'), row_limit: 1 }) })
    expect(await ask(context), 'the saved chart reads fewer rows').toBe(403)
    await put(`/api/v1/chart/${charts.pie}`, { params: JSON.stringify(formOf('pie')) })
    expect(await ask(context)).toBe(200)
    await put(`/api/v1/dashboard/${dashboard}`, { roles: [] })
    expect([await ask(context), await stream()]).toEqual([403, 404])
  })

  it('the response that others got to the same request', async () => {
    const context = await buildContext('pie')
    const changed = { ...context, queries: [{ ...context.queries[0], columns: ['Name'], row_limit: 1 }] }
    for (const repeat of [1, 2, 3]) {
      expect((await cars.server.as('alpha').post('/api/v1/chart/data', changed)).statusCode).toBe(200)
      expect([repeat, await ask(changed)]).toEqual([repeat, 403])
      expect((await post(changed, { 'cache-control': 'only-if-cached' })).statusCode).toBe(403)
    }
    const body = {
      charts: [{ id: charts.line }],
      data_mask: { [charts.pie]: { extraFormData: { filters: [{ col: 'Name', op: '==', val: 'ford pinto' }] } } },
    }
    const path = `/api/v1/dashboard/${dashboard}/data`
    for (const repeat of [1, 2, 3]) {
      expect([repeat, ...(await streamErrors('admin', path, body))]).toEqual([repeat])
      expect([repeat, ...(await streamErrors('gamma', path, body))]).toEqual([repeat, 'dataset_access'])
    }
  })

  it('a condition that no filter of the dashboard declares, in its stream', async () => {
    const path = `/api/v1/dashboard/${dashboard}/data`
    const under = (extraFormData: object, id = 'NATIVE_FILTER-origin') =>
      streamErrors('gamma', path, { charts: [{ id: charts.line }], data_mask: { [id]: { extraFormData } } })
    expect(await under({ filters: [{ col: 'Origin', op: 'IN', val: ['USA'] }] })).toEqual([])
    const refused = ['dataset_access']
    expect(await under({ filters: [{ col: 'Name', op: 'IN', val: ['ford pinto'] }] })).toEqual(refused)
    const sql = { expressionType: 'SQL', clause: 'WHERE', sqlExpression: "Name LIKE 'f%'" }
    expect(await under({ adhoc_filters: [sql] })).toEqual(refused)
    const state = { searchText: 'ford', searchColumn: 'Name', pageSize: 100_000 }
    expect(await streamErrors('gamma', path, { charts: [{ id: charts.pie, state }] })).toEqual([])
    const form_data = formOf('hidden')
    const edited = await cars.server.as('gamma').post(path, { charts: [{ id: charts.pie, form_data }] })
    expect(await readErrors(edited.rawPayload)).toEqual(['forbidden'])
  })

  it('rows by other routes', async () => {
    const gamma = cars.server.as('gamma')
    const form_data = { ...formOf('hidden'), ...place() }
    const values = { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-origin', dashboardId: dashboard }
    const legacy = { ...formOf('hidden'), viz_type: 'table', all_columns: ['Name'] }
    const forms = { form_data: JSON.stringify({ ...legacy, ...place() }) }
    const asFilter = { form_data: JSON.stringify({ ...legacy, ...values }) }
    const calls = {
      samples: await gamma.post(`/datasource/samples?datasource_id=${cars.dataset}&datasource_type=table`, {}),
      'samples under the dashboard': await gamma.post(
        `/datasource/samples?datasource_id=${cars.dataset}&datasource_type=table&dashboard_id=${dashboard}`,
        { filters: [] },
      ),
      values: await gamma.get(`/api/v1/datasource/table/${cars.dataset}/column/Name/values/`),
      explore_json: await gamma.post('/superset/explore_json/', { form_data }),
      'explore_json in the address': await gamma.get(
        `/superset/explore_json/?form_data=${encodeURIComponent(forms.form_data)}`,
      ),
      'explore_json of a filter': await gamma.get(
        `/superset/explore_json/?form_data=${encodeURIComponent(asFilter.form_data)}`,
      ),
      slice_json: await gamma.get(`/superset/slice_json/${charts.hidden}`),
      annotation_json: await gamma.get(`/superset/annotation_json/999`),
      'data of the chart': await gamma.get(`/api/v1/chart/${charts.pie}/data/`),
      picture: await gamma.post('/api/v1/chart/picture', { form_data, format: 'svg' }),
      'picture on the dashboard': await gamma.post('/api/v1/chart/picture', {
        form_data,
        format: 'svg',
        dashboard_id: dashboard,
      }),
      thumbnail: await gamma.get(`/api/v1/chart/${charts.pie}/thumbnail/x/`),
    }
    const opened = Object.entries(calls).filter(([, { statusCode }]) => statusCode < 400)
    expect(opened.map(([name]) => name)).toEqual([])
    for (const { body } of Object.values(calls)) expect(body).not.toContain('chevrolet')
  })

  it('more of the values of a filter than it offers', async () => {
    const values = { columns: ['Origin'], metrics: [count], orderby: [[count, false]], row_limit: 100 }
    const filters = [{ col: 'Cylinders', op: '>', val: 4 }]
    const askValues = (query: object, id = 'origin', more: object = {}) =>
      ask({
        datasource: { id: cars.dataset, type: 'table' },
        queries: [query],
        form_data: { type: 'NATIVE_FILTER', native_filter_id: `NATIVE_FILTER-${id}`, dashboardId: dashboard },
        ...more,
      })
    expect(await askValues({ ...values, filters })).toBe(200)
    expect(await askValues(values), 'without its condition').toBe(403)
    const searched = (col: string, op: string) => ({ ...values, filters: [...filters, { col, op, val: '%a%' }] })
    expect(await askValues(searched('Origin', 'ILIKE'))).toBe(200)
    expect(await askValues(searched('Horsepower', 'ILIKE'))).toBe(403)
    expect(await askValues(searched('Origin', 'REGEX'))).toBe(403)
    expect(await askValues({ columns: [], metrics: [] }, 'column', { result_type: 'columns' })).toBe(200)
    const hostile = { columns: ['Name'], metrics: [] }
    expect(await askValues(hostile, 'column', { result_type: 'columns' })).toBe(403)
    const response = await post(
      {
        datasource: { id: cars.dataset, type: 'table' },
        queries: [hostile],
        form_data: { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-column', dashboardId: dashboard },
        result_type: 'columns',
      },
      { accept: framesType },
    )
    expect([response.statusCode, response.body.includes('chevrolet')]).toEqual([403, false])
  })
})

describe('what viewers read', () => {
  it('is changed only by users who may read the dataset', async () => {
    const { db } = cars.server.deps
    const gamma = cars.server.as('gamma')
    const { id } = await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()
    const generated = { query_context: '{}', query_context_generation: true }
    await put(`/api/v1/chart/${charts.pie}`, { viewers: [subjectId('user', id)] })
    expect((await gamma.put(`/api/v1/chart/${charts.pie}`, generated)).statusCode, 'a viewer of the chart').toBe(403)
    await put(`/api/v1/chart/${charts.pie}`, { viewers: [], owners: [id] })
    const change = async (body: object) => (await gamma.put(`/api/v1/chart/${charts.pie}`, body)).statusCode
    expect(await change({ slice_name: 'Mine' })).toBe(200)
    expect(await change({ params: JSON.stringify(formOf('hidden')), viz_type: 'table' })).toBe(422)
    expect(await change({ query_context: JSON.stringify(await buildContext('hidden')) })).toBe(422)
    await put(`/api/v1/dashboard/${dashboard}`, { owners: [id] })
    const metadata = JSON.parse(buildMetadata()) as { native_filter_configuration: object[] }
    const wider = native('name', 'filter_select', { datasetId: cars.dataset, column: { name: 'Name' } })
    metadata.native_filter_configuration.push(wider)
    const edit = async (body: object) => (await gamma.put(`/api/v1/dashboard/${dashboard}`, body)).statusCode
    expect(await edit({ dashboard_title: 'Mine' })).toBe(200)
    expect(await edit({ json_metadata: JSON.stringify(metadata) })).toBe(422)
    await put(`/api/v1/chart/${charts.pie}`, { owners: [] })
    await put(`/api/v1/dashboard/${dashboard}`, { owners: [] })
  })

  it('includes the SQL of a query only with the permission', async () => {
    const context = await buildContext('pie')
    const read = async () => {
      const [text, full] = [await post({ ...context, result_type: 'query' }), await post(context)]
      return [text.statusCode, full.json<{ result: { query: string }[] }>().result[0]?.query.includes('SELECT')]
    }
    expect(await read()).toEqual([200, true])
    await revoke(cars.server.deps.db, 'Gamma', ['can_view_query', 'Dashboard'])
    cars.server.app.authenticator.forget()
    expect(await read()).toEqual([403, false])
    await grant(cars.server.deps.db, 'Gamma', ['can_view_query', 'Dashboard'])
    cars.server.app.authenticator.forget()
  })

  it('includes a layer of another chart only in the saved query that contains it', async () => {
    const layer = (value: number, overrides: object = {}) => ({
      name: 'other',
      annotationType: 'TIME_SERIES',
      sourceType: 'line',
      value,
      show: true,
      showMarkers: false,
      overrides,
    })
    const save = async (value: number) => {
      const params = JSON.stringify({ ...formOf('line'), annotation_layers: [layer(value)] })
      await put(`/api/v1/chart/${charts.line}`, { params })
      const { chart, form } = (await loadStoredForm({ ...JSON.parse(params), ...place('line') }))!
      return buildQueryContext(chart, form)
    }
    const hidden = await save(charts.hidden)
    expect(await ask(hidden), 'a chart that is not on the dashboard').toBe(403)
    const shown = await save(charts.pie)
    expect(await ask(shown)).toBe(200)
    const where = { adhoc_filters: [{ expressionType: 'SQL', clause: 'WHERE', sqlExpression: "Name LIKE 'f%'" }] }
    const changed = (value: number, overrides: object = {}) =>
      ask({
        ...shown,
        queries: shown.queries.map((each) => ({ ...each, annotation_layers: [layer(value, overrides)] })),
      })
    expect([await changed(charts.paged), await changed(charts.pie, where)]).toEqual([403, 403])
    await put(`/api/v1/chart/${charts.line}`, { params: JSON.stringify(formOf('line')) })
  })

  it('does not include a layer of a chart of the dashboard in a query of a dataset that they may read', async () => {
    const { db } = cars.server.deps
    const { id: user } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'gamma')
      .executeTakeFirstOrThrow()
    const { database_id } = await db
      .selectFrom('dataset')
      .select('database_id')
      .where('id', '=', cars.dataset)
      .executeTakeFirstOrThrow()
    const admin = cars.server.as('admin')
    const body = { database: database_id, table_name: 'own', sql: 'SELECT 1 AS one' }
    const { id } = (await admin.post('/api/v1/dataset/', body)).json<{ id: number }>()
    await admin.post(`/api/v1/dataset/${id}/access`, { subject: subjectId('user', user) })
    const adhoc_filters = [{ expressionType: 'SQL', clause: 'WHERE', sqlExpression: "Name LIKE 'f%'" }]
    const layer = {
      name: 'x',
      annotationType: 'EVENT',
      sourceType: 'table',
      value: charts.pie,
      overrides: { adhoc_filters },
    }
    const askWith = (annotation_layers: object[]) =>
      ask({
        datasource: { id, type: 'table' },
        queries: [{ columns: ['one'], metrics: [], annotation_layers }],
        form_data: place(),
      })
    expect(await askWith([])).toBe(200)
    expect(await askWith([{ ...layer, show: true, showMarkers: false }])).toBe(403)
    await admin.delete(`/api/v1/dataset/${id}/access/${subjectId('user', user)}`)
  })

  it('regression: a chart that is reserved to viewers is no layer for other readers of its dataset', async () => {
    const layer = { name: 'x', annotationType: 'EVENT', sourceType: 'table', value: charts.hidden }
    const query = {
      columns: ['Origin'],
      metrics: [count],
      annotation_layers: [{ ...layer, show: true, showMarkers: false }],
    }
    const body = { datasource: { id: cars.dataset, type: 'table' }, queries: [query] }
    const read = async (user: 'alpha' | 'admin') =>
      (await cars.server.as(user).post('/api/v1/chart/data', body)).statusCode
    expect([await read('alpha'), await read('admin')]).toEqual([200, 200])
    const { db } = cars.server.deps
    const { id } = await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()
    await put(`/api/v1/chart/${charts.hidden}`, { viewers: [subjectId('user', id)], owners: [] })
    expect([await read('alpha'), await read('admin')]).toEqual([400, 200])
    await put(`/api/v1/chart/${charts.hidden}`, { viewers: [] })
    expect(await read('alpha')).toBe(200)
  })

  it('is the saved query of a chart for its viewers, with VIEWER_PROMISCUOUS_MODE', async () => {
    const { db, settings } = cars.server.deps
    const { id } = await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()
    await put(`/api/v1/chart/${charts.hidden}`, { viewers: [subjectId('user', id)] })
    const context = { ...(await buildContext('hidden')), form_data: { slice_id: charts.hidden } }
    const askChanged = (change: object) => ask({ ...context, queries: [{ ...context.queries[0], ...change }] })
    const saved = async () => (await cars.server.as('gamma').get(`/api/v1/chart/${charts.hidden}/data/`)).statusCode
    await db
      .updateTable('chart')
      .set({ query_context: JSON.stringify(context) })
      .where('id', '=', charts.hidden)
      .execute()
    expect([await ask(context), await saved()]).toEqual([403, 403])
    settings.config.VIEWER_PROMISCUOUS_MODE = true
    try {
      await put(`/api/v1/chart/${charts.hidden}`, { slice_name: 'Open' })
      expect([await ask(context), await saved()]).toEqual([200, 200])
      const refused = [
        await askChanged({ columns: ['Origin'] }),
        await askChanged({ row_limit: 100 }),
        await askChanged({ filters: [{ col: 'Origin', op: '==', val: 'USA' }] }),
        await ask({ ...context, result_type: 'samples' }),
        await ask({ ...context, form_data: {} }),
        await ask({ ...(await buildContext('pie')), form_data: { slice_id: charts.pie } }),
      ]
      expect(refused).toEqual([403, 403, 403, 403, 403, 403])
      await put(`/api/v1/chart/${charts.hidden}`, { viewers: [] })
      expect([await ask(context), await saved()]).toEqual([403, 404])
    } finally {
      settings.config.VIEWER_PROMISCUOUS_MODE = false
      await db.updateTable('chart').set({ query_context: null }).execute()
    }
  })
})

/** Error codes in the messages of a stream. */
async function readErrors(bytes: Buffer): Promise<string[]> {
  const messages = createMessageReader().push(bytes) as { head: unknown }[]
  return messages.flatMap(({ head }) => {
    const { type, error } = head as DashboardStreamHead & { error?: { error_type?: string; code?: string } }
    return type === 'error' ? [String(error?.error_type ?? error?.code ?? JSON.stringify(error))] : []
  })
}

async function streamErrors(user: 'admin' | 'gamma', path: string, body: object): Promise<string[]> {
  const response = await cars.server.as(user).post(path, body)
  expect(response.statusCode, response.body).toBe(200)
  return readErrors(response.rawPayload)
}
