import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import { axisOption, categoryFormat, type SpecAxis } from './axes.ts'
import { gridOption, legendOption, tooltipOption, zoomOption } from './components.ts'
import { describePlots } from './describe.ts'
import { endsApart } from './ends-apart.ts'
import { plotOf, type AxisType, type Plot, type SpecSeries } from './plot.ts'
import { drawnColor, seriesOption } from './series.ts'
import { stackEnds } from './stack-ends.ts'
import type { Surroundings } from './surroundings.ts'
import { tipOf, type SpecTooltip, type Tip } from './tooltip.ts'

/** An ECharts option and what the host needs to know about it. */
export interface Resolved {
  option: Record<string, unknown>
  /** Plots in the order of the option's series. */
  plots: Plot[]
  /** Type of the axis that the data runs along; null for charts without axes. */
  axis: AxisType | null
  /** Entries of the legend, hidden ones included; empty when the chart has none. */
  legend: { name: string; color: string; isHidden: boolean }[]
  legendPosition: 'top' | 'bottom' | 'left' | 'right'
  /** Sentence for those who cannot see the picture; `kind` is the chart type's name. */
  describe(kind: string): string
  /** @param series index of a plot @param at index along the dimension */
  tip(series: number, at: number): Tip
  /** Says which plot is under the pointer: the tooltip of an axis writes it bold. */
  hover(series: number | null): void
  isEmpty: boolean
}

/**
 * Turns a spec into an ECharts option: formats become functions, stored colours the theme's, named columns data, tooltip words
 * HTML. Pure: the same for a canvas, for the SVG of a runner and for a test.
 */
export function resolve(spec: Spec, frames: Record<string, Frame>, around: Surroundings): Resolved {
  const tooltip = (spec.tooltip ?? {}) as SpecTooltip
  const axes = { x: spec.xAxis as SpecAxis | undefined, y: spec.yAxis as SpecAxis | undefined }
  const isFlipped = axes.y?.type === 'category' || axes.y?.type === 'time'
  const along = isFlipped ? axes.y : axes.x
  const type = along?.type ?? 'value'
  const format = along && (type === 'category' ? categoryFormat(along) : along.format)
  const read = ((spec.series ?? []) as SpecSeries[]).map((series) => ({
    series,
    plot: plotOf(series, frames, { type, format }, isFlipped, around.locale),
  }))
  const isNamed = read.some(({ series }) => series.endLabel)
  const isCrowded =
    isNamed &&
    spec.legend !== false &&
    !endsApart(
      read.map(({ plot }) => plot),
      around,
    )
  const all = isCrowded ? read.map(({ series, plot }) => ({ series: { ...series, endLabel: undefined }, plot })) : read
  const legend = spec.legend || isCrowded ? legendOf(all, around, spec.legend as SpecLegend | undefined) : []
  const shown = visible(all, around.hidden)
  const plots = shown.map(({ plot }) => plot)
  const ends = stackEnds(plots)
  const labels = type === 'category' ? (longest(plots)?.x.map(String) ?? []) : []
  const place = (side: 'x' | 'y') => ({ side, labels, span, isDimension: (side === 'y') === isFlipped })
  const span = type === 'time' ? spanOf(plots) : 0
  const pointed: Pointed = { series: null }
  const isAxis = Boolean(along)
  const tip = (hovered: number | null, at: number) =>
    tipOf(plots, at, { tooltip, isTime: type === 'time', hovered, only: tooltip.trigger !== 'axis' }, around)
  const position = (spec.legend as SpecLegend | undefined)?.position ?? 'top'
  return {
    option: {
      ...rest(spec),
      useUTC: true,
      animation: around.animate ?? false,
      animationDuration: 240,
      animationDurationUpdate: 240,
      textStyle: { fontFamily: around.theme.font },
      ...(isAxis && {
        grid: gridOption(
          spec,
          all.map(({ series }) => series),
          { hasLegend: legend.length > 0, isFlipped },
          around,
        ),
      }),
      ...(axes.x && { xAxis: axisOption(axes.x, place('x'), around) }),
      ...(axes.y && { yAxis: axisOption(axes.y, place('y'), around) }),
      ...(Array.isArray(spec.dataZoom) && { dataZoom: spec.dataZoom.map((zoom: object) => zoomOption(zoom, around)) }),
      ...(around.legendInside && legend.length > 0 && { legend: legendOption(legend, position, around) }),
      tooltip: tooltipOption(tooltip, tip, pointed, around),
      series: shown.map(({ series, plot }, at) =>
        seriesOption(series, plot, { axis: type, isFlipped, ends: ends[at] ?? [] }, around),
      ),
    },
    plots,
    axis: isAxis ? type : null,
    legend,
    legendPosition: position,
    describe: (kind) => describePlots(plots, { kind, tooltip, isTime: type === 'time' }, around),
    tip,
    hover: (series) => {
      pointed.series = series
    },
    isEmpty: plots.every(({ y }) => y.every((value) => value === null)),
  }
}

interface SpecLegend {
  position?: Resolved['legendPosition']
  /** By name; else in the order of the series. */
  sort?: 'asc' | 'desc'
}

/** The plot under the pointer. */
export interface Pointed {
  series: number | null
}

type Pair = { series: SpecSeries; plot: Plot }

const ours = new Set(['xAxis', 'yAxis', 'series', 'legend', 'tooltip', 'dataZoom', 'total'])
/** ECharts' own words pass through. */
const rest = (spec: Spec) => Object.fromEntries(Object.entries(spec).filter(([word]) => !ours.has(word)))

function spanOf(plots: Plot[]): number {
  const xs = plots.flatMap(({ x }) => [x[0], x.at(-1)]).filter((x) => typeof x === 'number')
  return xs.length > 0 ? Math.max(...xs) - Math.min(...xs) : 0
}

const longest = (plots: Plot[]): Plot | undefined => plots.toSorted((a, b) => b.x.length - a.x.length)[0]

/** One entry per series, or per slice of a chart of slices. */
function legendOf(all: Pair[], { theme, hidden }: Surroundings, spec: SpecLegend = {}): Resolved['legend'] {
  const entries = all.flatMap(({ plot }) =>
    plot.items
      ? plot.items.map((item, i) => ({ name: String(plot.x[i]), color: item.color ?? plot.color }))
      : [{ name: plot.name, color: plot.color }],
  )
  const sign = spec.sort === 'desc' ? -1 : 1
  const sorted = spec.sort ? entries.toSorted((a, b) => sign * a.name.localeCompare(b.name)) : entries
  return sorted.map(({ name, color }) => ({
    name,
    color: drawnColor(color, theme),
    isHidden: hidden?.has(name) ?? false,
  }))
}

function visible(all: Pair[], hidden: ReadonlySet<string> | undefined): Pair[] {
  if (!hidden || hidden.size === 0) return all
  return all
    .filter(({ plot }) => plot.items || !hidden.has(plot.name))
    .map(({ series, plot }) => {
      if (!plot.items) return { series, plot }
      const kept = plot.x.flatMap((name, i) => (hidden.has(String(name)) ? [] : [i]))
      const only = <T>(list: T[]) => kept.map((i) => list[i] as T)
      return { series, plot: { ...plot, x: only(plot.x), y: only(plot.y), items: only(plot.items) } }
    })
}
