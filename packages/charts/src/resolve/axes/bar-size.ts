import type { RenderContext } from '../render-context.ts'
import type { AxisType, Plot } from './plot.ts'
import type { StackPosition } from './stack-ends.ts'

/** Approximate size of bars; labels around the plot are not measured. */
export interface BarSize {
  /** Width of one bar in pixels. */
  across: number
  /** Pixels per unit of the measure. */
  perUnit: number
}

export const barStyle = { maxWidth: 56, categoryGap: 0.2 }
/** Pixels used by labels and margins around a plot. */
const around = { along: 70, across: 60 }

export function estimateBarSize(
  bars: readonly { plot: Plot; ends: readonly StackPosition[] }[],
  { axis, isFlipped }: { axis: AxisType; isFlipped: boolean },
  { width, height }: RenderContext,
): BarSize {
  const [along, across] = isFlipped ? [height, width] : [width, height]
  const places = Math.max(1, ...bars.map(({ plot }) => countSlots(plot, axis)))
  const beside = new Set(bars.map(({ plot }, at) => plot.stack ?? at)).size || 1
  const band = Math.max(1, along - around.along) / places
  let [low, high] = [0, 0]
  for (const { ends } of bars)
    for (const { total } of ends) {
      low = Math.min(low, total)
      high = Math.max(high, total)
    }
  return {
    across: Math.min(barStyle.maxWidth, (band * (1 - barStyle.categoryGap)) / beside),
    perUnit: Math.max(1, across - around.across) / (high - low || 1),
  }
}

/** Number of positions for bars; on an axis of times or numbers it follows from the two nearest bars. */
function countSlots({ x }: Plot, axis: AxisType): number {
  if (axis === 'category') return x.length
  const xs = x.filter((each) => typeof each === 'number').toSorted((a, b) => a - b)
  const gaps = xs.slice(1).flatMap((each, at) => (each > (xs[at] as number) ? [each - (xs[at] as number)] : []))
  const least = gaps.reduce((low, gap) => Math.min(low, gap), Infinity)
  return gaps.length > 0 ? ((xs.at(-1) as number) - (xs[0] as number)) / least + 1 : 1
}
