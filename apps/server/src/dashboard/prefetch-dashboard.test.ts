import { createMessageReader } from '@parquetry/frame'
import type { QueryHead } from '@parquetry/model'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadPrincipal } from '../access/load-principal.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
})
afterAll(() => cars.close())
afterEach(() => cars.gate.open())

async function createObject(path: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

interface Board {
  id: number
  chart: number
  /** How often its query ran in a runner. */
  runs(): number
}

let boards = 0
/** Creates a dashboard with one chart whose query has not run before. */
async function board(form: object = {}, chart: object = {}, metadata: object = {}): Promise<Board> {
  const sqlExpression = `MAX("Horsepower" + ${(boards += 1000)})`
  const id = await createObject('/api/v1/dashboard/', {
    dashboard_title: 'Begun',
    published: true,
    json_metadata: JSON.stringify(metadata),
  })
  const chartId = await createObject('/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'big_number_total',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ metric: { expressionType: 'SQL', sqlExpression, label: 'n' }, ...form }),
    dashboards: [id],
    ...chart,
  })
  return { id, chart: chartId, runs: () => cars.countRunsWith(sqlExpression) }
}

const prefetch = async (name: number | string, by: TestUser = 'admin'): Promise<void> => {
  const { db } = cars.server.deps
  const user = await db.selectFrom('user').selectAll().where('username', '=', by).executeTakeFirstOrThrow()
  await cars.server.app.prefetchDashboard(await loadPrincipal(db, user), String(name))
}
const prefetchAndCountRuns = async (given: Board): Promise<number> => {
  await prefetch(given.id)
  return given.runs()
}
const ask = ({ id, chart }: Board) =>
  cars.server.as('admin').post(`/api/v1/dashboard/${id}/data`, { charts: [{ id: chart }], data_mask: {} })
const findQueryHead = (payload: Buffer): QueryHead | undefined =>
  createMessageReader()
    .push(payload)
    .map(({ head }) => head as unknown as QueryHead)
    .find(({ type }) => type === 'frame')
const patience = { timeout: 10_000 }

describe('prefetch of a dashboard', () => {
  it('starts with the page, so that the later request finds the result', async () => {
    const own = await board()
    const page = await cars.server.as('admin', 'session').get(`/superset/dashboard/${own.id}/`)
    expect(page.statusCode).toBe(200)
    await expect.poll(() => [own.runs(), cars.server.deps.cache.stats().flights], patience).toEqual([1, 0])
    expect(findQueryHead((await ask(own)).rawPayload)?.is_cached).toBe(true)
    expect(own.runs()).toBe(1)
  })

  it('runs the query once when the request arrives while it is running', async () => {
    const own = await board()
    cars.gate.close()
    const ahead = prefetch(own.id)
    await expect.poll(() => cars.server.deps.cache.stats().flights, patience).toBe(1)
    const answer = ask(own)
    cars.gate.open()
    expect(findQueryHead((await answer).rawPayload)?.type).toBe('frame')
    await ahead
    expect(own.runs()).toBe(1)
  })

  it('does not start for a URL with further parameters or for a browser prefetch', async () => {
    const own = await board()
    const browser = cars.server.as('admin', 'session')
    await browser.get(`/superset/dashboard/${own.id}/?native_filters_key=abc`)
    await browser.send('GET', `/superset/dashboard/${own.id}/`, { headers: { 'sec-purpose': 'prefetch' } })
    // The prefetches before it have finished.
    const other = await board()
    await browser.get(`/superset/dashboard/${other.id}/?standalone=1`)
    await expect.poll(other.runs, patience).toBe(1)
    expect(own.runs()).toBe(0)
  })

  it('does not start for users who may not see the dashboard or its data', async () => {
    const own = await board()
    await prefetch(own.id, 'gamma')
    await prefetch('nothing-here')
    expect(own.runs()).toBe(0)
    expect(await prefetchAndCountRuns(own)).toBe(1)
  })

  it('starts once for a user who opens the dashboard repeatedly, and not at all when its results are cached', async () => {
    const known = await board()
    await ask(known)
    expect(await prefetchAndCountRuns(known)).toBe(1)
    const own = await board()
    expect(await prefetchAndCountRuns(own)).toBe(1)
    await cars.server.deps.cache.invalidate(new Set([cars.dataset]))
    expect(await prefetchAndCountRuns(own)).toBe(1)
  })

  it('skips queries whose results the later request could not use', async () => {
    const uncached = await board({}, { cache_timeout: -1 })
    const createRanged = (time_range: string) => board({ granularity_sqla: 'Year', time_range })
    const untilNow = await createRanged("DATEADD(DATETIME('now'), -9, hour) : now")
    const untilToday = await createRanged('Last year')
    const required = { enableEmptyFilter: true }
    const filter = {
      id: 'NATIVE_FILTER-a',
      type: 'NATIVE_FILTER',
      filterType: 'filter_select',
      controlValues: required,
    }
    const waiting = await board({}, {}, { native_filter_configuration: [filter] })
    const given = [uncached, untilNow, waiting, untilToday]
    const runs = []
    for (const each of given) runs.push(await prefetchAndCountRuns(each))
    expect(runs).toEqual([0, 0, 0, 1])
  })

  it('is aborted shortly after the request arrives, and the request keeps the query running', async () => {
    const own = await board()
    cars.gate.close()
    const ahead = prefetch(own.id)
    await expect.poll(() => cars.server.deps.cache.stats().flights, patience).toBe(1)
    const answer = ask(own)
    await ahead
    expect(cars.server.deps.cache.stats().flights, 'the question still waits').toBe(1)
    cars.gate.open()
    expect((await answer).statusCode).toBe(200)
    expect(own.runs()).toBe(1)
  })
})
