import type { Spec } from '../../define.ts'
import type { RenderContext } from '../render-context.ts'
import type { SpecAxis } from './axis-option.ts'
import type { Plot } from './plot.ts'

/** Indices of the measure axes of a chart that are logarithmic. */
export const listLogAxes = (spec: Spec, isFlipped: boolean): ReadonlySet<number> =>
  new Set(
    [isFlipped ? spec.xAxis : spec.yAxis]
      .flat()
      .flatMap((axis, index) => ((axis as SpecAxis | undefined)?.type === 'log' ? [index] : [])),
  )

/** A plot as it is drawn on a logarithmic axis, which has no place for 0 and negative numbers. */
export const withoutNonPositive = (plot: Plot): Plot => ({
  ...plot,
  y: plot.y.map((value) => (value !== null && value > 0 ? value : null)),
})

/**
 * True if all stacks are on logarithmic axes and begin with their largest series, above which the others would be too thin to be
 * seen. They are stacked from the last series up.
 */
export function isLargestFirst(plots: readonly Plot[], isOnLog: (plot: Plot) => boolean): boolean {
  const stacked = plots.filter(({ stack }) => stack !== undefined)
  if (stacked.length < 2 || !stacked.every(isOnLog)) return false
  const sums = stacked.map(({ y }) => y.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  return (sums[0] as number) > (sums.at(-1) as number)
}

/** Smallest part of a decade that a bar occupies. */
const leastPart = 1.5

/**
 * Where bars begin on a logarithmic axis: below all of them, so that the smallest one can be seen, at 1, 2 or 5 times a power of
 * ten, or at a power of ten for numbers that span several.
 * @returns null without bars
 */
export function findLogStart(bars: readonly Plot[]): number | null {
  let [low, high] = [Infinity, 0]
  for (const { y } of bars)
    for (const value of y) {
      if (value === null || value <= 0) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  if (high === 0) return null
  const most = low / leastPart
  const power = 10 ** Math.floor(Math.log10(most))
  return high / low >= 100 ? power : power * ([5, 2, 1].find((step) => step * power <= most) ?? 1)
}

/** Reports numbers that a logarithmic axis cannot show; empty if there are none. */
export function describeNonPositive(plots: readonly Plot[], { translate }: RenderContext): string {
  const count = plots.reduce((sum, { y }) => sum + y.filter((value) => value !== null && value <= 0).length, 0)
  return count === 0
    ? ''
    : translate(
        'picture.note.logarithmic',
        '{count, plural, one {# value of 0 or less cannot be shown on a logarithmic axis.} other {# values of 0 or less cannot be shown on a logarithmic axis.}}',
        { count },
      )
}
