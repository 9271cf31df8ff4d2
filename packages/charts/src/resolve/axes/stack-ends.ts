import type { Plot } from './plot.ts'

/** For one item of a plot: whether it is the free end of its bar, and the total of its stack at this position. */
export interface StackPosition {
  isEnd: boolean
  total: number
}

/**
 * Finds the ends of stacked bars: at each position the last mark above zero and the last one below it are rounded and carry the
 * total. Every mark of a series without a stack is an end.
 */
export function stackEnds(plots: readonly Plot[]): StackPosition[][] {
  const places = plots.map(({ y }) => y.map((value) => ({ isEnd: value !== null, total: value ?? 0 })))
  for (const name of new Set(plots.flatMap(({ stack }) => stack ?? []))) {
    const members = plots.flatMap((plot, at) => (plot.stack === name ? [at] : []))
    const length = Math.max(0, ...members.map((at) => plots[at]?.y.length ?? 0))
    for (let i = 0; i < length; i++) closeStack(plots, places, members, i)
  }
  return places
}

function closeStack(plots: readonly Plot[], places: StackPosition[][], members: number[], i: number) {
  const sums = { up: 0, down: 0 }
  const last: { up?: number; down?: number } = {}
  for (const at of members) {
    const value = plots[at]?.y[i] ?? 0
    const side = value >= 0 ? 'up' : 'down'
    sums[side] += value
    if (value !== 0) last[side] = at
  }
  for (const at of members) {
    const side = (plots[at]?.y[i] ?? 0) >= 0 ? 'up' : 'down'
    const place = places[at]?.[i]
    if (place) Object.assign(place, { isEnd: last[side] === at, total: sums[side] })
  }
}
