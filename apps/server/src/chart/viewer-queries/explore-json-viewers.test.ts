import { buildQueryContext, loadStoredForm } from '@parquetry/charts'
import type { QueryObject } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, revoke } from '../../security/grants.ts'
import { startCarsServer, type CarsServer } from '../testing.ts'
import { addChart, placeCharts } from './viewed-charts.testing.ts'

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }
const names = { expressionType: 'SIMPLE', aggregate: 'COUNT_DISTINCT', column: { column_name: 'Name' }, label: 'names' }
const firstYear = {
  expressionType: 'SIMPLE',
  clause: 'WHERE',
  subject: 'Year',
  operator: 'TEMPORAL_RANGE',
  comparator: '1970-01-01 : 1971-01-01',
}
const forms = {
  total: { viz_type: 'big_number_total', metric: names, adhoc_filters: [] },
  ranged: {
    viz_type: 'pie',
    groupby: ['Origin'],
    metric: count,
    row_limit: 10,
    granularity_sqla: 'Year',
    adhoc_filters: [firstYear],
  },
  aliased: {
    viz_type: 'table',
    query_mode: 'raw',
    all_columns: [{ label: 'Horsepower', sqlExpression: "'hidden'", expressionType: 'SQL' }, 'Origin'],
    server_pagination: true,
    server_page_length: 10,
  },
}
type ChartName = keyof typeof forms

let cars: CarsServer
let dashboard: number
const charts = {} as Record<ChartName, number>
const formOf = (name: ChartName) => ({ ...forms[name], datasource: `${cars.dataset}__table` })
const place = (name: ChartName) => ({ slice_id: charts[name], dashboardId: dashboard })

function buildMetadata(): string {
  const origin = {
    id: 'NATIVE_FILTER-origin',
    type: 'NATIVE_FILTER',
    filterType: 'filter_select',
    name: 'origin',
    targets: [{ datasetId: cars.dataset, column: { name: 'Origin' } }],
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
  }
  return JSON.stringify({ positions: placeCharts(Object.values(charts)), native_filter_configuration: [origin] })
}

/** Asks `explore_json` as a viewer. */
const explore = (form: object, flags = '') =>
  cars.server.as('gamma').get(`/superset/explore_json/?form_data=${encodeURIComponent(JSON.stringify(form))}${flags}`)
/** Asks for a saved chart, with changes of its first query. */
async function askChanged(name: ChartName, change: QueryObject, state: Record<string, unknown> = {}) {
  const { chart, form } = (await loadStoredForm({ ...formOf(name), ...place(name) }))!
  const context = buildQueryContext(chart, form, { state })
  const queries = context.queries.map((query, index) => (index === 0 ? { ...query, ...change } : query))
  const payload = { ...context, queries }
  return (await cars.server.as('gamma').send('POST', '/api/v1/chart/data', { payload, headers: {} })).statusCode
}

beforeAll(async () => {
  cars = await startCarsServer({ settings: { flags: { DASHBOARD_RBAC: true } } })
  const admin = cars.server.as('admin')
  for (const name of Object.keys(forms) as ChartName[]) charts[name] = await addChart(cars, name, forms[name])
  dashboard = (await admin.post('/api/v1/dashboard/', { dashboard_title: 'Cars' })).json<{ id: number }>().id
  const { id } = await cars.server.deps.db
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'Gamma')
    .executeTakeFirstOrThrow()
  const body = { published: true, roles: [id], json_metadata: buildMetadata() }
  const shown = await admin.put(`/api/v1/dashboard/${dashboard}`, body)
  expect(shown.statusCode, shown.body).toBe(200)
})
afterAll(() => cars?.close())

describe('explore_json answers viewers', () => {
  it('with the data of the saved chart and the rows it is built from', async () => {
    const form = { ...formOf('total'), ...place('total') }
    expect((await explore(form)).statusCode).toBe(200)
    const results = await explore(form, '&results=true')
    expect([results.statusCode, results.json<{ data: unknown }>().data]).toEqual([200, [{ names: 311 }]])
  })

  it('without samples of the dataset', async () => {
    const samples = await explore({ ...formOf('total'), ...place('total') }, '&samples=true')
    expect([samples.statusCode, samples.body.includes('chevrolet')]).toEqual([403, false])
  })

  it('without samples by a filter of the dashboard', async () => {
    const filter = { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-origin', dashboardId: dashboard }
    const values = { viz_type: 'filter_select', groupby: ['Origin'], datasource: `${cars.dataset}__table` }
    for (const form of [values, { ...formOf('total'), metric: count }]) {
      const samples = await explore({ ...form, ...filter }, '&samples=true')
      expect([samples.statusCode === 200, samples.body.includes('chevrolet')]).toEqual([false, false])
    }
  })

  it('with the SQL only with the permission', async () => {
    const form = { ...formOf('total'), ...place('total') }
    const read = async () => {
      const [text, full] = [await explore(form, '&query=true'), await explore(form)]
      return [text.statusCode, text.body.includes('SELECT'), full.statusCode, full.body.includes('SELECT')]
    }
    expect(await read()).toEqual([200, true, 200, true])
    await revoke(cars.server.deps.db, 'Gamma', ['can_view_query', 'Dashboard'])
    cars.server.app.authenticator.forget()
    expect(await read()).toEqual([403, false, 200, false])
    await grant(cars.server.deps.db, 'Gamma', ['can_view_query', 'Dashboard'])
    cars.server.app.authenticator.forget()
  })
})

describe('chart/data answers viewers', () => {
  it('only for the saved time range', async () => {
    expect(await askChanged('ranged', {})).toBe(200)
    for (const time_range of ['', 'No filter', '1900-01-01 : 2000-01-01'])
      expect(await askChanged('ranged', { time_range }), time_range).toBe(403)
  })

  it('in the order of a shown column, and not in that of a hidden one with its label', async () => {
    const sorted = (key: string) => ({ currentPage: 1, pageSize: 50, sortBy: [{ key, desc: true }] })
    expect(await askChanged('aliased', {}, sorted('Horsepower'))).toBe(200)
    expect(await askChanged('aliased', {}, sorted('Origin'))).toBe(200)
    expect(await askChanged('aliased', { orderby: [['Horsepower', false]] })).toBe(403)
  })
})
