import { AppError, type SharedScanPlan } from '@parquetry/model'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addRowLevelSecurityRule } from '../access/row-level-security.testing.ts'
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
  // The code of the charts is loaded by the first who asks, the sizes are known after the second.
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
const watched = (change?: (plan: SharedScanPlan) => SharedScanPlan) => spySharedPlans(cars, change)
const without = (runShared: Runners['runShared']) => mockRunShared(cars, runShared)
const alone = () => disableSharedScans(cars)

/** A condition of its own for each try of a test: levels are kept, and one that failed is not tried again. */
let tries = 0
beforeEach(() => {
  tries++
})
const ownCondition = () => sqlFilter(`${tries} = ${tries}`)
const ownBoard = () => createCarsDashboard(createForms({ adhoc_filters: [ownCondition()] }))

describe('the stream of a dashboard', () => {
  it('answers from one level what can be answered from it, the same as alone', async () => {
    const plans = watched()
    const before = cars.runs()
    const together = await ask()
    const shared = plans.flatMap(({ answers }) => answers).length
    expect(shared).toBeGreaterThanOrEqual(3)
    expect(cars.runs() - before).toBe(6 - shared)
    vi.restoreAllMocks()
    alone()
    expect(together).toEqual(await ask())
    expect(together.every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
  })

  it('asks at once what gains nothing from a level, while the sizes of levels are still looked for', async () => {
    const total = { viz_type: 'big_number_total', metric: rowCount }
    const on = await createCarsDashboard([...createForms({ adhoc_filters: [ownCondition()] }).slice(0, 4), total])
    const plans = watched()
    const before = cars.runs()
    cars.gate.close()
    const answers = ask('admin', on)
    // Of the sizes, and of the rows of the whole table.
    await expect.poll(() => cars.runs() - before).toBe(2)
    expect(plans).toEqual([])
    cars.gate.open()
    expect((await answers).every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
    expect(plans).toHaveLength(1)
  })

  it('keeps the answers of single questions, and asks for no level when they are there', async () => {
    const on = await ownBoard()
    const plans = watched()
    const first = await ask('admin', on, false)
    const again = await ask('alpha', on, false)
    expect(plans).toHaveLength(1)
    expect(again).toEqual(first.map((answer) => ({ ...(answer as ChartRows), isCached: true })))
  })

  it('finds answers that were asked alone', async () => {
    const on = await ownBoard()
    alone()
    const first = await ask('admin', on, false)
    vi.restoreAllMocks()
    const plans = watched()
    expect(await ask('admin', on, false)).toEqual(first.map((answer) => ({ ...(answer as ChartRows), isCached: true })))
    expect(plans).toEqual([])
  })

  it('asks alone when the level has too many groups, and does not try that level again', async () => {
    const on = await ownBoard()
    const plans = watched((plan) => ({ ...plan, mostGroups: 2 }))
    const answers = await ask('admin', on)
    vi.restoreAllMocks()
    const later = watched()
    expect(await ask('admin', on)).toEqual(answers)
    expect([plans.length, later.length]).toEqual([1, 0])
    expect(answers.every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
  })

  it('asks alone when the level fails', async () => {
    const on = await ownBoard()
    const expected = await ask('admin', on)
    watched((plan) => ({ ...plan, level: { ...plan.level, text: 'SELECT nothing FROM cars' } }))
    expect(await ask('admin', on)).toEqual(expected)
  })

  it('asks alone what had no answer when the level is cancelled on its way', async () => {
    const on = await ownBoard()
    const expected = await ask('admin', on)
    const { runners } = cars.server.deps
    const runShared = runners.runShared.bind(runners)
    const before = cars.runs()
    without(async function* (plan, signal) {
      for await (const answer of runShared(plan, signal)) {
        yield answer
        throw new AppError('query_stopped')
      }
    })
    expect(await ask('admin', on)).toEqual(expected)
    // All but the answer that came.
    expect(cars.runs() - before).toBe(5)
  })

  it('says of the one chart that is wrong what is wrong, and answers the others', async () => {
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

describe('one level never mixes', () => {
  it('the rows of two persons, who ask at once', async () => {
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Origin" = 'Japan'`)
    const on = await ownBoard()
    const plans = watched()
    const [all, ruled] = await Promise.all([ask('admin', on), ask('alpha', on)])
    const origins = (answers: (ChartRows | string)[]) => (answers[0] as ChartRows).rows.map(([origin]) => origin)
    expect(origins(all)).toEqual(['Europe', 'Japan', 'USA'])
    expect(origins(ruled)).toEqual(['Japan'])
    expect((ruled[3] as ChartRows).rows.length).toBeGreaterThan(0)
    const isRuled = ({ level }: SharedScanPlan) => level.text.includes(`"Origin" = 'Japan'`)
    expect(new Set(plans.map(isRuled)).size).toBe(2)
    const [persons, ruledPersons] = [plans, plans.filter(isRuled)].map(
      (of) => new Set(of.map(({ source }) => source.asker)),
    )
    expect([persons!.size, ruledPersons!.size]).toEqual([2, 1])
    alone()
    expect(ruled).toEqual(await ask('alpha', on))
  })

  it('what templates made of two persons, or of two charts', async () => {
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Origin" <> '{{ current_username() }}'`)
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Admin', `"Origin" != '{{ current_username() }}'`)
    const grained = `"Origin" <> '{{ "Japan" if time_grain else "USA" }}'`
    const on = await createCarsDashboard([...createForms(), ...createForms({ adhoc_filters: [sqlFilter(grained)] })])
    const plans = watched()
    const answers = await Promise.all([ask('admin', on), ask('alpha', on)])
    expect(plans.length).toBeGreaterThan(1)
    for (const { level } of plans) expect(/'(admin|alpha)'/g.exec(level.text)).toHaveLength(2)
    const named = (name: string) => plans.filter(({ level }) => level.text.includes(`'${name}'`)).length
    expect(named('admin') + named('alpha')).toBe(plans.length)
    expect(named('admin')).toBe(named('alpha'))
    for (const { level } of plans) expect(level.text.includes(`'Japan'`) && level.text.includes(`'USA'`)).toBe(false)
    alone()
    expect(await Promise.all([ask('admin', on), ask('alpha', on)])).toEqual(answers)
  }, 120_000)

  it('two instants, whatever the clock does meanwhile', async () => {
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
    const plans = watched()
    const answers = await ask('admin', on)
    expect(plans).toHaveLength(1)
    expect(plans[0]!.level.values).toHaveLength(2)
    vi.restoreAllMocks()
    alone()
    expect((await ask('admin', on)).length).toBe(answers.length)
  })
})

describe('a level that is kept', () => {
  const origins = (of: string[]) =>
    createForms({
      adhoc_filters: [
        { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'Origin', operator: 'IN', comparator: of },
        ownCondition(),
      ],
    })
  const kept = (plans: readonly SharedScanPlan[]) => plans.flatMap(({ keep }) => keep ?? [])
  /** A board is asked under one filter; gives the levels that are kept of it. */
  async function keeping(user: TestUser): Promise<string[]> {
    const plans = watched()
    await ask(user, await createCarsDashboard(origins(['Japan'])))
    await expect.poll(() => kept(plans).length).toBeGreaterThan(0)
    await expect.poll(() => cars.server.deps.runners.stats().running).toBe(0)
    vi.restoreAllMocks()
    return kept(plans)
  }

  it('answers other values of a filter without the table, the same as alone', async () => {
    await keeping('admin')
    const on = await createCarsDashboard(origins(['USA', 'Europe']))
    const plans = watched()
    const answers = await ask('admin', on, false)
    expect(kept(plans).length).toBeGreaterThan(0)
    expect(plans.flatMap(({ keep, answers: of }) => (keep ? of : [])).length).toBeGreaterThanOrEqual(3)
    vi.restoreAllMocks()
    alone()
    expect(answers).toEqual(await ask('admin', on, true))
  })

  it('is asked by nobody who asks anew', async () => {
    await keeping('admin')
    const plans = watched()
    await ask('admin', await createCarsDashboard(origins(['USA'])), true)
    expect(plans.filter(({ keep, answers }) => keep !== undefined && answers.length > 0)).toEqual([])
  })

  it('answers nobody under other row rules', async () => {
    const names = await keeping('admin')
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Cylinders" > 4`)
    const on = await createCarsDashboard(origins(['USA', 'Europe']))
    const plans = watched()
    const first = await ask('alpha', on, false)
    await expect.poll(() => kept(plans).length).toBeGreaterThan(0)
    await expect.poll(() => cars.server.deps.runners.stats().running).toBe(0)
    const ruled = await createCarsDashboard(origins(['Europe']))
    const answers = await ask('alpha', ruled, false)
    expect(kept(plans).filter((name) => names.includes(name))).toEqual([])
    for (const { level } of plans) expect(level.text).toContain('"Cylinders" > 4')
    vi.restoreAllMocks()
    alone()
    expect(first).toEqual(await ask('alpha', on, true))
    expect(answers).toEqual(await ask('alpha', ruled, true))
  })

  it('is another one for what a template made of another person', async () => {
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Name" <> '{{ current_username() }}'`)
    await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Admin', `"Name" != '{{ current_username() }}'`)
    const [admin, alpha] = [await keeping('admin'), await keeping('alpha')]
    expect(alpha.filter((name) => admin.includes(name))).toEqual([])
  })

  it('holds no instant: what the clock decides is asked of the groups, or is part of the level', async () => {
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
        without(() => {
          throw new AppError('runner_lost')
        })
        expect(answers).toEqual(await ask('admin', on, true))
        vi.restoreAllMocks()
      }
    }
  })
})
