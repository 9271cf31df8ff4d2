import type { Spec } from '../../define.ts'
import type { AxesFamily, AxesPlace, SpecSeries } from '../families/family.ts'
import type { Layer, Move, Place } from '../layer.ts'
import type { MarkFacts } from '../marks.ts'
import type { Surroundings } from '../surroundings.ts'
import type { SpecTooltip } from '../tooltip.ts'
import { axisOption, type SpecAxis } from './axis-option.ts'
import { barSizeOf } from './bar-size.ts'
import { describePlots } from './describe.ts'
import { endsApart } from './ends-apart.ts'
import { notesOn, type GivenNote } from './notes.ts'
import { gridOption, type GridOption } from './grid.ts'
import type { AxisType, Plot } from './plot.ts'
import type { Axes } from './read-axes.ts'
import { stackEnds } from './stack-ends.ts'
import { axesTip } from './tip.ts'

interface Standing {
  series: SpecSeries
  family: AxesFamily
  plot: Plot
}

/** All series on the axes of a picture, of whatever kinds. */
export interface AxesLayer extends Layer {
  axis: AxisType
  plots: readonly Plot[]
  /** The names at the right ends of lines would cover each other: a legend says them. */
  isCrowded: boolean
}

export function axesLayer(
  given: readonly { series: SpecSeries; family: AxesFamily }[],
  spec: Spec,
  { tooltip, reading, notes: laidOver }: { tooltip: SpecTooltip; reading: Axes; notes: readonly GivenNote[] },
  around: Surroundings,
): AxesLayer {
  const read = given.map(({ series, family }): Standing => ({ series, family, plot: family.read(series, reading) }))
  const isCrowded =
    spec.legend !== false &&
    read.some(({ series }) => series.endLabel) &&
    !endsApart(
      read.map(({ plot }) => plot),
      around,
    )
  const all = isCrowded ? read.map((each) => ({ ...each, series: { ...each.series, endLabel: undefined } })) : read
  const shown = all.filter(({ plot }) => !around.hidden?.has(plot.name))
  const plots = shown.map(({ plot }) => plot)
  const ends = stackEnds(plots)
  const { axis, isFlipped } = reading
  const isTime = axis.type === 'time'
  const hasLegend = Boolean(spec.legend) || isCrowded
  const notes = notesOn(
    laidOver,
    all.map(({ plot }) => plot),
    { tooltip, reading },
    around,
  )
  const standing = shown.map(({ plot, series }, at) => ({ plot, type: series.type, ends: ends[at] ?? [] }))
  const sides = { axis: axis.type, isFlipped }
  const bars = barSizeOf(
    standing.filter(({ type }) => type === 'bar'),
    sides,
    around,
  )
  const places = standing.map((each): AxesPlace => ({ ...sides, ends: each.ends, bars }))
  const grid = gridOption(
    spec,
    all.map(({ series }) => series),
    { hasLegend: hasLegend && all.length > 0, isFlipped },
    around,
  )
  return {
    axis: axis.type,
    plots,
    isCrowded,
    series: [
      ...shown.map(({ series, family, plot }, at) => family.option(series, plot, places[at] as AxesPlace, around)),
      ...shown.flatMap(
        ({ series, family, plot }, at) => family.beside?.(series, plot, places[at] as AxesPlace, around) ?? [],
      ),
      ...notes.series,
    ],
    components: { grid, ...axisOptions(spec, reading, plots, { grid, reach: notes.reach }, around) },
    legend: [...all.map(({ plot: { name, color } }) => ({ name, color })), ...notes.legend],
    isEmpty: all.every(({ plot }) => plot.y.every((value) => value === null)),
    describe: (kind) => [describePlots(plots, { kind, tooltip, isTime }, around), ...notes.described].join(' '),
    tip(hovered, at) {
      const only = tooltip.trigger !== 'axis'
      const one = hovered === null ? undefined : shown[hovered]
      const tip =
        only && one?.family.tip
          ? one.family.tip(one.plot, at, tooltip, around)
          : axesTip(plots, at, { tooltip, isTime, hovered, only }, around)
      return { ...tip, notes: notes.at(one?.plot ?? plots[0], at) }
    },
    has: ({ series, at }) => at < (plots[series]?.x.length ?? 0),
    facts({ series, at }) {
      const one = shown[series]
      return one ? (one.family.facts ?? plotFacts)(one.plot, at, axis.type) : null
    },
    walk: (from, move) => walkPlots(plots, from, move),
    atOf: (series, { dataIndex }) => Math.min(dataIndex, (plots[series]?.x.length ?? 0) - 1),
    targetOf({ series, at }) {
      const one = shown[series]
      return { dataIndex: one?.family.indexOf?.(one.plot, at) ?? at }
    },
  }
}

function axisOptions(
  spec: Spec,
  { axis, isFlipped }: Axes,
  plots: readonly Plot[],
  { grid, reach }: { grid: GridOption; reach: readonly number[] },
  around: Surroundings,
) {
  const labels = axis.type === 'category' ? (longest(plots)?.x.map(String) ?? []) : []
  const times = axis.type === 'time' ? timesOf(plots, reach) : []
  const option = (side: 'x' | 'y') => {
    const isDimension = (side === 'y') === isFlipped
    const place = { side, labels, times, isDimension, isZoomable: Array.isArray(spec.dataZoom), names: grid.right }
    const given = spec[`${side}Axis`] as SpecAxis | SpecAxis[]
    return Array.isArray(given)
      ? given.map((each) => axisOption(each, place, around))
      : axisOption(given, place, around)
  }
  return {
    ...(spec.xAxis !== undefined && { xAxis: option('x') }),
    ...(spec.yAxis !== undefined && { yAxis: option('y') }),
  }
}

const longest = (plots: readonly Plot[]): Plot | undefined => plots.toSorted((a, b) => b.x.length - a.x.length)[0]

const timesOf = (plots: readonly Plot[], reach: readonly number[]): number[] =>
  [...new Set([...plots.flatMap(({ x }) => x), ...reach])]
    .filter((x) => typeof x === 'number')
    .toSorted((a, b) => a - b)

const plotFacts = ({ name, key, x, y, xColumn }: Plot, at: number, axis: AxisType): MarkFacts | null =>
  at in y
    ? { key, along: { column: xColumn, value: x[at] ?? null, axis }, values: { [name]: y[at] ?? null }, name }
    : null

/** Left and right along the axis, up and down from series to series. */
function walkPlots(plots: readonly Plot[], from: Place | null, move: Move): Place | null {
  const series = from?.series ?? 0
  const last = (plots[series]?.x.length ?? 0) - 1
  if (last < 0) return null
  if (move === 'first') return { series, at: 0 }
  if (move === 'last') return { series, at: last }
  if (!from) return { series, at: move === 'previous' ? last : 0 }
  const down = { down: 1, up: -1, next: 0, previous: 0 }[move]
  const along = { next: 1, previous: -1, down: 0, up: 0 }[move]
  if (!plots[series + down]) return null
  return { series: series + down, at: Math.min(last, Math.max(0, from.at + along)) }
}
