import { createMessageReader } from '@parquetry/frame'
import type { DataMask, QueryHead } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadPrincipal } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { dashboardStream } from './data-stream.ts'

let cars: CarsServer
let chart: number
beforeAll(async () => {
  cars = await startCarsServer()
  chart = await createObject('/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'big_number_total',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' } }),
  })
})
afterAll(() => cars.close())

async function createObject(path: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

const japan = {
  id: 'NATIVE_FILTER-japan',
  type: 'NATIVE_FILTER',
  filterType: 'filter_select',
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
}
const fromJapan = { [japan.id]: { extraFormData: { filters: [{ col: 'Origin', op: 'IN', val: ['Japan'] }] } } }

async function messagesOn(dashboard: number, data_mask: object, id = chart) {
  const response = await cars.server
    .as('admin')
    .post(`/api/v1/dashboard/${dashboard}/data`, { charts: [{ id }], data_mask })
  return createMessageReader().push(response.rawPayload)
}

/** Returns the single number that the chart shows on a dashboard. */
async function shownOn(dashboard: number, data_mask: object, id = chart): Promise<unknown> {
  const [column] = (await messagesOn(dashboard, data_mask, id)).flatMap(({ frame }) => frame?.columns ?? [])
  return column?.kind === 'number' ? column.data[0] : Number((column as { data?: ArrayLike<unknown> }).data?.[0])
}

it('regression: the datasets of a dashboard list all their column names', async () => {
  const dashboard = await createObject('/api/v1/dashboard/', { dashboard_title: 'Names' })
  await cars.server.as('admin').put(`/api/v1/chart/${chart}`, { dashboards: [dashboard] })
  const response = await cars.server.as('admin').get(`/api/v1/dashboard/${dashboard}/datasets`)
  expect(response.json()).toMatchObject({
    result: [{ columns: [], column_names: ['Name', 'Cylinders', 'Horsepower', 'Year', 'Origin'] }],
  })
})

it('regression: a filter applies to the charts of a dashboard that has no layout yet', async () => {
  const dashboard = await createObject('/api/v1/dashboard/', {
    dashboard_title: 'New',
    json_metadata: JSON.stringify({ native_filter_configuration: [japan] }),
  })
  await cars.server.as('admin').put(`/api/v1/chart/${chart}`, { dashboards: [dashboard] })
  expect(await shownOn(dashboard, {})).toBe(406)
  expect(await shownOn(dashboard, fromJapan)).toBe(79)
})

const in1970 = {
  'NATIVE_FILTER-time': { extraFormData: { time_range: '1970-01-01 : 1971-01-01' } },
}
const time = { ...japan, id: 'NATIVE_FILTER-time', filterType: 'filter_time' }

it('regression: the stream reports whether a time range was applied to the chart, consistent with the numbers', async () => {
  const dashboard = await createObject('/api/v1/dashboard/', {
    dashboard_title: 'Timed',
    json_metadata: JSON.stringify({ native_filter_configuration: [time] }),
  })
  const timed = await createObject('/api/v1/chart/', {
    slice_name: 'Cars by time',
    viz_type: 'big_number_total',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({
      metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' },
      adhoc_filters: [
        {
          expressionType: 'SIMPLE',
          clause: 'WHERE',
          subject: 'Year',
          operator: 'TEMPORAL_RANGE',
          comparator: 'No filter',
        },
      ],
    }),
    dashboards: [dashboard],
  })
  await cars.server.as('admin').put(`/api/v1/chart/${chart}`, { dashboards: [dashboard] })
  const fetchReportedFilters = async (id: number) => {
    const heads = (await messagesOn(dashboard, in1970, id)).map(({ head }) => head as unknown as QueryHead)
    const { applied_filters, rejected_filters, until } = heads.find(({ type }) => type === 'frame')!
    expect(until, 'up to where the answer reaches').toBeLessThanOrEqual(Date.now())
    return { applied_filters, rejected_filters, shown: await shownOn(dashboard, in1970, id) }
  }
  expect(await fetchReportedFilters(chart)).toEqual({
    applied_filters: [],
    rejected_filters: [{ reason: 'no_time_filter', column: '__time_range' }],
    shown: 406,
  })
  expect(await fetchReportedFilters(timed)).toEqual({
    applied_filters: [{ column: 'Year' }, { column: '__time_range' }],
    rejected_filters: [],
    shown: 35,
  })
})

it('checks a guest’s data mask against the stored filters and refuses undeclared parts before running a query', async () => {
  const declared = { ...japan, targets: [{ datasetId: cars.dataset, column: { name: 'Origin' } }] }
  const id = await createObject('/api/v1/dashboard/', {
    dashboard_title: 'For guests',
    json_metadata: JSON.stringify({ native_filter_configuration: [declared] }),
  })
  await cars.server.as('admin').put(`/api/v1/chart/${chart}`, { dashboards: [id] })
  const { deps } = cars.server
  const row = await deps.db.selectFrom('dashboard').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const user = await deps.db.selectFrom('user').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow()
  const admin = await loadPrincipal(deps.db, user)
  const guest = { ...admin, kind: 'guest' as const }
  const readErrors = async (data_mask: DataMask, principal: Principal = guest) => {
    const context = { deps, principal, signal: new AbortController().signal, canEdit: false }
    const parts: Uint8Array[] = []
    for await (const part of dashboardStream(row, { charts: [{ id: chart }], data_mask }, context)) parts.push(part)
    const heads = createMessageReader()
      .push(Buffer.concat(parts))
      .map(({ head }) => head as { type: string; error?: { code: string } })
    return heads.flatMap(({ type, error }) => (type === 'error' ? [error?.code] : []))
  }
  const before = cars.runs()
  const names = { [japan.id]: { extraFormData: { filters: [{ col: 'Name', op: 'LIKE', val: 'a%' }] } } }
  expect(await readErrors(names)).toEqual(['dataset_access'])
  expect(cars.runs()).toBe(before)
  expect(await readErrors(fromJapan)).toEqual([])
  expect(await readErrors(names, admin), 'users who may query the whole dataset may filter by any column').toEqual([])
})

it('sends the rows of the rules of now when they change while the stream runs, and queries nothing twice otherwise', async () => {
  const { db } = cars.server.deps
  const counted = await createObject('/api/v1/chart/', {
    slice_name: 'Rows',
    viz_type: 'big_number_total',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*) + 0', label: 'rows' } }),
  })
  const dashboard = await createObject('/api/v1/dashboard/', { dashboard_title: 'Rules' })
  await cars.server.as('admin').put(`/api/v1/chart/${counted}`, { dashboards: [dashboard] })
  const changeWhileRunning = async (change: () => Promise<unknown>) => {
    const runs = cars.runs()
    cars.gate.close()
    const shown = shownOn(dashboard, {}, counted)
    await expect.poll(() => cars.runs()).toBe(runs + 1)
    await change()
    cars.gate.open()
    return { shown: await shown, runs: cars.runs() - runs }
  }
  const { id } = await db.selectFrom('user').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  const attribute = { user_id: id, name: 'region', value: 'North' }
  const addRule = () => addRowLevelSecurityRule(db, cars.dataset, 'Alpha', `"Origin" = 'Japan'`, 'Base')
  expect((await changeWhileRunning(addRule)).shown).toBe(79)
  await db.deleteFrom('row_rule').execute()
  await cars.server.as('admin').put(`/api/v1/chart/${counted}`, {
    params: JSON.stringify({ metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*) + 1', label: 'rows' } }),
  })
  const other = await changeWhileRunning(() => db.insertInto('user_attribute').values(attribute).execute())
  expect(other).toEqual({ shown: 407, runs: 1 })
})
