import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import type { TestUser } from '../testing.ts'
import { type ChartRows, createTestDashboard, fetchDashboardRows, type TestDashboard } from './shared-stream.testing.ts'

const start = Date.UTC(2026, 0, 1, 12)
let clock = start
let cars: CarsServer
let board: TestDashboard
/** Label in the queries of one test only. */
let marker = ''
let tests = 0

beforeAll(async () => {
  cars = await startCarsServer({ now: () => new Date(clock) })
})
afterAll(() => cars.close())
afterEach(async () => {
  vi.restoreAllMocks()
  const { db } = cars.server.deps
  for (const table of ['row_rule_role', 'row_rule_dataset', 'row_rule'] as const) await db.deleteFrom(table).execute()
})
beforeEach(async () => {
  tests += 1
  clock = start
  marker = `cars of test ${tests}`
  board = await createTestDashboard(cars, [
    { viz_type: 'pie', groupby: ['Origin'], metric: metric() },
    { viz_type: 'pie', groupby: ['Cylinders'], metric: metric() },
  ])
})

const metric = () => ({
  expressionType: 'SIMPLE',
  aggregate: 'COUNT',
  column: { column_name: 'Name' },
  label: marker,
})
const at = (seconds: number): void => void (clock = start + seconds * 1000)
const runs = (): number => cars.countRunsWith(marker)
const view = (options: { user?: TestUser; force?: boolean; refresh_interval?: number }, on = board) =>
  fetchDashboardRows(cars, on, options)
const refresh = (user: TestUser = 'admin', refresh_interval = 60) => view({ user, refresh_interval })
const isCached = (answers: readonly (ChartRows | string)[]) => answers.map((answer) => (answer as ChartRows).isCached)

it('timed refreshes of all viewers run each query once per interval', async () => {
  for (const [second, expected] of [
    [1, 2],
    [20, 2],
    [21, 2],
    [23, 2],
    [59, 2],
    [61, 4],
    [119, 4],
    [121, 6],
  ] as const) {
    at(second)
    await refresh(second % 2 ? 'admin' : 'alpha')
    expect([second, runs()]).toEqual([second, expected])
  }
})

it('a viewer alone gets new data with each refresh, although queries take time', async () => {
  for (const [index, second] of [30, 90, 150].entries()) {
    at(second)
    expect(isCached(await refresh())).toEqual([false, false])
    expect(runs()).toBe(2 * (index + 1))
  }
})

it('shows neither results of an earlier interval nor those of a query that started in one', async () => {
  at(50)
  await view({ force: false })
  at(61)
  expect(isCached(await refresh())).toEqual([false, false])
  at(119)
  cars.gate.close()
  const early = view({ force: true })
  await expect.poll(runs).toBe(6)
  at(121)
  const late = refresh()
  await expect.poll(runs).toBe(8)
  cars.gate.open()
  await Promise.all([early, late])
  at(122)
  await refresh()
  expect(runs()).toBe(8)
})

it('refreshes at the same moment join one run', async () => {
  at(1)
  cars.gate.close()
  const joined = vi.spyOn(cars.server.deps.cache, 'singleFlight')
  const answers = [refresh('admin'), refresh('alpha'), refresh('admin')]
  await vi.waitFor(() => expect(joined).toHaveBeenCalledTimes(6))
  cars.gate.open()
  await Promise.all(answers)
  expect(runs()).toBe(2)
})

it('ranges relative to now are the same for all viewers within an interval', async () => {
  const recent = {
    viz_type: 'pie',
    groupby: ['Origin'],
    metric: metric(),
    granularity_sqla: 'Year',
    time_range: 'DATEADD(DATETIME("now"), -60, year) : now',
  }
  const on = await createTestDashboard(cars, [recent])
  for (const [second, expected] of [
    [1, 1],
    [40, 1],
    [61, 2],
  ] as const) {
    at(second)
    await view({ refresh_interval: 60 }, on)
    expect([second, runs()]).toEqual([second, expected])
  }
  at(62)
  await view({ force: false }, on)
  expect(runs()).toBe(3)
})

it('a manual refresh queries again, and its results are shared', async () => {
  at(1)
  await refresh()
  at(2)
  await view({ force: true })
  expect(runs()).toBe(4)
  at(3)
  expect(isCached(await refresh())).toEqual([true, true])
})

it('viewers with other row-level security rules get their own rows', async () => {
  await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Origin" = 'Japan'`)
  at(1)
  await refresh('admin')
  const [origins] = (await refresh('alpha')) as ChartRows[]
  expect(origins?.rows).toEqual([['Japan', 79, 1]])
  expect(runs()).toBe(4)
})

it('other intervals share runs where they overlap', async () => {
  at(1)
  await refresh('admin', 60)
  at(2)
  await refresh('admin', 10)
  expect(runs()).toBe(2)
  at(11)
  await refresh('admin', 10)
  await refresh('admin', 60)
  expect(runs()).toBe(4)
})
