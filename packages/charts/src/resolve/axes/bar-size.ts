import type { RenderContext } from '../render-context.ts'
import type { AxisType, Plot } from './plot.ts'
import type { StackPosition } from './stack-ends.ts'

/** Approximate size of bars; labels around the plot are not measured. */
export interface BarSize {
  /** Width of one bar in pixels. */
  across: number
  /** Least width of one bar in pixels: one pixel, and less where groups of bars would overlap. */
  least: number
  /** Pixels per unit of the measure. */
  perUnit: number
  /** Range of the axis that contains the first and the last group of bars; null if ECharts finds it. */
  range: readonly [number, number] | null
}

export const barStyle = { maxWidth: 56, categoryGap: 0.2, gap: 0.06 }
/** Narrower bars, in pixels, would be hardly visible. */
const faintest = 0.25
/** Pixels used by labels and margins around a plot. */
const around = { along: 70, across: 60 }

export function estimateBarSize(
  bars: readonly { plot: Plot; ends: readonly StackPosition[] }[],
  { axis, isFlipped }: { axis: AxisType; isFlipped: boolean },
  { width, height }: RenderContext,
): BarSize {
  const [along, across] = isFlipped ? [height, width] : [width, height]
  const pixels = Math.max(1, along - around.along)
  const slots = axis === 'category' ? countCategories(bars) : measureSlots(bars)
  const beside = new Set(bars.map(({ plot }, index) => plot.stack ?? index)).size || 1
  const part = (1 - barStyle.categoryGap) / (beside + (beside - 1) * barStyle.gap)
  let [low, high] = [0, 0]
  for (const { ends } of bars)
    for (const { total } of ends) {
      low = Math.min(low, total)
      high = Math.max(high, total)
    }
  // Bars of one series may cover each other, since they have one color and the highest one stays visible.
  const least = beside === 1 ? 1 : Math.min(1, Math.max(faintest, slots.usual * pixels * part))
  const bar = Math.min(barStyle.maxWidth, Math.max(least, slots.least * pixels * part))
  const group = (bar / part) * (1 - barStyle.categoryGap)
  return {
    across: bar,
    least,
    perUnit: Math.max(1, across - around.across) / (high - low || 1),
    range: slots.range && group > slots.least * pixels ? widen(slots.range, group / pixels) : null,
  }
}

/** Adds half a group of bars at each end. ECharts itself adds half the least distance, into which the group does not fit. */
function widen([first, last]: readonly [number, number], group: number): [number, number] {
  const part = Math.min(0.5, group)
  const room = ((last - first) * part) / 2 / (1 - part)
  return [first - room, last + room]
}

/** Distances between neighboring positions of bars, as shares of the axis. */
interface Slots {
  least: number
  /** Median distance. */
  usual: number
  /** First and last position, if they are numbers and differ. */
  range: readonly [number, number] | null
}

function countCategories(bars: readonly { plot: Plot }[]): Slots {
  const share = 1 / Math.max(1, ...bars.map(({ plot }) => plot.x.length))
  return { least: share, usual: share, range: null }
}

function measureSlots(bars: readonly { plot: Plot }[]): Slots {
  const xs = [...new Set(bars.flatMap(({ plot }) => plot.x))]
    .filter((each) => typeof each === 'number')
    .toSorted((a, b) => a - b)
  const [first, last] = [xs[0], xs.at(-1)]
  if (first === undefined || last === undefined || first === last) return { least: 1, usual: 1, range: null }
  const gaps = xs
    .slice(1)
    .map((each, index) => each - (xs[index] as number))
    .toSorted((a, b) => a - b)
  const [least, usual] = [gaps[0] as number, gaps[Math.floor(gaps.length / 2)] as number]
  // ECharts adds half a slot at each end.
  const span = last - first + least
  return { least: least / span, usual: usual / span, range: [first, last] }
}
