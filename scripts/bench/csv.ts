import type { Workload } from './bench.ts'
import { buildChartContext } from './chart-data.ts'
import { percentile95, median } from './measure.ts'
import { startHealthPoller } from './health-poller.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'

const rows = 1_000_000
const columns = ['date', 'delay', 'distance', 'origin', 'destination']
const form = { viz_type: 'table', query_mode: 'raw', all_columns: columns, row_limit: rows }

/**
 * A million rows as CSV, over DuckDB writing the same file to /dev/null; the memory used meanwhile, and the wait of other
 * callers. Needs SQL_MAX_ROW of a million (`bench.ts`).
 */
export const csv: Workload = async ({ client, engine, product, datasets, runs }) => {
  const repeats = Math.max(2, Math.round(runs / 7))
  const body = { ...(await buildChartContext(form, datasets.flights, true)), result_format: 'csv' }
  const memoryNow = (): number => listProcessTree(product.pid).reduce((all, pid) => all + readMemoryMb(pid), 0)
  const speeds = { product: [] as number[], floor: [] as number[] }
  const [firsts, waits] = [[] as number[], [] as number[]]
  // Relative to the memory before the first run, whose memory stays for the following ones.
  const before = memoryNow()
  let peak = before
  for (let turn = -1; turn < repeats; turn += 1) {
    let [bytes, lines] = [0, 0]
    const watch = setInterval(() => (peak = Math.max(peak, memoryNow())), 50)
    const other = startHealthPoller(product.url)
    await other.started
    const answer = await client.send('POST', '/api/v1/chart/data', {
      body,
      onBytes: (piece) => {
        bytes += piece.length
        for (let at = 0; at < piece.length; at += 1) if (piece[at] === 10) lines += 1
      },
    })
    clearInterval(watch)
    const waited = await other.end()
    if (answer.status !== 200 || lines < rows) throw new Error(`CSV: ${answer.status}, ${lines} lines`)
    const floorMs = await engine.run(
      `COPY (SELECT ${columns.join(', ')} FROM flights LIMIT ${rows}) TO '/dev/null' (FORMAT csv, HEADER)`,
    )
    if (turn < 0) continue
    waits.push(...waited)
    speeds.product.push(bytes / 1000 / answer.ms)
    speeds.floor.push(bytes / 1000 / floorMs)
    firsts.push(answer.firstMs)
  }
  return [
    {
      name: 'CSV of 1,000,000 rows: speed',
      unit: 'MB/s',
      value: median(speeds.product),
      runs: repeats,
      floor: median(speeds.floor),
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
