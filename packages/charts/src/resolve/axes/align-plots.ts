import type { AxisType, Plot } from './plot.ts'

/** Positions along an axis that its plots share, and the mark that each plot has at them. */
export interface AlignedPlots {
  /** Every plot at all positions, without a value where it has no mark. */
  plots: readonly Plot[]
  /** Plots as they are drawn: a line connects its own positions only. */
  drawn: readonly Plot[]
  /** Position along the axis of a plot's own mark. */
  toAxisIndex(plot: number, own: number): number
  /** Index of the plot's own mark at a position; -1 where it has none. */
  toPlotIndex(plot: number, place: number): number
}

/**
 * Aligns plots by position, since the responses of several queries may have different rows.
 * @param isLoose marks are independent, as bubbles are: several may share a position
 */
export function alignPlots(plots: readonly Plot[], axis: AxisType, isLoose = false): AlignedPlots {
  const [first] = plots
  if (!first || isLoose || plots.every(({ x }) => isSame(x, first.x))) return keepPlots(plots)
  const all = [...new Set(plots.flatMap(({ x }) => x))]
  const xs = axis === 'category' ? all : all.toSorted((a, b) => Number(a) - Number(b))
  const places = new Map(xs.map((x, place) => [x, place]))
  const owns = plots.map(({ x }) => new Map(x.map((each, own) => [places.get(each) as number, own])))
  const placeOf = (plot: number, own: number) => places.get(plots[plot]?.x[own] ?? null) ?? -1
  const ownOf = (plot: number, place: number) => owns[plot]?.get(place) ?? -1
  const whole = plots.map((plot, index) => ({
    ...plot,
    x: xs,
    y: xs.map((_, place) => plot.y[ownOf(index, place)] ?? null),
    ...(plot.unfinished !== undefined && { unfinished: placeOf(index, plot.unfinished) }),
  }))
  if (axis !== 'category') return { plots: whole, drawn: plots, toAxisIndex: placeOf, toPlotIndex: ownOf }
  return { ...keepPlots(whole), toPlotIndex: (plot, place) => (ownOf(plot, place) < 0 ? -1 : place) }
}

const keepPlots = (plots: readonly Plot[]): AlignedPlots => ({
  plots,
  drawn: plots,
  toAxisIndex: (_, own) => own,
  toPlotIndex: (plot, place) => (place < (plots[plot]?.x.length ?? 0) ? place : -1),
})

const isSame = (one: Plot['x'], other: Plot['x']) =>
  one === other || (one.length === other.length && one.every((x, index) => x === other[index]))
