import { startBareServer } from './bare.ts'
import type { Workload } from './bench.ts'
import { buildChartContext } from './chart-data.ts'
import { createClient } from './client.ts'
import { percentile95, median } from './measure.ts'
import { runLoad } from './load.ts'
import { readCpuMs } from './processes.ts'
import { forms } from './twenty-charts.ts'

const path = '/api/v1/chart/data'
const sequential = 300
const loadSeconds = 3

/** A cached chart: permissions and session are checked, no engine is queried. */
export const cachedResult: Workload = async ({ client, product, datasets }) => {
  const form = forms.find(([name]) => name === 'Flights by day')![1]
  const body = await buildChartContext(form, datasets.flights)
  const { body: answer } = await client.send('POST', path, { body })
  const bare = await startBareServer(answer)
  try {
    const bareClient = createClient(bare.url, client.headers)
    const times = { product: [] as number[], bare: [] as number[] }
    for (let turn = -50; turn < sequential; turn += 1) {
      const [ours, floor] = [await client.send('POST', path, { body }), await bareClient.send('POST', path, { body })]
      if (turn < 0) continue
      times.product.push(ours.ms)
      times.bare.push(floor.ms)
    }
    const underLoad = async (url: string, pid: number) => {
      const question = {
        method: 'POST',
        path,
        headers: { ...client.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }
      const before = readCpuMs(pid)
      const done = await runLoad(url, question, { connections: 32, seconds: loadSeconds })
      return { perCore: (done.answers * 1000) / (readCpuMs(pid) - before), p95: percentile95(done.times) }
    }
    const floor = await underLoad(bare.url, bare.pid)
    const ours = await underLoad(product.url, product.pid)
    const floorIs = 'bare node:http with the same bytes'
    return [
      {
        name: 'chart cached: median',
        unit: 'ms',
        value: median(times.product),
        runs: sequential,
        floor: median(times.bare),
        floorIs,
        budget: 1.6 * median(times.bare),
      },
      {
        name: 'chart cached: 95 of 100',
        unit: 'ms',
        value: percentile95(times.product),
        runs: sequential,
        floor: percentile95(times.bare),
        floorIs,
        budget: 5,
      },
      {
        name: 'chart cached: answers of one core',
        unit: '/s',
        value: ours.perCore,
        runs: 1,
        floor: floor.perCore,
        floorIs,
        budget: Math.max(5000, 0.2 * floor.perCore),
      },
    ]
  } finally {
    bare.close()
  }
}
