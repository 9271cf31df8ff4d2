import type { AxisType, Plot } from './plot.ts'

/** The places along an axis that its plots share, and which of them each plot has. */
export interface AlignedPlots {
  /** Every plot at all places: nothing stands where it has none of its own. */
  plots: readonly Plot[]
  /** As each is drawn: a line goes from one of its own places to the next. */
  drawn: readonly Plot[]
  /** Place along the axis of a plot's own mark. */
  toAxisIndex(plot: number, own: number): number
  /** The plot's own mark at a place; -1 where it has none. */
  toPlotIndex(plot: number, place: number): number
}

/**
 * Answers of several questions need not have the same rows: what stands at one place is found by where it stands.
 * @param isLoose marks stand by themselves, as bubbles do: several may have the same place
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
  const whole = plots.map((plot, at) => ({
    ...plot,
    x: xs,
    y: xs.map((_, place) => plot.y[ownOf(at, place)] ?? null),
    ...(plot.unfinished !== undefined && { unfinished: placeOf(at, plot.unfinished) }),
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
  one === other || (one.length === other.length && one.every((x, at) => x === other[at]))
