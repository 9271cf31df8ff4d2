import { AppError, type SharedScanPlan } from '@parquetry/model'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { Runners } from '../runners/runners.ts'
import type { TestUser } from '../testing.ts'
import {
  disableSharedScans,
  type ChartRows,
  fetchDashboardRows,
  type TestDashboard,
  createTestDashboard as boardOn,
  rowCount,
  createForms,
  sqlMetric,
  spySharedPlans,
  sqlFilter,
  mockRunShared,
} from './shared-stream.testing.ts'

let cars: CarsServer
let board: TestDashboard
beforeAll(async () => {
  cars = await startCarsServer({ copies: 20_000, settings: { flags: { ENABLE_TEMPLATE_PROCESSING: true } } as never })
  board = await createCarsDashboard(createForms())
  // The first request loads the code of the charts; the sizes are known after the second.
  await ask()
  await ask()
})
afterAll(() => cars.close())
afterEach(async () => {
  vi.restoreAllMocks()
  const { db } = cars.server.deps
  for (const table of ['row_rule_role', 'row_rule_dataset', 'row_rule'] as const) await db.deleteFrom(table).execute()
})

const createCarsDashboard = (all: object[]): Promise<TestDashboard> => boardOn(cars, all)
const ask = (user: TestUser = 'admin', on = board, force = true) => fetchDashboardRows(cars, on, { user, force })
const watchPlans = (change?: (plan: SharedScanPlan) => SharedScanPlan) => spySharedPlans(cars, change)
const replaceRunShared = (runShared: Runners['runShared']) => mockRunShared(cars, runShared)
const disableSharing = () => disableSharedScans(cars)

/** Number of the test run, for a unique condition in each: rollups are cached, and failed ones are not retried. */
let tries = 0
beforeEach(() => {
  tries++
})
const ownCondition = () => sqlFilter(`${tries} = ${tries}`)
const ownBoard = () => createCarsDashboard(createForms({ adhoc_filters: [ownCondition()] }))

describe('dashboard stream', () => {
  it('answers queries from one rollup where possible, with the same results', async () => {
    const plans = watchPlans()
    const before = cars.runs()
    const together = await ask()
    const shared = plans.flatMap(({ queries }) => queries).length
    expect(shared).toBeGreaterThanOrEqual(3)
    expect(cars.runs() - before).toBe(6 - shared)
    vi.restoreAllMocks()
    disableSharing()
    expect(together).toEqual(await ask())
    expect(together.every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
  })

  it('runs queries that gain nothing from a rollup immediately, while rollup sizes are still being estimated', async () => {
    const total = { viz_type: 'big_number_total', metric: rowCount }
    const on = await createCarsDashboard([...createForms({ adhoc_filters: [ownCondition()] }).slice(0, 4), total])
    const plans = watchPlans()
    const before = cars.runs()
    cars.gate.close()
    const answers = ask('admin', on)
    // The size estimate, and the row count of the whole table.
    await expect.poll(() => cars.runs() - before).toBe(2)
    expect(plans).toEqual([])
    cars.gate.open()
    expect((await answers).every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
    expect(plans).toHaveLength(1)
  })

  it('caches the results of individual queries and requests no rollup when they are cached', async () => {
    const on = await ownBoard()
    const plans = watchPlans()
    const first = await ask('admin', on, false)
    const again = await ask('alpha', on, false)
    expect(plans).toHaveLength(1)
    expect(again).toEqual(first.map((answer) => ({ ...(answer as ChartRows), isCached: true })))
  })

  it('finds results of queries that ran individually', async () => {
    const on = await ownBoard()
    disableSharing()
    const first = await ask('admin', on, false)
    vi.restoreAllMocks()
    const plans = watchPlans()
    expect(await ask('admin', on, false)).toEqual(first.map((answer) => ({ ...(answer as ChartRows), isCached: true })))
    expect(plans).toEqual([])
  })

  it('runs queries and rollups once for two viewers with equal rights who ask at the same time', async () => {
    const countRuns = async (probe: number, viewers: TestUser[]) => {
      const on = await createCarsDashboard(createForms({ adhoc_filters: [sqlFilter(`${probe} = ${probe}`)] }))
      const before = cars.runs()
      const plans = watchPlans()
      const requested = vi.spyOn(cars.server.deps.cache, 'singleFlight')
      cars.gate.close()
      const pending = Promise.all(viewers.map((viewer) => ask(viewer, on, false)))
      // No result may be cached before the last viewer has requested it.
      await expect.poll(() => requested.mock.calls.length).toBe(viewers.length * on.charts.length)
      cars.gate.open()
      const answers = await pending
      vi.restoreAllMocks()
      expect(answers).toEqual(viewers.map(() => answers[0]))
      // Which queries share a rollup depends on a random sample of the table, so those in rollups count too.
      return { queries: cars.runs() - before + plans.flatMap(({ queries }) => queries).length, rollups: plans.length }
    }
    const alone = await countRuns(9001, ['admin'])
    expect(alone.rollups).toBeGreaterThan(0)
    expect(await countRuns(9002, ['admin', 'alpha'])).toEqual(alone)
  })

  it('falls back to individual queries when the rollup has too many groups, and does not retry that rollup', async () => {
    const on = await ownBoard()
    const plans = watchPlans((plan) => ({ ...plan, maxGroups: 2 }))
    const answers = await ask('admin', on)
    vi.restoreAllMocks()
    const later = watchPlans()
    expect(await ask('admin', on)).toEqual(answers)
    expect([plans.length, later.length]).toEqual([1, 0])
    expect(answers.every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
  })

  it('falls back to individual queries when the rollup fails', async () => {
    const on = await ownBoard()
    const expected = await ask('admin', on)
    watchPlans((plan) => ({ ...plan, rollup: { ...plan.rollup, text: 'SELECT nothing FROM cars' } }))
    expect(await ask('admin', on)).toEqual(expected)
  })

  it('runs the remaining queries individually when the rollup is cancelled midway', async () => {
    const on = await ownBoard()
    const expected = await ask('admin', on)
    const { runners } = cars.server.deps
    const runShared = runners.runShared.bind(runners)
    const before = cars.runs()
    replaceRunShared(async function* (plan, signal) {
      for await (const answer of runShared(plan, signal)) {
        yield answer
        throw new AppError('query_stopped')
      }
    })
    expect(await ask('admin', on)).toEqual(expected)
    // All queries but the one already answered.
    expect(cars.runs() - before).toBe(5)
  })

  it('reports the error of the one failing chart and answers the others', async () => {
    const on = await createCarsDashboard([
      ...createForms({ adhoc_filters: [ownCondition()] }),
      {
        viz_type: 'pie',
        groupby: ['Origin'],
        metric: sqlMetric('SUM(CAST("Name" AS INTEGER))'),
        adhoc_filters: [ownCondition()],
      },
    ])
    const answers = await ask('admin', on)
    expect(answers.map((answer) => (typeof answer === 'string' ? answer : 'rows'))).toEqual([
      ...Array<string>(6).fill('rows'),
      'query_failed',
    ])
  })
})

describe('a rollup never mixes', () => {
  it('the rows of two users with concurrent requests', async () => {
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Origin" = 'Japan'`)
    const on = await ownBoard()
    const plans = watchPlans()
    const [all, ruled] = await Promise.all([ask('admin', on), ask('alpha', on)])
    const origins = (answers: (ChartRows | string)[]) => (answers[0] as ChartRows).rows.map(([origin]) => origin)
    expect(origins(all)).toEqual(['Europe', 'Japan', 'USA'])
    expect(origins(ruled)).toEqual(['Japan'])
    expect((ruled[3] as ChartRows).rows.length).toBeGreaterThan(0)
    const isRuled = ({ rollup: level }: SharedScanPlan) => level.text.includes(`"Origin" = 'Japan'`)
    expect(new Set(plans.map(isRuled)).size).toBe(2)
    const [persons, ruledPersons] = [plans, plans.filter(isRuled)].map(
      (of) => new Set(of.map(({ source }) => source.requester)),
    )
    expect([persons!.size, ruledPersons!.size]).toEqual([2, 1])
    disableSharing()
    expect(ruled).toEqual(await ask('alpha', on))
  })

  it('template results of two users or two charts', async () => {
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Origin" <> '{{ current_username() }}'`)
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Admin', `"Origin" != '{{ current_username() }}'`)
    const grained = `"Origin" <> '{{ "Japan" if time_grain else "USA" }}'`
    const on = await createCarsDashboard([...createForms(), ...createForms({ adhoc_filters: [sqlFilter(grained)] })])
    const plans = watchPlans()
    const answers = await Promise.all([ask('admin', on), ask('alpha', on)])
    expect(plans.length).toBeGreaterThan(1)
    for (const { rollup: level } of plans) expect(/'(admin|alpha)'/g.exec(level.text)).toHaveLength(2)
    const countPlansNaming = (name: string) =>
      plans.filter(({ rollup: level }) => level.text.includes(`'${name}'`)).length
    expect(countPlansNaming('admin') + countPlansNaming('alpha')).toBe(plans.length)
    expect(countPlansNaming('admin')).toBe(countPlansNaming('alpha'))
    for (const { rollup: level } of plans)
      expect(level.text.includes(`'Japan'`) && level.text.includes(`'USA'`)).toBe(false)
    disableSharing()
    expect(await Promise.all([ask('admin', on), ask('alpha', on)])).toEqual(answers)
  }, 120_000)

  it('two instants, even if the clock advances meanwhile', async () => {
    const ranged = {
      expressionType: 'SIMPLE',
      clause: 'WHERE',
      subject: 'Year',
      operator: 'TEMPORAL_RANGE',
      comparator: '100 years ago : now',
    }
    const on = await createCarsDashboard(createForms({ adhoc_filters: [ranged] }))
    let hours = 0
    vi.spyOn(cars.server.deps, 'now').mockImplementation(() => new Date(Date.UTC(2026, 0, 1, hours++)))
    const plans = watchPlans()
    const answers = await ask('admin', on)
    expect(plans).toHaveLength(1)
    expect(plans[0]!.rollup.values).toHaveLength(2)
    vi.restoreAllMocks()
    disableSharing()
    expect((await ask('admin', on)).length).toBe(answers.length)
  })
})

describe('a cached rollup', () => {
  const origins = (of: string[]) =>
    createForms({
      adhoc_filters: [
        { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'Origin', operator: 'IN', comparator: of },
        ownCondition(),
      ],
    })
  const listCacheKeys = (plans: readonly SharedScanPlan[]) => plans.flatMap(({ cacheKey }) => cacheKey ?? [])
  /** Queries a dashboard under one filter and returns the names of the rollups cached for it. */
  async function listCachedRollups(user: TestUser): Promise<string[]> {
    const plans = watchPlans()
    await ask(user, await createCarsDashboard(origins(['Japan'])))
    await expect.poll(() => listCacheKeys(plans).length).toBeGreaterThan(0)
    await expect.poll(() => cars.server.deps.runners.stats().running).toBe(0)
    vi.restoreAllMocks()
    return listCacheKeys(plans)
  }

  it('answers other filter values without reading the table, with the same results', async () => {
    await listCachedRollups('admin')
    const on = await createCarsDashboard(origins(['USA', 'Europe']))
    const plans = watchPlans()
    const answers = await ask('admin', on, false)
    expect(listCacheKeys(plans).length).toBeGreaterThan(0)
    expect(plans.flatMap(({ cacheKey, queries: of }) => (cacheKey ? of : [])).length).toBeGreaterThanOrEqual(3)
    vi.restoreAllMocks()
    disableSharing()
    expect(answers).toEqual(await ask('admin', on, true))
  })

  it('is dropped when its dataset is invalidated', async () => {
    const names = await listCachedRollups('admin')
    const plans = watchPlans()
    await ask('admin', await createCarsDashboard(origins(['USA', 'Europe'])), false)
    const used = plans.find(({ cacheKey, queries }) => names.includes(cacheKey ?? '') && queries.length > 0)!
    expect(used).toBeDefined()
    const { server, dataset } = cars
    // A rollup that the runner still caches is used without running this statement.
    const broken = { ...used, queries: [], rollup: { ...used.rollup, text: 'SELECT nothing FROM cars' } }
    const runBroken = async () => {
      for await (const answer of server.deps.runners.runShared(broken, new AbortController().signal)) void answer
    }
    await runBroken()
    await expect.poll(() => server.deps.runners.stats().running).toBe(0)
    const body = { datasource_uids: [`${dataset}__table`] }
    expect((await server.as('admin').post('/api/v1/cachekey/invalidate', body)).statusCode).toBe(201)
    await expect(runBroken()).rejects.toMatchObject({ code: expect.stringMatching(/^(column|query)_/) as string })
    plans.length = 0
    await ask('admin', await createCarsDashboard(origins(['USA', 'Japan'])), false)
    expect(plans.filter(({ cacheKey, queries }) => cacheKey !== undefined && queries.length > 0)).toEqual([])
  })

  it('is not used by forced requests', async () => {
    await listCachedRollups('admin')
    const plans = watchPlans()
    await ask('admin', await createCarsDashboard(origins(['USA'])), true)
    expect(plans.filter(({ cacheKey, queries }) => cacheKey !== undefined && queries.length > 0)).toEqual([])
  })

  it('is not used under other row-level security rules', async () => {
    const names = await listCachedRollups('admin')
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Cylinders" > 4`)
    const on = await createCarsDashboard(origins(['USA', 'Europe']))
    const plans = watchPlans()
    const first = await ask('alpha', on, false)
    await expect.poll(() => listCacheKeys(plans).length).toBeGreaterThan(0)
    await expect.poll(() => cars.server.deps.runners.stats().running).toBe(0)
    const ruled = await createCarsDashboard(origins(['Europe']))
    const answers = await ask('alpha', ruled, false)
    expect(listCacheKeys(plans).filter((name) => names.includes(name))).toEqual([])
    for (const { rollup: level } of plans) expect(level.text).toContain('"Cylinders" > 4')
    vi.restoreAllMocks()
    disableSharing()
    expect(first).toEqual(await ask('alpha', on, true))
    expect(answers).toEqual(await ask('alpha', ruled, true))
  })

  it('is separate for each user when a template depends on the user', async () => {
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Name" <> '{{ current_username() }}'`)
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Admin', `"Name" != '{{ current_username() }}'`)
    const [admin, alpha] = [await listCachedRollups('admin'), await listCachedRollups('alpha')]
    expect(alpha.filter((name) => admin.includes(name))).toEqual([])
  })

  it('contains no instant: conditions relative to now are applied to its groups or are part of the rollup', async () => {
    const ranged = (comparator: string) => ({
      expressionType: 'SIMPLE',
      clause: 'WHERE',
      subject: 'Year',
      operator: 'TEMPORAL_RANGE',
      comparator,
    })
    for (const range of ['100 years ago : today', '100 years ago : now']) {
      const on = await createCarsDashboard(
        createForms({ adhoc_filters: [ranged(range), sqlFilter(`'${range}' <> ''`)] }),
      )
      for (const day of [3, 4]) {
        vi.spyOn(cars.server.deps, 'now').mockImplementation(() => new Date(Date.UTC(1974 + day, 0, day, day)))
        const answers = await ask('admin', on, false)
        await expect.poll(() => cars.server.deps.runners.stats().running).toBe(0)
        replaceRunShared(() => {
          throw new AppError('runner_lost')
        })
        expect(answers).toEqual(await ask('admin', on, true))
        vi.restoreAllMocks()
      }
    }
  })
})
