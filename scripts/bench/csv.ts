import type { Workload } from './bench.ts'
import { buildChartContext } from './chart-data.ts'
import { percentile95, median } from './measure.ts'
import { startHealthPoller } from './health-poller.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'

const rows = 1_000_000
const columns = ['date', 'delay', 'distance', 'origin', 'destination']
const form = { viz_type: 'table', query_mode: 'raw', all_columns: columns, row_limit: rows }

/**
 * Exports a million rows as CSV, compared with DuckDB writing the same file to /dev/null. Also measures the additional memory and
 * the latency of other calls. Needs `SQL_MAX_ROW` of a million, which `scripts/bench.ts` sets.
 */
export const csv: Workload = async ({ client, engine, product, datasets, runs }) => {
  const repeats = Math.max(2, Math.round(runs / 7))
  const body = { ...(await buildChartContext(form, datasets.flights, true)), result_format: 'csv' }
  const memoryNow = (): number => listProcessTree(product.pid).reduce((all, pid) => all + readMemoryMb(pid), 0)
  const speeds = { product: [] as number[], reference: [] as number[] }
  const [firsts, waits] = [[] as number[], [] as number[]]
  // Baseline before the warm-up run: memory allocated by a run is not returned.
  const before = memoryNow()
  let peak = before
  // Run -1 warms up: only its memory counts.
  for (let run = -1; run < repeats; run += 1) {
    let [bytes, lines] = [0, 0]
    const watch = setInterval(() => (peak = Math.max(peak, memoryNow())), 50)
    const other = startHealthPoller(product.url)
    await other.started
    const response = await client.send('POST', '/api/v1/chart/data', {
      body,
      onBytes: (piece) => {
        bytes += piece.length
        for (let index = 0; index < piece.length; index += 1) if (piece[index] === 10) lines += 1
      },
    })
    clearInterval(watch)
    const waited = await other.end()
    if (response.status !== 200 || lines < rows) throw new Error(`CSV: ${response.status}, ${lines} lines`)
    const referenceMs = await engine.run(
      `COPY (SELECT ${columns.join(', ')} FROM flights LIMIT ${rows}) TO '/dev/null' (FORMAT csv, HEADER)`,
    )
    if (run < 0) continue
    waits.push(...waited)
    speeds.product.push(bytes / 1000 / response.ms)
    speeds.reference.push(bytes / 1000 / referenceMs)
    firsts.push(response.firstMs)
  }
  return [
    {
      name: 'CSV of 1,000,000 rows: speed',
      unit: 'MB/s',
      value: median(speeds.product),
      runs: repeats,
      floor: median(speeds.reference),
      floorIs: 'DuckDB COPY TO /dev/null',
      budget: 70,
    },
    { name: 'CSV of 1,000,000 rows: first byte', unit: 'ms', value: median(firsts), runs: repeats, budget: 100 },
    { name: 'CSV of 1,000,000 rows: more memory', unit: 'MB', value: peak - before, runs: repeats, budget: 170 },
    {
      name: 'CSV of 1,000,000 rows: another call, 95 of 100',
      unit: 'ms',
      value: percentile95(waits.length > 0 ? waits : [0]),
      runs: waits.length,
      budget: 50,
    },
  ]
}
