import { flightsFile } from '@parquetry/testing/sample-tables'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Source } from '@parquetry/model'
import { listSeeds } from '@parquetry/model/testing/random'
import { createRunners } from '../../runners/create-runners.ts'
import type { Runners } from '../../runners/runners.ts'
import { networkSource } from '../../runners/testing.ts'
import { compareDashboard, type DashboardComparison } from './random-dashboards.testing.ts'
import { flightsSelect, flightsTable, postgresFlightsSql } from './random-queries.testing.ts'

let home: string
let runners: Runners
let source: Extract<Source, { kind: 'embedded' }>
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'parquetry-boards-'))
  const folder = join(home, 'data')
  mkdirSync(folder)
  runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 512, spillFolder: join(home, 'spill') })
  const select = `${flightsSelect('source')} WHERE (delay * 7 + distance * 13 + epoch(date)::BIGINT // 60) % 50 = 0 LIMIT 50000`
  const { path, format } = flightsFile
  const { rows } = await runners.load(folder, flightsTable, { path, format, select }, new AbortController().signal)
  expect(rows).toBe(50_000)
  source = { kind: 'embedded', engine: 'duckdb', id: 'boards', folder, tables: [flightsTable] }
})
afterAll(async () => {
  await runners.close(0)
  rmSync(home, { recursive: true, force: true })
})

async function compareDashboards(
  seeds: readonly number[],
  clauses: readonly string[],
  { choice = 'all', of = source, atOnce = 1 }: { choice?: 'all' | 'kept'; of?: Source; atOnce?: number } = {},
): Promise<DashboardComparison> {
  const sum: DashboardComparison = { queries: 0, shared: 0, refused: 0, differences: [] }
  const compare = async (left: readonly number[]) => {
    for (const seed of left) {
      const { queries, shared, refused, differences } = await compareDashboard(runners, of, seed, { clauses, choice })
      sum.queries += queries
      sum.shared += shared
      sum.refused += refused
      sum.differences.push(...differences)
    }
  }
  const lanes = Array.from({ length: atOnce }, (_, lane) => seeds.filter((_seed, index) => index % atOnce === lane))
  await Promise.all(lanes.map(compare))
  return sum
}

/** Expects that enough queries of these dashboards were answered from rollups. */
const expectShared = (shared: number, each: number, dashboards: readonly number[]) =>
  expect(shared).toBeGreaterThan(dashboards.length < 10 ? -1 : each * dashboards.length)

const rules = [`"origin" <> 'ATL'`, 'delay < 100 OR distance > 300']

it('gives the queries of 30 random dashboards the same results from one rollup as alone', async () => {
  const seeds = listSeeds(30)
  const { shared, refused, differences } = await compareDashboards(seeds, [])
  expect(differences).toEqual([])
  expectShared(shared, 5, seeds)
  expectShared(refused, 0, seeds)
}, 240_000)

it('gives those of 25 dashboards the same results under row-level security rules', async () => {
  const seeds = listSeeds(25)
  const { shared, differences } = await compareDashboards(seeds, rules)
  expect(differences).toEqual([])
  expectShared(shared, 5, seeds)
}, 240_000)

it('gives those of 25 dashboards the same results from rollups cached for other filters too', async () => {
  const seeds = listSeeds(25)
  const { shared, differences } = await compareDashboards(seeds, rules.slice(0, 1), { choice: 'kept' })
  expect(differences).toEqual([])
  expectShared(shared, 5, seeds)
}, 240_000)

const url = process.env['PARQUETRY_TEST_POSTGRES']

describe.skipIf(!url)('on PostgreSQL', () => {
  const schema = `boards_${process.pid}`
  const network = url ? { ...networkSource(url, 'boards'), schema } : source
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  beforeAll(() =>
    admin(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${postgresFlightsSql(50_000)}; ANALYZE flights`),
  )
  afterAll(() => admin(`DROP SCHEMA ${schema} CASCADE`))

  it('gives the queries of 10 random dashboards the same results from one rollup as alone', async () => {
    const seeds = listSeeds(10)
    const { shared, refused, differences } = await compareDashboards(seeds, [], { of: network, atOnce: 4 })
    expect(differences).toEqual([])
    expectShared(shared, 1.5, seeds)
    expectShared(refused, 0, seeds)
  }, 240_000)

  it('gives them the same results under row-level security rules', async () => {
    const seeds = listSeeds(10)
    const { shared, differences } = await compareDashboards(seeds, rules, { of: network, atOnce: 4 })
    expect(differences).toEqual([])
    expectShared(shared, 1.5, seeds)
  }, 240_000)
})
