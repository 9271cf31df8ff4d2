import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitForExamples, startProduct } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { buildChartContext } from './chart-data.ts'
import { createSignedInClient } from './client.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'
import { forms } from './twenty-charts.ts'

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Memory of all processes, each with its part of shared memory: idle after a start with one runner that has run one query, and of
 * the product that all workloads before this one have used. Linux only.
 */
export const memory: Workload = async ({ product: used }) => {
  if (listProcessTree(used.pid).length === 0) return []
  const home = mkdtempSync(join(tmpdir(), 'parquetry-memory-'))
  const env = { PARQUETRY_HOME: home, PARQUETRY_LOG: 'warn' }
  try {
    const first = await startProduct({ home, env })
    await waitForExamples(first.url)
    await first.stop()
    const product = await startProduct({ home, env })
    const client = await createSignedInClient(product.url, 'admin')
    const { result } = await client.json<{ result: { id: number; table_name: string }[] }>('GET', '/api/v1/dataset/')
    const flights = result.find(({ table_name }) => table_name === 'flights')?.id ?? -1
    await client.json('POST', '/api/v1/chart/data', await buildChartContext(forms[0]![1], flights))
    // The first idle period releases memory of the start.
    await sleep(8000)
    const started = listProcessTree(product.pid).map(readMemoryMb)
    await product.stop()
    const [server = 0, ...runners] = listProcessTree(used.pid).map(readMemoryMb)
    return [
      { name: 'memory: after start, one runner', unit: 'MB', value: sum(started), runs: 1, budget: 170 },
      { name: 'memory: after load, server', unit: 'MB', value: server, runs: 1 },
      { name: 'memory: after load, runners', unit: 'MB', value: sum(runners), runs: 1 },
      { name: 'memory: after load', unit: 'MB', value: server + sum(runners), runs: 1, budget: 350 },
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
