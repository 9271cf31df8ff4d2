import { withFilters } from '@parquetry/charts'
import type { Bench, Workload } from './bench.ts'
import { buildChartContext, fetchStatements } from './chart-data.ts'
import { median } from './measure.ts'
import { buildOriginFilter, forms, setCaching } from './twenty-charts.ts'

/** The statements of all charts, filtered by origins if there are any. */
export async function fetchDashboardStatements(bench: Bench, origins: readonly string[] = []): Promise<string[]> {
  const all: string[] = []
  for (const [, form] of forms) {
    const filtered = origins.length > 0 ? withFilters(form, [buildOriginFilter(origins)]) : form
    all.push(...(await fetchStatements(bench, await buildChartContext(filtered, bench.datasets.flights))))
  }
  return all
}

/** Requests all charts in one response, as the page does; unfiltered without origins. @param force  bypasses the cache */
export async function fetchDashboardData({ client, dashboard }: Bench, origins: readonly string[] = [], force = false) {
  const response = await client.send('POST', `/api/v1/dashboard/${dashboard.id}/data`, {
    body: {
      charts: dashboard.charts.map((id) => ({ id })),
      force,
      ...(origins.length > 0 && { data_mask: { [dashboard.filterId]: { extraFormData: buildOriginFilter(origins) } } }),
    },
  })
  if (response.status !== 200)
    throw new Error(`dashboard: ${response.status} ${response.body.toString().slice(0, 300)}`)
  return response
}

/** Each turn uses other values than the turns before and after. */
const others = ['ORD', 'LAX', 'ATL', 'DEN', 'BOS', 'PHX', 'SFO', 'DFW', 'IAH', 'MSP', 'DTW']
const pairAt = (turn: number) => [0, 4].map((step) => others[(turn + step) % others.length] as string)

const reducedRuns = ({ runs }: Bench): number => Math.max(3, Math.round(runs / 3))

/** The stream of twenty charts without a browser, over the same statements in the bare engine with a connection for each core. */
export const dashboardStream: Workload = async (bench) => {
  const runs = reducedRuns(bench)
  const origins = ['SEA', 'JFK']
  const arms = { floor: [] as number[], cold: [] as number[], first: [] as number[] }
  const filtered = { floor: [] as number[], cold: [] as number[], other: [] as number[] }
  const statements = await fetchDashboardStatements(bench)
  const filteredStatements = await fetchDashboardStatements(bench, origins)
  await setCaching(bench.client, bench.dashboard, false)
  for (let turn = -1; turn < runs; turn += 1) {
    const floor = await bench.engine.runAll(statements)
    const cold = await fetchDashboardData(bench, [], true)
    const filteredFloor = await bench.engine.runAll(filteredStatements)
    const filteredCold = await fetchDashboardData(bench, origins, true)
    const other = await fetchDashboardData(bench, pairAt(turn + 1))
    if (turn < 0) continue
    arms.floor.push(floor)
    arms.cold.push(cold.ms)
    arms.first.push(cold.firstMs)
    filtered.floor.push(filteredFloor)
    filtered.cold.push(filteredCold.ms)
    filtered.other.push(other.ms)
  }
  await setCaching(bench.client, bench.dashboard, true)
  const warm: number[] = []
  for (let turn = -3; turn < bench.runs; turn += 1) {
    const { ms } = await fetchDashboardData(bench)
    if (turn >= 0) warm.push(ms)
  }
  const figure = (name: string, own: number[], floorOf: number[], floorIs: string) => {
    const floor = median(floorOf)
    // Charts share a scan.
    const budget = 0.55 * floor
    return { name: `stream of 20: ${name}`, unit: 'ms', value: median(own), runs, floor, floorIs, budget } as const
  }
  const floorIs = 'DuckDB, the same statements'
  return [
    figure('cold', arms.cold, arms.floor, floorIs),
    { name: 'stream of 20: first bytes, cold', unit: 'ms', value: median(arms.first), runs },
    figure('filter, cold', filtered.cold, filtered.floor, floorIs),
    figure('filter, another value', filtered.other, filtered.floor, `${floorIs}, of the first value`),
    { name: 'stream of 20: warm', unit: 'ms', value: median(warm), runs: bench.runs },
  ]
}
