import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SharedScanPlan } from '@parquetry/model'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { createRunners } from '../runners/create-runners.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import {
  type ChartRows,
  fetchDashboardRows,
  type DashboardFixture,
  createTestDashboard,
  rowCount,
  createForms,
  sqlMetric,
  spySharedPlans,
  sqlFilter,
  mockRunShared,
} from './shared-stream.testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `stream_${process.pid}`
/** A database whose second account may not create temporary tables. */
const poor = `stream_poor_${process.pid}`

async function admin(text: string, connectionString = url): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  for (const each of text.split(';')) await client.query(each)
  await client.end()
}

const table = (name: string) => `CREATE TABLE ${name} AS SELECT 'Name ' || i % 300 AS "Name",
  (i % 4 + 3)::integer AS "Cylinders", CASE WHEN i % 40 = 0 THEN NULL ELSE (i * 7 % 190 + 40)::bigint END AS "Horsepower",
  TIMESTAMP '1970-01-01' + (i * 31 % 4380) * INTERVAL '1 day' AS "Year", (ARRAY['USA', 'Europe', 'Japan'])[i % 3 + 1] AS "Origin"
  FROM generate_series(1, 400000) AS i`
const createUrl = (database: string, account: string) => {
  const found = new URL(url ?? '')
  found.pathname = database
  found.username = account
  return found.href
}

/** Rollups yield no results and do not fail. */
const leaveUnanswered = (on: DashboardFixture) => mockRunShared(on, async function* () {})

describe.skipIf(!url)('dashboard stream over PostgreSQL', () => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-stream-'))
  const runners = createRunners({
    log: pino({ level: 'silent' }),
    memoryLimitMb: 128,
    spillFolder: join(home, 'spill'),
  })
  let server: TestServer
  let cars: DashboardFixture
  let database: number

  beforeAll(async () => {
    await admin(`CREATE SCHEMA ${schema}; ${table(`${schema}.cars`)}; ${table(`${schema}.altered`)};
      CREATE VIEW ${schema}.seen AS SELECT * FROM ${schema}.cars`)
    await admin(
      `CREATE DATABASE ${poor}; CREATE ROLE ${poor} LOGIN PASSWORD 'x'; REVOKE TEMPORARY ON DATABASE ${poor} FROM PUBLIC`,
    )
    await admin(`${table('cars')}; GRANT SELECT ON cars TO ${poor}`, createUrl(poor, 'lab'))
    server = await startTestServer({ runners })
    database = await addDatabase(url!)
    cars = await addDataset({ table_name: 'cars' })
    // The first request loads the code of the charts.
    await fetchDashboardRows(
      cars,
      await createTestDashboard(cars, createForms({ adhoc_filters: [sqlFilter('0 = 0')] })),
    )
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await runners.close(0)
    await admin(`DROP SCHEMA ${schema} CASCADE; DROP DATABASE ${poor} WITH (FORCE); DROP ROLE ${poor}`)
    rmSync(home, { recursive: true, force: true })
  })
  afterEach(() => void vi.restoreAllMocks())

  async function addDatabase(sqlalchemy_uri: string): Promise<number> {
    const made = await server
      .as('admin')
      .post('/api/v1/database/', { database_name: sqlalchemy_uri.slice(-20), sqlalchemy_uri })
    expect(made.statusCode, made.body).toBe(201)
    return made.json<{ id: number }>().id
  }

  async function addDataset(own: {
    table_name: string
    database?: number
    schema?: string
    sql?: string
  }): Promise<DashboardFixture> {
    const made = await server.as('admin').post('/api/v1/dataset/', { database, schema, ...own })
    expect(made.statusCode, made.body).toBe(201)
    return { server, dataset: made.json<{ id: number }>().id }
  }

  /** Records the statements that run individually. */
  function recordStatements(): string[] {
    const texts: string[] = []
    const run = runners.run.bind(runners)
    vi.spyOn(server.deps.runners, 'run').mockImplementation((plan, ...rest) => {
      texts.push(...plan.statements.map(({ text }) => text))
      return run(plan, ...rest)
    })
    return texts
  }

  const total = { viz_type: 'big_number_total', metric: rowCount }
  const whole = { viz_type: 'big_number_total', metric: sqlMetric('SUM("Cylinders") / COUNT(*)') }

  /** Results of a dashboard, and the same queries run individually. */
  async function both(on: DashboardFixture, all: object[]) {
    const board = await createTestDashboard(on, all)
    const plans = spySharedPlans(on)
    const texts = recordStatements()
    const together = await fetchDashboardRows(on, board)
    const [shared, alone] = [plans.flatMap(({ queries }) => queries).length, [...texts]]
    vi.restoreAllMocks()
    leaveUnanswered(on)
    const each = await fetchDashboardRows(on, board)
    vi.restoreAllMocks()
    return { board, plans, shared, alone, together, each }
  }

  it('answers queries from one rollup where possible, including row counts, with the same results', async () => {
    const { shared, alone, together, each } = await both(cars, [...createForms(), total, whole])
    expect(together).toEqual(each)
    expect(together.every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
    expect(shared).toBe(6)
    // Queries that no rollup answers, besides the size estimates.
    expect(alone.filter((text) => !text.includes('TABLESAMPLE'))).toHaveLength(2)
    expect((together[6] as ChartRows).rows).toEqual([[400_000]])
    expect((together[7] as ChartRows).rows).toEqual([[4]])
  })

  it('never mixes the rows of two users with concurrent requests', async () => {
    await addRowLevelSecurityRule(server.deps.db, cars.dataset, 'Alpha', `"Origin" = 'Japan'`)
    try {
      const board = await createTestDashboard(cars, createForms())
      const plans = spySharedPlans(cars)
      const [all, ruled] = await Promise.all([
        fetchDashboardRows(cars, board),
        fetchDashboardRows(cars, board, { user: 'alpha' }),
      ])
      const origins = (answers: (ChartRows | string)[]) => (answers[0] as ChartRows).rows.map(([origin]) => origin)
      expect(origins(all)).toEqual(['Europe', 'Japan', 'USA'])
      expect(origins(ruled)).toEqual(['Japan'])
      const isRuled = ({ rollup: level }: SharedScanPlan) => level.text.includes(`"Origin" = 'Japan'`)
      expect(new Set(plans.map(isRuled)).size).toBe(2)
      const persons = (of: readonly SharedScanPlan[]) => new Set(of.map(({ source }) => source.requester)).size
      expect([persons(plans), persons(plans.filter(isRuled))]).toEqual([2, 1])
      vi.restoreAllMocks()
      leaveUnanswered(cars)
      expect(ruled).toEqual(await fetchDashboardRows(cars, board, { user: 'alpha' }))
    } finally {
      for (const each of ['row_rule_role', 'row_rule_dataset', 'row_rule'] as const)
        await server.deps.db.deleteFrom(each).execute()
    }
  })

  it('queries sources that are not tables individually, with at most one sample', async () => {
    const view = await addDataset({ table_name: 'seen' })
    const first = await both(view, createForms())
    expect(first.together).toEqual(first.each)
    expect([first.shared, first.alone.length]).toEqual([0, 7])
    const texts = recordStatements()
    await fetchDashboardRows(view, first.board)
    expect(texts).toHaveLength(6)
    vi.restoreAllMocks()
    const virtual = await addDataset({ table_name: 'virtual', sql: `SELECT * FROM ${schema}.cars` })
    const { shared, alone } = await both(virtual, createForms())
    expect([shared, alone.length]).toEqual([0, 6])
  })

  it('falls back to individual queries where the account may not create temporary tables, and does not retry', async () => {
    const other = await addDatabase(createUrl(poor, poor))
    const on = await addDataset({ database: other, schema: 'public', table_name: 'cars' })
    const { plans, together, each } = await both(on, createForms())
    expect(together).toEqual(each)
    expect(plans.length).toBeGreaterThan(0)
    const later = spySharedPlans(on)
    for (const more of [{}, { adhoc_filters: [sqlFilter('1 = 1')] }]) {
      const answers = await fetchDashboardRows(on, await createTestDashboard(on, createForms(more)))
      expect(answers.every((answer) => typeof answer !== 'string' && answer.rows.length > 0)).toBe(true)
    }
    expect(later).toEqual([])
  })

  it('falls back to individual queries when a column no longer has the type the rollup was written for', async () => {
    const on = await addDataset({ table_name: 'altered' })
    const before = await both(on, [...createForms(), whole])
    expect(before.shared).toBeGreaterThan(3)
    await admin(`ALTER TABLE ${schema}.altered ALTER "Cylinders" TYPE bigint`)
    const plans = spySharedPlans(on)
    const after = await fetchDashboardRows(on, before.board)
    expect(plans.length).toBeGreaterThan(0)
    // The sum of a `bigint` is a decimal, and so is its quotient.
    expect((after[6] as ChartRows).columns).toMatchObject([{ type: 'DECIMAL' }])
    vi.restoreAllMocks()
    leaveUnanswered(on)
    expect(after).toEqual(await fetchDashboardRows(on, before.board))
  })
})
