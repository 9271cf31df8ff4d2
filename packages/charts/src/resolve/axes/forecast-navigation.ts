import type { MarkRef } from '../layer.ts'
import type { Plot } from './plot.ts'

/**
 * The way of the arrow keys where series go on as forecasts: both are one, so that it leads from the last known value to the first
 * that is reckoned.
 * @param walk the way from series to series and along them
 */
export function navigateForecasts(
  plots: readonly Plot[],
  from: MarkRef | null,
  walk: (from: MarkRef | null) => MarkRef | null,
): MarkRef | null {
  const to = walk(from && { ...from, series: findKnownSeries(plots, from.series) })
  return !to || plots[to.series]?.range ? null : toVisibleMark(plots, to)
}

/** The series that a forecast goes on with. */
function findKnownSeries(plots: readonly Plot[], series: number): number {
  const plot = plots[series]
  const known = plot?.range ? plots.findIndex(({ name, range }) => !range && name === plot.name) : series
  return known < 0 ? series : known
}

/** Behind the end of a series its forecast stands for it. */
function toVisibleMark(plots: readonly Plot[], { series, at }: MarkRef): MarkRef {
  const has = ({ y }: Plot) => (y[at] ?? null) !== null
  const plot = plots[series]
  const next = plot && !has(plot) ? plots.findIndex((each) => each.range && each.name === plot.name && has(each)) : -1
  return { series: next < 0 ? series : next, at }
}
