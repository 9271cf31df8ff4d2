import type { Plot } from './plot.ts'
import type { RenderContext } from '../render-context.ts'

/** A name of 11 px with room above and below. */
const lineHeight = 13
/** Axis labels, their margin and the top of the plot. */
const outsidePlot = 60

/**
 * Whether names at the right ends of lines stand clear of each other. Where they do not, a legend names the lines: two names on one
 * place name none.
 */
export function hasRoomForEndLabels(plots: readonly Plot[], { height }: RenderContext): boolean {
  const values = plots.flatMap(({ y }) => y.filter((value) => value !== null))
  const span = Math.max(0, ...values) - Math.min(0, ...values)
  if (span === 0) return plots.length < 2
  const pixels = Math.max(1, height - outsidePlot) / span
  const ends = plots
    .flatMap(({ y }) => y.findLast((value) => value !== null) ?? [])
    .map((value) => value * pixels)
    .toSorted((a, b) => a - b)
  return ends.every((end, at) => at === 0 || end - (ends[at - 1] ?? 0) >= lineHeight)
}
