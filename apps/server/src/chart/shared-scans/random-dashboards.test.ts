import { flightsFile } from '@parquetry/testing/sample-tables'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Source } from '@parquetry/model'
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
  const lanes = Array.from({ length: atOnce }, (_, lane) => seeds.filter((_seed, at) => at % atOnce === lane))
  await Promise.all(lanes.map(compare))
  return sum
}

const seeds = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

it('gives the queries of 30 random dashboards the same results from one rollup as alone', async () => {
  const { shared, refused, differences } = await compareDashboards(seeds(1, 30), [])
  expect(differences).toEqual([])
  expect(shared).toBeGreaterThan(150)
  expect(refused).toBeGreaterThan(0)
}, 240_000)

it('gives those of 30 more the same results under row-level security rules', async () => {
  const rules = [`"origin" <> 'ATL'`, 'delay < 100 OR distance > 300']
  const { shared, differences } = await compareDashboards(seeds(31, 30), rules)
  expect(differences).toEqual([])
  expect(shared).toBeGreaterThan(150)
}, 240_000)

it('gives those of 20 dashboards the same results from rollups cached for other filters too', async () => {
  const { shared, differences } = await compareDashboards(seeds(61, 20), [`"origin" <> 'ATL'`], { choice: 'kept' })
  expect(differences).toEqual([])
  expect(shared).toBeGreaterThan(100)
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

  it('gives the queries of 30 random dashboards the same results from one rollup as alone', async () => {
    const { shared, refused, differences } = await compareDashboards(seeds(1, 30), [], { of: network, atOnce: 4 })
    expect(differences).toEqual([])
    expect(shared).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(0)
  }, 240_000)

  it('gives those of 30 more the same results under row-level security rules', async () => {
    const rules = [`"origin" <> 'ATL'`, 'delay < 100 OR distance > 300']
    const { shared, differences } = await compareDashboards(seeds(31, 30), rules, { of: network, atOnce: 4 })
    expect(differences).toEqual([])
    expect(shared).toBeGreaterThan(50)
  }, 240_000)
})
