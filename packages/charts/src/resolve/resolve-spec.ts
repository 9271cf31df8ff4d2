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

/** An ECharts option and what the host needs to know about it. */
export interface ResolvedChart {
  option: Record<string, unknown>
  /** What ECharts must be told to `use` for it, beside axes, tooltip and legend. */
  parts: readonly EChartsExtension[]
  /** What stands on axes, its plots the first series of the option; null for pictures without them. */
  axes: { axis: AxisType; plots: readonly Plot[] } | null
  /** Entries of the legend, hidden ones included; empty when the chart has none. */
  legend: { name: string; color: string; isHidden: boolean }[]
  legendPosition: 'top' | 'bottom' | 'left' | 'right'
  isEmpty: boolean
  /** Sentence for those who cannot see the picture; `kind` is the chart type's name. */
  describe(kind: string): string
  /** What is read out at a mark. */
  markText(place: MarkRef): string
  /** What a click on a mark means; null for one that stands for no single value. */
  mark(place: MarkRef, form: ChartForm): Mark | null
  /** Which part a click on a mark opens: what `opened` of the surroundings takes. Undefined where nothing changes. */
  opening(place: MarkRef): string | null | undefined
  /** Whether there is such a mark, in the picture as it is now. */
  has(place: MarkRef): boolean
  /** Where an arrow key leads; null stays where it is. */
  navigate(from: MarkRef | null, move: Move): MarkRef | null
  /** Marks as ECharts names them; null for what it draws beside marks. */
  fromTarget(target: EChartsTarget & { seriesIndex: number }): MarkRef | null
  toTarget(place: MarkRef): EChartsTarget & { seriesIndex: number }
  /** Says which series is under the pointer: the tooltip of an axis writes it bold. */
  hover(series: number | null): void
}

interface SpecLegend {
  position?: ResolvedChart['legendPosition']
  /** By name; else in the order of the series. */
  sort?: 'asc' | 'desc'
}

/**
 * Turns a spec into an ECharts option: formats become functions, stored colours the theme's, named columns data, tooltip words
 * HTML. Pure: the same for a canvas, for the SVG of a runner and for a test.
 * @param families those of the spec's series (`loadFamilies`)
 * @throws Error for a kind of series that is not among them
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
  const said = (spec.legend || undefined) as SpecLegend | undefined
  const legend = said || axes?.isCrowded ? buildLegend(picture.legend, around, said) : []
  const legendPosition = said?.position ?? 'top'
  const motion = { animation: around.animate ?? false, animationDuration: 240, animationDurationUpdate: 240 }
  // Some kinds of series bring a longer one of their own, or one that nothing else ends.
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
      return facts && buildMark(facts, form)
    },
    opening: (place) => picture.opening?.(place),
    has: picture.has,
    navigate: picture.navigate,
    fromTarget,
    toTarget: (place) => ({ seriesIndex: place.series, ...picture.toTarget(place) }),
    hover: (at) => {
      hovered = at
    },
  }
}

type SeriesWithFamily<F extends Family> = { series: SpecSeries; family: F }
const isOnAxes = (each: SeriesWithFamily<Family>): each is SeriesWithFamily<AxesFamily> => each.family.on === 'axes'
const isNote = (each: SeriesWithFamily<Family>): each is SeriesWithFamily<NoteFamily> => each.family.on === 'notes'
const isOwn = (each: SeriesWithFamily<Family>): each is SeriesWithFamily<StandaloneFamily> => each.family.on === 'own'

const specKeys = new Set(['xAxis', 'yAxis', 'series', 'legend', 'tooltip', 'dataZoom', 'total'])
/** ECharts' own words pass through. */
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
