import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../testing.ts'

const filter = (dataset: number) => ({
  id: 'NATIVE_FILTER-origin',
  type: 'NATIVE_FILTER',
  filterType: 'filter_select',
  targets: [{ datasetId: dataset, column: { name: 'Origin' } }],
})

describe('filter values for users who may read the data only through a dashboard', () => {
  let cars: CarsServer
  let dashboard: number
  beforeAll(async () => {
    cars = await startCarsServer()
    const { db, settings } = cars.server.deps
    settings.flags['DASHBOARD_RBAC'] = true
    const gamma = await db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()
    const made = await cars.server.as('admin').post('/api/v1/dashboard/', {
      dashboard_title: 'Cars',
      published: true,
      roles: [gamma.id],
      json_metadata: JSON.stringify({ native_filter_configuration: [filter(cars.dataset)] }),
    })
    expect(made.statusCode, made.body).toBe(201)
    dashboard = made.json<{ id: number }>().id
  })
  afterAll(() => cars.close())

  const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }
  const values = { columns: ['Origin'], metrics: [count], orderby: [[count, false]], row_limit: 1000 }
  const ask = (query: object = values, form: object = {}, more: object = {}) =>
    cars.server.as('gamma').post('/api/v1/chart/data', {
      datasource: { id: cars.dataset, type: 'table' },
      queries: [query],
      form_data: { type: 'NATIVE_FILTER', native_filter_id: 'NATIVE_FILTER-origin', dashboardId: dashboard, ...form },
      ...more,
    })

  it("are those of the filter's column, searched and counted", async () => {
    const response = await ask({ ...values, filters: [{ col: 'Origin', op: 'ILIKE', val: '%ap%' }] })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json<{ result: { data: object[] }[] }>().result[0]!.data).toEqual([{ Origin: 'Japan', count: 79 }])
  })

  it("respect the dataset's predicate for lists of values", async () => {
    const change = (fetch_values_predicate: string | null) =>
      cars.server.as('admin').put(`/api/v1/dataset/${cars.dataset}`, { fetch_values_predicate })
    expect((await change("Origin <> 'USA'")).statusCode).toBe(200)
    const response = await ask({ ...values, apply_fetch_values_predicate: true })
    await change(null)
    expect(response.statusCode, response.body).toBe(200)
    const [found] = response.json<{ result: { data: { Origin: string }[] }[] }>().result
    expect(found?.data.map(({ Origin }) => Origin).toSorted()).toEqual(['Europe', 'Japan'])
  })

  it.each([
    ['another column', { ...values, columns: ['Name'] }],
    ['a metric', { ...values, metrics: [{ expressionType: 'SQL', sqlExpression: 'max(Name)', label: 'm' }] }],
    ['a filter of another column', { ...values, filters: [{ col: 'Name', op: 'ILIKE', val: 'a%' }] }],
    ['a condition in SQL', { ...values, extras: { where: "Name LIKE 'a%'" } }],
    ['a condition on groups', { ...values, extras: { having: 'max(Name) > 1' } }],
    ['an order by something else', { ...values, orderby: [['Name', true]] }],
    ['a column in SQL', { ...values, columns: [{ label: 'x', sqlExpression: 'Name', expressionType: 'SQL' }] }],
    ['samples', { ...values, result_type: 'samples' }],
    ['steps after it', { ...values, post_processing: [{ operation: 'flatten', options: {} }] }],
  ])('cannot be used to read %s', async (_, query) => {
    const response = await ask(query)
    expect(response.statusCode, response.body).toBe(403)
    expect(response.body).not.toContain('chevrolet')
  })

  it("come from the filter's column in the queried dataset when it has several", async () => {
    const change = (targets: object[]) =>
      cars.server.as('admin').put(`/api/v1/dashboard/${dashboard}`, {
        json_metadata: JSON.stringify({ native_filter_configuration: [{ ...filter(cars.dataset), targets }] }),
      })
    await change([{ datasetId: cars.dataset + 1000, column: { name: 'Name' } }, ...filter(cars.dataset).targets])
    expect((await ask()).statusCode).toBe(200)
    expect((await ask({ ...values, columns: ['Name'] })).statusCode, 'that of another dataset').toBe(403)
    await change(filter(cars.dataset).targets)
  })

  it('are unavailable through a filter, dashboard or dataset that does not provide them', async () => {
    const askForStatus = async (form: object, more: object = {}) => (await ask(values, form, more)).statusCode
    expect(await askForStatus({ native_filter_id: 'NATIVE_FILTER-other' })).toBe(403)
    expect(await askForStatus({ dashboardId: dashboard + 1 })).toBe(403)
    expect(await askForStatus({ type: 'x' })).toBe(403)
    expect(await askForStatus({}, { result_type: 'samples' })).toBe(403)
    expect(await askForStatus({}, { result_type: 'columns' })).toBe(403)
    await cars.server.as('admin').put(`/api/v1/dashboard/${dashboard}`, { published: false })
    expect(await askForStatus({})).toBe(403)
    await cars.server.as('admin').put(`/api/v1/dashboard/${dashboard}`, { published: true })
    cars.server.deps.settings.flags['DASHBOARD_RBAC'] = false
    expect(await askForStatus({}), 'without the flag a viewer who may not read the dataset sees no values').toBe(403)
    cars.server.deps.settings.flags['DASHBOARD_RBAC'] = true
    expect((await ask()).statusCode).toBe(200)
  })
})
