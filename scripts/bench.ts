// `npm run bench [-- --only NAME,NAME] [--runs N] [--seconds N] [--out FILE]` starts the product with a new home folder and
// measures it. Each figure is reported with its floor, measured in the same run, and its budget.
// `npm run bench -- --compare A B` compares the files of two runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { waitForExamples, startProduct } from '../apps/web/journeys/product.ts'
import { compressFiles } from '../apps/server/src/page/compress-files.ts'
import { administration } from './bench/administration.ts'
import type { Bench, Workload } from './bench/bench.ts'
import { cachedResult } from './bench/cached-result.ts'
import { chartData } from './bench/chart-data.ts'
import { createSignedInClient } from './bench/client.ts'
import { dashboardPage } from './bench/dashboard-page.ts'
import { dashboardStream } from './bench/dashboard.ts'
import { csv } from './bench/csv.ts'
import { files } from './bench/files.ts'
import { type Figure, formatTable } from './bench/figure.ts'
import { growth } from './bench/growth.ts'
import { fairness } from './bench/fairness.ts'
import { lists } from './bench/lists.ts'
import { memory } from './bench/memory.ts'
import { mixed } from './bench/mixed.ts'
import { pageSizes } from './bench/page-bytes.ts'
import { openRawEngine } from './bench/raw-engine.ts'
import { changeType } from './bench/change-type.ts'
import { drawTimes } from './bench/draw-times.ts'
import { map } from './bench/map.ts'
import { pivot } from './bench/pivot.ts'
import { editLayout } from './bench/edit-layout.ts'
import { editor } from './bench/editor.ts'
import { exploreKeys } from './bench/explore-keys.ts'
import { longScript } from './bench/long-script.ts'
import { refreshHour } from './bench/refresh-hour.ts'
import { resultGrid } from './bench/result-grid.ts'
import { compareRuns, writeRun } from './bench/results.ts'
import { sharedScans } from './bench/shared-scans.ts'
import { sqllab } from './bench/sqllab.ts'
import { startUp } from './bench/start-up.ts'
import { bundles } from './bench/bundles.ts'
import { largeInputs } from './bench/large-inputs.ts'
import { pictures } from './bench/pictures.ts'
import { reports } from './bench/reports.ts'
import { createDashboard } from './bench/twenty-charts.ts'
import { users } from './bench/users/users.ts'
import { findBrowser } from './services/browser.ts'

const workloads: Record<string, Workload> = {
  chart: chartData,
  cached: cachedResult,
  stream: dashboardStream,
  share: sharedScans,
  page: dashboardPage,
  growth,
  edit: editLayout,
  hour: refreshHour,
  grid: resultGrid,
  editor,
  script: longScript,
  csv,
  sqllab,
  memory,
  mixed,
  bytes: pageSizes,
  lists,
  administration,
  texts: largeInputs,
  bundles,
  honest: fairness,
  pictures,
  reports,
  files,
  draw: drawTimes,
  types: changeType,
  keys: exploreKeys,
  pivot,
  map,
  start: startUp,
  users,
}
const inBrowser = new Set([
  'page',
  'growth',
  'edit',
  'hour',
  'grid',
  'editor',
  'script',
  'draw',
  'types',
  'keys',
  'pivot',
  'map',
])

// The same setting as in `scripts/start.sh`.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compile'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '120' },
    out: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
})

if (values.compare) compareRuns(positionals)
else await run(Number(values.runs), Number(values.seconds), values.only ?? '', values.out)

async function run(runs: number, mixedSeconds: number, only: string, out: string | undefined): Promise<void> {
  await compressFiles('apps/web/dist')
  const begun = performance.now()
  const home = mkdtempSync(join(tmpdir(), 'parquetry-bench-'))
  try {
    const figures = await measureAll(home, runs, mixedSeconds, only)
    const seconds = Math.round((performance.now() - begun) / 1000)
    process.stdout.write(`\n${formatTable(figures)}\n`)
    process.stdout.write(`Results written to ${writeRun(figures, { runs, seconds }, out)} after ${seconds} s\n`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function measureAll(home: string, runs: number, seconds: number, only: string): Promise<Figure[]> {
  const config = join(home, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({
      SQL_MAX_ROW: 1_000_000,
      DASHBOARD_AUTO_REFRESH_MODE: 'fetch',
      FEATURE_FLAGS: { ENABLE_TEMPLATE_PROCESSING: true },
    }),
  )
  const reportsFolder = join(home, 'reports')
  mkdirSync(reportsFolder)
  const env = { PARQUETRY_HOME: home, PARQUETRY_CONFIG: config, PARQUETRY_REPORTS_FOLDER: reportsFolder }
  const product = await startProduct({ home, env })
  try {
    await waitForExamples(product.url)
    const client = await createSignedInClient(product.url, 'admin')
    const engine = await openRawEngine(home)
    const { result } = await client.json<{ result: { id: number; table_name: string }[] }>('GET', '/api/v1/dataset/')
    const idOf = (name: string): number => result.find(({ table_name }) => table_name === name)?.id ?? -1
    const datasets = { flights: idOf('flights'), flights_with_airports: idOf('flights_with_airports') }
    const board = await createDashboard(client, datasets.flights)
    const bench: Bench = { product, client, engine, datasets, dashboard: board, browser: findBrowser(), runs, seconds }
    const figures: Figure[] = []
    for (const [name, workload] of Object.entries(workloads)) {
      if (only !== '' && !only.split(',').includes(name)) continue
      const isSkipped = bench.browser === undefined && inBrowser.has(name)
      process.stderr.write(isSkipped ? `${name}: skipped because no Chromium was found\n` : `${name}...\n`)
      if (isSkipped) continue
      try {
        figures.push(...(await workload(bench)))
      } catch (error) {
        process.exitCode = 1
        process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n`)
      }
    }
    engine.close()
    return figures
  } finally {
    await product.stop()
  }
}
