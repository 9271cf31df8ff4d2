import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { startBareServer } from './bare.ts'
import { median } from './measure.ts'

const env = { PARQUETRY_EXAMPLES: '0', PARQUETRY_LOG: 'warn' }

/** Milliseconds until a one-line program has ended: the time of Node itself. */
const nodeAlone = (): Promise<number> =>
  new Promise((resolve) => {
    const begun = performance.now()
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).once('exit', () => resolve(performance.now() - begun))
  })

async function readyAfter(home: string): Promise<number> {
  const begun = performance.now()
  const product = await startProduct({ home, env: { ...env, PARQUETRY_HOME: home } })
  const ms = performance.now() - begun
  await product.stop()
  return ms
}

/**
 * From the start of the process to the ready line, with an empty and an existing home; the floor is the start of bare node:http.
 */
export const startUp: Workload = async ({ runs }) => {
  const repeats = Math.max(3, Math.round(runs / 3))
  const times = { empty: [] as number[], again: [] as number[], node: [] as number[], bare: [] as number[] }
  for (let turn = -1; turn < repeats; turn += 1) {
    const home = mkdtempSync(join(tmpdir(), 'parquetry-start-'))
    const [empty, again, node] = [await readyAfter(home), await readyAfter(home), await nodeAlone()]
    rmSync(home, { recursive: true, force: true })
    const begun = performance.now()
    const bare = await startBareServer(Buffer.from('{}'))
    const listening = performance.now() - begun
    bare.close()
    if (turn < 0) continue
    times.empty.push(empty)
    times.again.push(again)
    times.node.push(node)
    times.bare.push(listening)
  }
  const floor = median(times.bare)
  const common = { unit: 'ms', runs: repeats, floor, floorIs: 'bare node:http' } as const
  const budget = 400 + median(times.node)
  return [
    { name: 'start to ready: empty home', value: median(times.empty), ...common },
    { name: 'start to ready: second start', value: median(times.again), ...common, budget },
  ]
}
