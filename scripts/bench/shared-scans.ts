import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flightsFile } from '@parquetry/testing/sample-tables'
import type { Source } from '@parquetry/model'
import { pino } from 'pino'
import { compareDashboard } from '../../apps/server/src/chart/shared-scans/random-dashboards.testing.ts'
import { flightsSelect, flightsTable } from '../../apps/server/src/chart/shared-scans/random-queries.testing.ts'
import { createRunners } from '../../apps/server/src/runners/create-runners.ts'
import type { Bench, Workload } from './bench.ts'
import { fetchDashboardData, fetchDashboardStatements } from './dashboard.ts'
import type { Figure } from './figure.ts'
import { medians } from './measure.ts'
import { setCaching } from './twenty-charts.ts'

/** Seeds 1 to this number. */
const boards = Number(process.env['PARQUETRY_BENCH_BOARDS'] ?? 500)

/**
 * The stream of twenty charts over its statements run serially, and random dashboards on three million rows, with and without
 * sharing.
 */
export const sharedScans: Workload = async (bench) => [
  ...(await streamOverSerial(bench)),
  ...(await compareRandomDashboards()),
]

async function streamOverSerial(bench: Bench): Promise<Figure[]> {
  const statements = await fetchDashboardStatements(bench)
  await setCaching(bench.client, bench.dashboard, false)
  const runs = Math.max(5, Math.round(bench.runs / 2))
  const { serial, atOnce, stream } = await medians(
    {
      serial: async () => {
        let ms = 0
        for (const sql of statements) ms += await bench.engine.run(sql)
        return ms
      },
      atOnce: () => bench.engine.runAll(statements),
      stream: async () => (await fetchDashboardData(bench, [], true)).ms,
    },
    runs,
    2,
  )
  await setCaching(bench.client, bench.dashboard, true)
  return [
    {
      name: 'share: stream of 20',
      unit: 'ms',
      value: stream,
      runs,
      floor: serial,
      floorIs: 'DuckDB, serial',
      budget: serial / 2,
    },
    {
      name: 'share: stream of 20 to two at once',
      unit: 'ms',
      value: stream,
      runs,
      floor: atOnce,
      floorIs: 'DuckDB, two at once',
    },
  ]
}

/** @throws Error with the differences */
async function compareRandomDashboards(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-boards-'))
  const folder = join(home, 'data')
  mkdirSync(folder)
  const log = pino({ level: 'silent' })
  const runners = createRunners({ log, memoryLimitMb: 4096, spillFolder: join(home, 'spill') })
  try {
    const { path, format } = flightsFile
    const select = `${flightsSelect('source')} ORDER BY date`
    await runners.load(folder, flightsTable, { path, format, select }, new AbortController().signal)
    const source: Source = { kind: 'embedded', engine: 'duckdb', id: 'boards', folder, tables: [flightsTable] }
    const sum = { queries: 0, shared: 0, refused: 0 }
    const differences: string[] = []
    for (let seed = 1; seed <= boards; seed += 1) {
      const clauses = seed % 2 === 0 ? [`"origin" <> 'ATL'`, 'delay < 100 OR distance > 300'] : []
      // Every third dashboard uses rollups that are cached for other filters too.
      const choice = seed % 3 === 0 ? 'worthKeeping' : 'chosen'
      const outcome = await compareDashboard(runners, source, seed, { clauses, choice })
      for (const key of ['queries', 'shared', 'refused'] as const) sum[key] += outcome[key]
      differences.push(...outcome.differences)
      if (seed % 50 === 0) process.stderr.write(`share: ${seed} boards, ${JSON.stringify(sum)}\n`)
    }
    const outcome = `seeds 1 to ${boards}: ${sum.queries} questions, ${sum.shared} from levels, ${sum.refused} refused`
    process.stderr.write(`share: ${outcome}, ${differences.length} differences\n`)
    if (differences.length > 0) throw new Error(differences.slice(0, 20).join('\n'))
    return []
  } finally {
    await runners.close(0)
    rmSync(home, { recursive: true, force: true })
  }
}
