import type { Metadata } from '../document/read-dashboard.ts'

const defaultStaggerMs = 5000

/** Maximum number of requests in a timed refresh. A request costs the server more than a chart whose result others share. */
const maxRequests = 5

/** Charts that are requested together. */
export interface ChartRefresh {
  charts: number[]
  delayMs: number
}

/**
 * Requests of a timed refresh: up to five, spread over `stagger_time`, or 5 s if the dashboard does not set one, so that they do
 * not reach the database together. Charts that the dashboard excludes from timed refreshes are omitted.
 */
export function planTimedRefresh(charts: readonly number[], metadata: Metadata): ChartRefresh[] {
  const immune = new Set(
    Array.isArray(metadata.timed_refresh_immune_slices) ? metadata.timed_refresh_immune_slices : [],
  )
  const chartIds = charts.filter((chart) => !immune.has(chart))
  const own = metadata.stagger_time
  const spanMs = typeof own === 'number' && own >= 0 ? own : defaultStaggerMs
  const isStaggered = metadata.stagger_refresh !== false && spanMs > 0
  const count = isStaggered ? Math.min(maxRequests, chartIds.length) : Math.min(1, chartIds.length)
  const start = (request: number): number => Math.ceil((request * chartIds.length) / count)
  return Array.from({ length: count }, (_, request) => ({
    charts: chartIds.slice(start(request), start(request + 1)),
    delayMs: request === 0 ? 0 : (request * spanMs) / (count - 1),
  }))
}
