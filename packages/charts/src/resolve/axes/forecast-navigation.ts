import type { MarkRef } from '../layer.ts'
import type { Plot } from './plot.ts'

/**
 * Arrow-key walk where forecasts continue series: a series and its forecast count as one, so that the walk leads from the last
 * known value to the first forecast one.
 * @param walk moves from series to series and along them
 */
export function navigateForecasts(
  plots: readonly Plot[],
  from: MarkRef | null,
  walk: (from: MarkRef | null) => MarkRef | null,
): MarkRef | null {
  const to = walk(from && { ...from, series: findKnownSeries(plots, from.series) })
  return !to || plots[to.series]?.range ? null : toVisibleMark(plots, to)
}

/** Index of the series that a forecast continues. */
function findKnownSeries(plots: readonly Plot[], series: number): number {
  const plot = plots[series]
  const known = plot?.range ? plots.findIndex(({ name, range }) => !range && name === plot.name) : series
  return known < 0 ? series : known
}

/** Replaces a position past the end of a series by that of its forecast. */
function toVisibleMark(plots: readonly Plot[], { series, at }: MarkRef): MarkRef {
  const has = ({ y }: Plot) => (y[at] ?? null) !== null
  const plot = plots[series]
  const next = plot && !has(plot) ? plots.findIndex((each) => each.range && each.name === plot.name && has(each)) : -1
  return { series: next < 0 ? series : next, at }
}
