import type { Metadata } from '../document/read-dashboard.ts'

const defaultStaggerMs = 5000

export interface ChartRefresh {
  chart: number
  delayMs: number
}

/**
 * Delays of the charts in a timed refresh: spread over `stagger_time`, or 5 s if the dashboard does not set one, so that they do
 * not reach the database together. Charts that the dashboard excludes from timed refreshes are omitted.
 */
export function planTimedRefresh(charts: readonly number[], metadata: Metadata): ChartRefresh[] {
  const immune = new Set(
    Array.isArray(metadata.timed_refresh_immune_slices) ? metadata.timed_refresh_immune_slices : [],
  )
  const chartIds = charts.filter((chart) => !immune.has(chart))
  const own = metadata.stagger_time
  const spanMs =
    metadata.stagger_refresh === false || chartIds.length < 2
      ? 0
      : typeof own === 'number' && own >= 0
        ? own
        : defaultStaggerMs
  return chartIds.map((chart, index) => ({
    chart,
    delayMs: index === 0 ? 0 : (index * spanMs) / (chartIds.length - 1),
  }))
}
