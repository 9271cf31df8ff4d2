import type { Plot } from './plot.ts'

/** Facts of one item of a plot about its stack. */
export interface StackPosition {
  /** True for the free end of its bar. */
  isEnd: boolean
  /** True if its bar begins at the axis, as the first one of its stack with a value. */
  isStart: boolean
  /** Sum of the items on its side of zero. */
  total: number
  /** Sum up to and including the item, where its mark ends. */
  top: number
  /** Sum of the whole stack, for the item that carries the label of the stack; null for the others. */
  label: number | null
}

/**
 * Finds the ends of stacked bars: at each position the last mark above zero and the last one below it are rounded. The one above
 * carries the label of the stack, or the one below if none is above. Every mark of a series without a stack is an end.
 */
export function stackEnds(plots: readonly Plot[]): StackPosition[][] {
  const places = plots.map(({ y }) =>
    y.map((value) => ({
      isEnd: value !== null,
      isStart: true,
      total: value ?? 0,
      top: value ?? 0,
      label: value as number | null,
    })),
  )
  for (const name of new Set(plots.flatMap(({ stack }) => stack ?? []))) {
    const members = plots.flatMap((plot, index) => (plot.stack === name ? [index] : []))
    const length = Math.max(0, ...members.map((index) => plots[index]?.y.length ?? 0))
    for (let i = 0; i < length; i++) closeStack(plots, places, members, i)
  }
  return places
}

function closeStack(plots: readonly Plot[], places: StackPosition[][], members: number[], i: number) {
  const sums = { up: 0, down: 0 }
  const last: { up?: number; down?: number; zero?: number } = {}
  for (const at of members) {
    const value = plots[at]?.y[i] ?? null
    if (value === null) continue
    const side = value >= 0 ? 'up' : 'down'
    const place = places[at]?.[i]
    if (place) Object.assign(place, { isStart: sums[side] === 0, top: sums[side] + value })
    sums[side] += value
    last[value === 0 ? 'zero' : side] = at
  }
  const carrier = last.up ?? last.down ?? last.zero
  for (const at of members) {
    const side = (plots[at]?.y[i] ?? 0) >= 0 ? 'up' : 'down'
    const place = places[at]?.[i]
    const label = carrier === at ? sums.up + sums.down : null
    if (place) Object.assign(place, { isEnd: last[side] === at, total: sums[side], label })
  }
}
