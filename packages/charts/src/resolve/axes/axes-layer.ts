import type { Spec } from '../../define.ts'
import type { AxesFamily, SeriesPlacement, SpecSeries } from '../families/family.ts'
import type { Layer, Move, MarkRef } from '../layer.ts'
import type { MarkFacts } from '../marks.ts'
import type { RenderContext } from '../render-context.ts'
import type { SpecTooltip } from '../tooltip.ts'
import { alignPlots, type AlignedPlots } from './align-plots.ts'
import { axisOption, type SpecAxis } from './axis-option.ts'
import { estimateBarSize, type BarSize } from './bar-size.ts'
import { describePlots } from './describe.ts'
import { hasRoomForEndLabels } from './end-label-room.ts'
import type { SpecLabel } from './labels.ts'
import { buildNotesOverlay, type NoteSeries } from './notes.ts'
import { navigateForecasts } from './forecast-navigation.ts'
import { gridOption, type GridOption } from './grid.ts'
import { buildFootnote } from '../footnote.ts'
import { describeNonPositive, findLogStart, isLargestFirst, listLogAxes, withoutNonPositive } from './log-axes.ts'
import { sortPlots } from './sort-plots.ts'
import { positionValue, type AxisType, type Plot } from './plot.ts'
import type { AxesContext } from './read-axes.ts'
import { stackEnds } from './stack-ends.ts'
import { buildAxesTooltip } from './tooltip.ts'

interface AxesEntry {
  series: SpecSeries
  family: AxesFamily
  plot: Plot
}

/** All series on the axes of a chart, of any type. */
export interface AxesLayer extends Layer {
  axis: AxisType
  plots: readonly Plot[]
  /** The names at the right ends of lines would overlap, so a legend shows them. */
  isCrowded: boolean
}

export function buildAxesLayer(
  given: readonly { series: SpecSeries; family: AxesFamily }[],
  spec: Spec,
  { tooltip, reading, notes: laidOver }: { tooltip: SpecTooltip; reading: AxesContext; notes: readonly NoteSeries[] },
  around: RenderContext,
): AxesLayer {
  const own = given.map(({ series, family }) => family.read(series, reading))
  const inPlace = reading.order ? sortPlots(own, reading.order) : own
  const read = given.map((each, index): AxesEntry => ({ ...each, plot: inPlace[index] as Plot }))
  const isCrowded =
    spec.legend !== false &&
    read.some(({ series }) => series.endLabel) &&
    !hasRoomForEndLabels(
      read.flatMap(({ series, plot }) => (series.endLabel ? [plot] : [])),
      around,
    )
  const all = isCrowded ? read.map((each) => ({ ...each, series: { ...each.series, endLabel: undefined } })) : read
  const { axis, isFlipped } = reading
  const left = all.filter(({ plot }) => !around.hidden?.has(plot.name))
  const along = alignPlots(
    left.map(({ plot }) => plot),
    axis.type,
    left.every(({ family }) => family.tip !== undefined),
  )
  const { plots } = along
  const logAxes = listLogAxes(spec, isFlipped)
  const onLog = ({ measure = 0 }: Plot) => logAxes.has(measure)
  const drawn = along.drawn.map((plot, index) =>
    onLog(plot) && !left[index]?.family.note ? withoutNonPositive(plot) : plot,
  )
  const shown = left.map((each, index) => ({ ...each, plot: drawn[index] as Plot }))
  const isUpsideDown = isLargestFirst(drawn, onLog)
  const ends = isUpsideDown ? stackEnds(drawn.toReversed()).toReversed() : stackEnds(drawn)
  const isTime = axis.type === 'time'
  const notes = buildNotesOverlay(
    laidOver,
    all.map(({ plot }) => plot),
    { tooltip, reading },
    around,
  )
  const standing = shown.map(({ plot, series }, index) => ({ plot, type: series.type, ends: ends[index] ?? [] }))
  const sides = { axis: axis.type, isFlipped }
  const bars = estimateBarSize(
    standing.filter(({ type }) => type === 'bar'),
    sides,
    around,
  )
  const starts = new Map(
    [...logAxes].map((axis) => [
      axis,
      findLogStart(
        shown.flatMap(({ plot, series }) => (series.type === 'bar' && (plot.measure ?? 0) === axis ? plot : [])),
      ),
    ]),
  )
  const places = standing.map((each, rank): SeriesPlacement => ({
    ...sides,
    ends: each.ends,
    bars,
    rank,
    logStart: starts.get(each.plot.measure ?? 0) ?? null,
    isUpsideDown,
    opensStack:
      standing[isUpsideDown ? 'findLastIndex' : 'findIndex'](({ plot }) => plot.stack === each.plot.stack) === rank,
  }))
  const isLabelledBelow = shown.some(({ series, plot }) => {
    const label = (series as SpecSeries).label as SpecLabel | undefined
    return label && label.position !== 'inside' && plot.y.some((value) => value !== null && value < 0)
  })
  const grid = gridOption(spec, all, isFlipped, around)
  const [first] = shown
  const family = shown.every((each) => each.family === first?.family) ? first?.family : undefined
  // A family with its own note reports what it cannot draw.
  const log = logAxes.size > 0 ? describeNonPositive(plots.filter(onLog), around) : null
  const words = family?.note ? family.note(plots, around) : log
  const under = words === null ? null : buildFootnote(words, around)
  grid.bottom += under?.height ?? 0
  return {
    axis: axis.type,
    plots,
    isCrowded,
    series: [
      ...shown.map(({ series, family, plot }, index) =>
        family.option(series, plot, places[index] as SeriesPlacement, around),
      ),
      ...shown.flatMap(
        ({ series, family, plot }, index) =>
          family.beside?.(series, plot, places[index] as SeriesPlacement, around) ?? [],
      ),
      ...notes.series,
    ],
    components: {
      grid,
      ...axisOptions(spec, reading, plots, { grid, reach: notes.reach, bars, starts, isLabelledBelow }, around),
      ...(under && { title: under.title }),
    },
    legend: [
      ...all.filter(({ plot }) => !plot.range).map(({ plot: { name, color } }) => ({ name, color })),
      ...notes.legend,
    ],
    isEmpty: all.every(({ plot }) => plot.y.every((value) => value === null)),
    describe(kind) {
      const ownDescription = family?.describe?.(plots, { kind, tooltip }, around)
      const descriptions = groupByAxis(plots).map((each) => describePlots(each, { kind, tooltip, isTime }, around))
      return [...(ownDescription === undefined ? descriptions : [ownDescription]), words, ...notes.described]
        .filter(Boolean)
        .join(' ')
    },
    tip(hovered, index) {
      const only = tooltip.trigger !== 'axis'
      const one = hovered === null ? undefined : shown[hovered]
      const tip =
        only && one?.family.tip
          ? one.family.tip(one.plot, along.toPlotIndex(hovered as number, index), tooltip, around)
          : buildAxesTooltip(plots, index, { tooltip, isTime, hovered, only }, around)
      const noteTexts = notes.at(plots[0], index)
      return noteTexts.length > 0 ? { ...tip, notes: noteTexts } : tip
    },
    has: ({ series, at }) => along.toPlotIndex(series, at) >= 0,
    facts({ series, at }) {
      const one = shown[series]
      return one ? (one.family.facts ?? plotFacts)(one.plot, along.toPlotIndex(series, at), axis.type) : null
    },
    navigate: (from, move) => navigateForecasts(plots, from, (known) => navigatePlots(along, known, move)),
    fromTarget(series, { dataIndex }) {
      const one = shown[series]
      if (!one) return -1
      return along.toAxisIndex(
        series,
        Math.min(one.family.fromDataIndex?.(one.plot, dataIndex) ?? dataIndex, one.plot.x.length - 1),
      )
    },
    toTarget({ series, at }) {
      const one = shown[series]
      const own = along.toPlotIndex(series, at)
      return { dataIndex: one?.family.toDataIndex?.(one.plot, own) ?? own }
    },
  }
}

interface AxesSurroundings {
  grid: GridOption
  reach: readonly number[]
  bars: BarSize
  /** Where bars begin, by logarithmic axis. */
  starts: ReadonlyMap<number, number | null>
  /** Negative numbers have labels at their ends. */
  isLabelledBelow: boolean
}

function axisOptions(
  spec: Spec,
  { axis, isFlipped }: AxesContext,
  plots: readonly Plot[],
  { grid, reach, bars, starts, isLabelledBelow }: AxesSurroundings,
  around: RenderContext,
) {
  const labels = axis.type === 'category' ? (longest(plots)?.x.map(String) ?? []) : []
  const times = axis.type === 'time' ? collectTimes(plots, reach) : []
  const option = (side: 'x' | 'y') => {
    const isDimension = (side === 'y') === isFlipped
    const given = spec[`${side}Axis`] as SpecAxis | SpecAxis[]
    const isPair = Array.isArray(given) && given.length > 1
    const isZoomable = Array.isArray(spec.dataZoom)
    const place = {
      side,
      labels,
      times,
      isDimension,
      isZoomable,
      isPair,
      names: grid.right,
      range: bars.range,
      hasLabelsBelow: !isDimension && isLabelledBelow,
    }
    const from = (index: number) => (isDimension ? null : (starts.get(index) ?? null))
    return Array.isArray(given)
      ? given.map((each, index) => axisOption(each, { ...place, start: from(index) }, around))
      : axisOption(given, { ...place, start: from(0) }, around)
  }
  return {
    ...(spec.xAxis !== undefined && { xAxis: option('x') }),
    ...(spec.yAxis !== undefined && { yAxis: option('y') }),
  }
}

const longest = (plots: readonly Plot[]): Plot | undefined => plots.toSorted((a, b) => b.x.length - a.x.length)[0]

const collectTimes = (plots: readonly Plot[], reach: readonly number[]): number[] =>
  [...new Set([...plots.flatMap(({ x }) => x), ...reach])]
    .filter((x) => typeof x === 'number')
    .toSorted((a, b) => a - b)

const plotFacts = (plot: Plot, index: number, axis: AxisType): MarkFacts | null => {
  const { name, key, y, xColumn, frame } = plot
  if (!(index in y)) return null
  const along = { column: xColumn, value: positionValue(plot, index), axis }
  return { key, along, values: { [name]: y[index] ?? null }, name, query: frame }
}

/**
 * Left and right move along the axis; up and down move to the adjacent series, at the same position or the nearest one that it
 * has.
 */
function navigatePlots(
  { plots, toPlotIndex, toAxisIndex, drawn }: AlignedPlots,
  from: MarkRef | null,
  move: Move,
): MarkRef | null {
  const series = from?.series ?? 0
  const last = (drawn[series]?.x.length ?? 0) - 1
  if (last < 0) return null
  if (move === 'first') return { series, at: toAxisIndex(series, 0) }
  if (move === 'last') return { series, at: toAxisIndex(series, last) }
  if (!from) return { series, at: toAxisIndex(series, move === 'previous' ? last : 0) }
  const step = { down: 1, up: -1, next: 0, previous: 0 }[move]
  const beside = series + step
  const length = plots[beside]?.x.length ?? 0
  if (length === 0 || !drawn[beside]?.x.length) return null
  if (step === 0) {
    const own = toPlotIndex(series, from.at) + { next: 1, previous: -1, down: 0, up: 0 }[move]
    return { series, at: toAxisIndex(series, Math.min(last, Math.max(0, own))) }
  }
  const near = Array.from({ length: Math.max(length, from.at + 1) }, (_, off) => [from.at - off, from.at + off]).flat()
  const at = near.find((place) => toPlotIndex(beside, place) >= 0)
  return at === undefined ? null : { series: beside, at }
}

/** Groups plots that are measured on different axes. */
const groupByAxis = (plots: readonly Plot[]): Plot[][] => {
  const axes = [...new Set(plots.map(({ measure }) => measure))]
  return axes.length < 2 ? [[...plots]] : axes.map((axis) => plots.filter(({ measure }) => measure === axis))
}
