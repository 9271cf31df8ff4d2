import type { Frame } from '@parquetry/frame'
import type { ChartForm, Spec } from '../define.ts'
import { buildAxesLayer } from './axes/axes-layer.ts'
import type { AxisType, Plot } from './axes/plot.ts'
import { readAxes } from './axes/read-axes.ts'
import { tooltipOption, zoomOption } from './components.ts'
import type {
  AxesFamily,
  Family,
  NoteFamily,
  StandaloneFamily,
  EChartsExtension,
  SpecSeries,
} from './families/family.ts'
import { requireFamily, type Families } from './families/load.ts'
import type { LegendEntry, Move, MarkRef, EChartsTarget } from './layer.ts'
import { buildMark, type Mark } from './marks.ts'
import { buildStandaloneLayer } from './standalone-layer.ts'
import { withAlpha } from '../shared/colors/color.ts'
import { toThemeColor } from './paint.ts'
import { combineLayers } from './combine-layers.ts'
import type { RenderContext } from './render-context.ts'
import { formatTooltipText, type SpecTooltip } from './tooltip.ts'

/** An ECharts option and the related functions that the host needs. */
export interface ResolvedChart {
  option: Record<string, unknown>
  /** Modules for ECharts' `use`, besides axes, tooltip and legend. */
  parts: readonly EChartsExtension[]
  /** Plots on axes, which are the first series of the option; null for charts without axes. */
  axes: { axis: AxisType; plots: readonly Plot[] } | null
  /** Legend entries, including hidden ones; empty if the chart has no legend. */
  legend: { name: string; color: string; isHidden: boolean }[]
  legendPosition: 'top' | 'bottom' | 'left' | 'right'
  isEmpty: boolean
  /** Returns the text alternative of the chart; `kind` is the name of the chart type. */
  describe(kind: string): string
  /** Screen reader text of a mark. */
  markText(place: MarkRef): string
  /** Returns the mark for a click; null if it does not represent a single value. */
  mark(place: MarkRef, form: ChartForm): Mark | null
  /** Part that a click on a mark opens, to be passed as `opened` of the surroundings. Undefined if nothing changes. */
  opening(place: MarkRef): string | null | undefined
  /** Returns true if the mark exists in the current chart. */
  has(place: MarkRef): boolean
  /** Returns the mark that an arrow key leads to; null to stay. */
  navigate(from: MarkRef | null, move: Move): MarkRef | null
  /** Converts between ECharts' targets and marks; null for drawn items that are not marks. */
  fromTarget(target: EChartsTarget & { seriesIndex: number }): MarkRef | null
  toTarget(place: MarkRef): EChartsTarget & { seriesIndex: number }
  /** Sets the series under the pointer, which the tooltip of an axis shows in bold. */
  hover(series: number | null): void
}

interface SpecLegend {
  position?: ResolvedChart['legendPosition']
  /** Sorts by name; defaults to the order of the series. */
  sort?: 'asc' | 'desc'
}

/**
 * Converts a spec into an ECharts option: formats become functions, stored colors those of the theme, column names data, and
 * tooltips HTML. It is pure, so the result is the same for a canvas, for the SVG of a runner and for a test.
 * @param families of the spec's series (`loadFamilies`)
 * @throws Error for a series type that is not among them
 */
export function resolveSpec(
  spec: Spec,
  frames: Record<string, Frame>,
  around: RenderContext,
  families: Families,
): ResolvedChart {
  const tooltip = (spec.tooltip ?? {}) as SpecTooltip
  const reading = readAxes(spec, frames, around.locale)
  const given = ((spec.series ?? []) as SpecSeries[]).map((series) => ({
    series,
    family: requireFamily(families, series.type),
  }))
  const notes = given.filter(isNote)
  const axes = reading.hasAxes
    ? buildAxesLayer(given.filter(isOnAxes), spec, { tooltip, reading, notes }, around)
    : null
  const own = given
    .filter(isOwn)
    .map(({ series, family }) => buildStandaloneLayer(series, family, { tooltip, reading }, around))
  const picture = combineLayers([...(axes ? [axes] : []), ...own])
  const legendSpec = (spec.legend || undefined) as SpecLegend | undefined
  const legend = legendSpec || axes?.isCrowded ? buildLegend(picture.legend, around, legendSpec) : []
  const legendPosition = legendSpec?.position ?? 'top'
  const motion = { animation: around.animate ?? false, animationDuration: 240, animationDurationUpdate: 240 }
  // Some series types define a longer animation, or one that is not disabled by the option of the chart.
  const series = picture.series.map((each): typeof each => ({ ...motion, ...each }))
  let hovered: number | null = null
  const fromTarget: ResolvedChart['fromTarget'] = ({ seriesIndex, ...target }) => {
    const at = picture.fromTarget(seriesIndex, target)
    return at < 0 ? null : { series: seriesIndex, at }
  }
  return {
    option: {
      ...rest(spec),
      useUTC: true,
      animation: motion.animation,
      textStyle: { fontFamily: around.theme.font },
      ...picture.components,
      ...(Array.isArray(spec.dataZoom) && { dataZoom: spec.dataZoom.map((zoom: object) => zoomOption(zoom, around)) }),
      tooltip: tooltipOption(
        tooltip,
        (target, isAxis) => {
          const place = fromTarget(target)
          return place && picture.tip(isAxis ? hovered : place.series, place.at)
        },
        around,
      ),
      series,
    },
    parts: [...new Set(given.flatMap(({ family }) => family.parts))],
    axes,
    legend,
    legendPosition,
    isEmpty: picture.isEmpty,
    describe: picture.describe,
    markText: (place) =>
      formatTooltipText(picture.tip(place.series, place.at), String(series[place.series]?.name ?? '')),
    mark: (place, form) => {
      const facts = picture.facts(place)
      return facts && buildMark(facts, form, around.locale)
    },
    opening: (place) => picture.opening?.(place),
    has: picture.has,
    navigate: picture.navigate,
    fromTarget,
    toTarget: (place) => ({ seriesIndex: place.series, ...picture.toTarget(place) }),
    hover: (index) => {
      hovered = index
    },
  }
}

type SeriesWithFamily<F extends Family> = { series: SpecSeries; family: F }
const isOnAxes = (each: SeriesWithFamily<Family>): each is SeriesWithFamily<AxesFamily> => each.family.on === 'axes'
const isNote = (each: SeriesWithFamily<Family>): each is SeriesWithFamily<NoteFamily> => each.family.on === 'notes'
const isOwn = (each: SeriesWithFamily<Family>): each is SeriesWithFamily<StandaloneFamily> => each.family.on === 'own'

const specKeys = new Set(['xAxis', 'yAxis', 'series', 'legend', 'tooltip', 'dataZoom', 'total'])
/** Passes other properties through to ECharts. */
const rest = (spec: Spec) => Object.fromEntries(Object.entries(spec).filter(([word]) => !specKeys.has(word)))

function buildLegend(
  entries: readonly LegendEntry[],
  { theme, hidden }: RenderContext,
  { sort }: SpecLegend = {},
): ResolvedChart['legend'] {
  const sign = sort === 'desc' ? -1 : 1
  const sorted = sort ? entries.toSorted((a, b) => sign * a.name.localeCompare(b.name)) : entries
  return sorted.map(({ name, color, opacity }) => ({
    name,
    color: opacity === undefined ? toThemeColor(color, theme) : withAlpha(toThemeColor(color, theme), opacity),
    isHidden: hidden?.has(name) ?? false,
  }))
}
