import type { Plot } from './plot.ts'
import type { RenderContext } from '../render-context.ts'

/** Height of a name of 11 px including margins. */
const lineHeight = 13
/** Pixels used by axis labels, their margin and the top of the plot. */
const outsidePlot = 60

/**
 * Returns true if the names at the right ends of lines do not overlap. If they do, a legend names the lines instead, because
 * overlapping names are unreadable.
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
  return ends.every((end, index) => index === 0 || end - (ends[index - 1] ?? 0) >= lineHeight)
}
