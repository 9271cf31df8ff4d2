import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitForExamples, startProduct } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { buildChartContext } from './chart-data.ts'
import { type Client, createSignedInClient } from './client.ts'
import { fillStore } from './lists.ts'
import { listProcessTree, readMemoryMb, describeMemory } from './processes.ts'
import { type BenchDashboard, buildOriginFilter, forms, createDashboard } from './twenty-charts.ts'

const dashboards = 1000
const viewers = 8
const files = 3
const fileRows = 1_000_000
const tableRows = 10_000
const framesType = 'application/vnd.parquetry.frames'
const origins = ['SEA', 'JFK', 'ATL', 'BOS', 'DEN', 'LAX', 'MIA', 'ORD']
/** After this time, memory of finished calls is released. */
const cooldownMs = 10_000

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Mix {
  client: Client
  flights: number
  board: BenchDashboard
  url: string
  /** As a time of `performance.now()`. */
  end: number
}

/** Repeats the work until the time is over. @returns the number of repetitions */
async function until(end: number, restMs: number, work: (turn: number) => Promise<unknown>): Promise<number> {
  let turn = 0
  for (; performance.now() < end; turn += 1) {
    await work(turn)
    await sleep(restMs)
  }
  return turn
}

const post = async (client: Client, path: string, body: unknown, accept = framesType): Promise<void> => {
  const response = await client.send('POST', path, { body, headers: { accept, 'accept-encoding': 'gzip' } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.body.toString().slice(0, 300)}`)
}

/** A user who views a dashboard, filters it, and browses the list of dashboards. */
async function view({ url, board, end }: Mix, seat: number): Promise<number> {
  const client = await createSignedInClient(url, 'admin')
  return until(end, 1000, async (turn) => {
    const origin = turn % 3 === 0 ? [] : [origins[(turn + seat) % origins.length]!]
    await post(client, `/api/v1/dashboard/${board.id}/data`, {
      charts: board.charts.map((id) => ({ id })),
      data_mask: origin.length > 0 ? { [board.filterId]: { extraFormData: buildOriginFilter(origin) } } : {},
    })
    await client.json('GET', `/api/v1/dashboard/?q=(page:${turn % 40},page_size:25)`)
  })
}

/** Charts one by one, as scripts and Explore request them: every third one bypasses the cache. */
const charts = ({ client, flights, end }: Mix): Promise<number> =>
  until(end, 20, async (turn) => {
    const [, form] = forms[turn % forms.length]!
    await post(client, '/api/v1/chart/data', await buildChartContext(form, flights, turn % 3 === 0), 'application/json')
  })

const buildTableForm = (row_limit: number, row_offset = 0) => ({
  viz_type: 'table',
  query_mode: 'raw',
  all_columns: ['date', 'delay', 'distance', 'origin', 'destination'],
  row_limit,
  row_offset,
})

/** Long tables, each a different one. */
const tables = ({ client, flights, end }: Mix): Promise<number> =>
  until(end, 500, async (turn) => {
    const context = await buildChartContext(buildTableForm(tableRows), flights)
    const queries = context.queries.map((query) => ({ ...query, row_offset: turn * tableRows }))
    await post(client, '/api/v1/chart/data', { ...context, queries }, turn % 2 ? framesType : 'application/json')
  })

/** Downloads of files, spread over the time. */
async function downloads({ client, flights, end }: Mix): Promise<number> {
  const each = (end - performance.now()) / (files + 1)
  for (let file = 0; file < files; file += 1) {
    await sleep(each * 0.8)
    const body = { ...(await buildChartContext(buildTableForm(fileRows), flights, true)), result_format: 'csv' }
    let bytes = 0
    const { status } = await client.send('POST', '/api/v1/chart/data', {
      body,
      onBytes: (part) => (bytes += part.length),
    })
    if (status !== 200 || bytes < fileRows * 20) throw new Error(`CSV: ${status}, ${bytes} bytes`)
  }
  return files
}

/** Megabytes of table files that the engine caches, as it reports to an administrator; 0 if it does not. */
async function readPageCacheMb(client: Client): Promise<number> {
  const databases = await client.json<{ result: { id: number; database_name: string }[] }>('GET', '/api/v1/database/')
  const database_id = databases.result.find(({ database_name }) => database_name === 'examples')?.id
  const sql = `SELECT coalesce(sum(memory_usage_bytes), 0)::BIGINT AS bytes FROM duckdb_memory() WHERE tag = 'BASE_TABLE'`
  const response = await client.send('POST', '/api/v1/sqllab/execute/', {
    body: { database_id, sql, client_id: `m${process.pid % 100_000}`, runAsync: false },
  })
  if (response.status !== 200)
    process.stderr.write(`mixed: ${response.status} ${response.body.toString().slice(0, 300)}\n`)
  if (response.status !== 200) return 0
  const { data } = JSON.parse(response.body.toString()) as { data: { bytes: number | string }[] }
  return Number(data[0]?.bytes ?? 0) / 1e6
}

/**
 * Memory that remains after users have done everything together: viewers of a dashboard that filter it, charts requested one by
 * one, some bypassing the cache, long tables, files of a million rows, in a store with many dashboards. Runs in its own product,
 * for `seconds`: it represents an hour of the same, with more responses but no other kinds of work. Linux only.
 */
export const mixed: Workload = async ({ seconds }) => {
  if (listProcessTree(process.pid).length === 0) return []
  const home = mkdtempSync(join(tmpdir(), 'parquetry-mixed-'))
  const config = join(home, 'config.json')
  writeFileSync(config, JSON.stringify({ SQL_MAX_ROW: fileRows }))
  const env = { PARQUETRY_HOME: home, PARQUETRY_CONFIG: config, PARQUETRY_LOG: 'warn' }
  try {
    const first = await startProduct({ home, env })
    await waitForExamples(first.url)
    await first.stop()
    fillStore(home, dashboards)
    const product = await startProduct({ home, env })
    try {
      const client = await createSignedInClient(product.url, 'admin')
      const { result } = await client.json<{ result: { id: number; table_name: string }[] }>('GET', '/api/v1/dataset/')
      const flights = result.find(({ table_name }) => table_name === 'flights')?.id ?? -1
      const board = await createDashboard(client, flights)
      const mix: Mix = { client, flights, board, url: product.url, end: performance.now() + seconds * 1000 }
      let peak = 0
      const watch = setInterval(
        () =>
          (peak = Math.max(
            peak,
            listProcessTree(product.pid).reduce((all, pid) => all + readMemoryMb(pid), 0),
          )),
        500,
      )
      const done = await Promise.all([
        ...Array.from({ length: viewers }, (_, seat) => view(mix, seat)),
        charts(mix),
        tables(mix),
        downloads(mix),
      ]).finally(() => clearInterval(watch))
      const [dashboardsSeen, [chartCount = 0, long = 0, written = 0]] = [done.slice(0, viewers), done.slice(viewers)]
      const seen = dashboardsSeen.reduce((all, each) => all + each, 0)
      process.stderr.write(`mixed: ${seen} dashboards, ${chartCount} charts, ${long} tables, ${written} files\n`)
      await sleep(cooldownMs)
      const family = listProcessTree(product.pid)
      const [server = 0, ...runners] = family.map(readMemoryMb)
      for (const pid of family) process.stderr.write(`mixed: ${describeMemory(pid)}\n`)
      const all = runners.reduce((sum, each) => sum + each, server)
      const pageCache = await readPageCacheMb(client)
      return [
        { name: 'memory: after the mixed load, server', unit: 'MB', value: server, runs: 1 },
        { name: 'memory: after the mixed load, runners', unit: 'MB', value: all - server, runs: runners.length },
        { name: 'memory: after the mixed load, page cache of the engine', unit: 'MB', value: pageCache, runs: 1 },
        { name: 'memory: after the mixed load, without it', unit: 'MB', value: all - pageCache, runs: 1, budget: 350 },
        { name: 'memory: most while it went on', unit: 'MB', value: peak, runs: 1 },
      ]
    } finally {
      await product.stop()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
