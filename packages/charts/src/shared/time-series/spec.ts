import { numberAt, type Frame } from '@parquetry/frame'
import type { ChartForm, SpecContext, Spec } from '../../define.ts'
import { othersColor } from '../../resolve/paint.ts'
import { findColumn } from '../column.ts'
import { isAdditive } from '../aggregate-kind.ts'
import { commonMetricFormat } from '../formats/metrics.ts'
import { grainFormat } from '../formats/time.ts'
import { unfinishedPeriod } from '../grain.ts'
import { annotationSeries } from '../annotations/series.ts'
import { forecastColumnRefs, findLastKnownRow } from './forecast.ts'
import { hasMultipleSeries } from './form.ts'
import { xLabel, type SeriesForm } from './query.ts'
import { listSeries, type Series } from './series.ts'

/** Drawing style of the series of a chart; everything else comes from the form. */
export interface MarkStyle {
  type: 'line' | 'bar' | 'scatter'
  smooth?: boolean
  step?: 'start' | 'middle' | 'end'
  area?: boolean
  horizontal?: boolean
}

/** Up to this number, lines are labeled at their right end instead of in a legend. */
const directLabels = 4

/** Builds the spec for a response of `seriesSteps`: series over a time, number or category axis. */
export function timeSeriesSpec(
  frame: Frame | undefined,
  form: SeriesForm & ChartForm,
  context: SpecContext,
  marks: MarkStyle,
): Spec {
  const answer = frame ?? { rows: 0, columns: [] }
  const series = listSeries(answer, form, context)
  const axis = resolveAxisKind(answer, form, marks)
  const colorOf = assignColors(series, form, context)
  const ground = { frame: answer, x: xLabel(form), axis, colors: series.map(({ base }) => colorOf(base)) }
  const notes = annotationSeries(form.annotation_layers, ground, context)
  const names = series.length + notes.filter(({ legend }) => legend !== false).length
  const format = valueFormat(form, context)
  const ownFormat = ({ metric }: Series) => (isShare(form) ? format : context.formatOf(metric))
  const isStacked = Boolean(form.stack)
  const adds = form.metrics.every((metric) => isAdditive(metric, context))
  const end = series.some(({ isForecast }) => isForecast)
    ? findLastKnownRow(answer, new Set(series.map(({ column }) => column)))
    : null
  const isDirect =
    form.show_legend !== true &&
    marks.type === 'line' &&
    !isStacked &&
    names === series.length &&
    end === null &&
    series.length > 1 &&
    series.length <= directLabels
  const hasLegend = form.show_legend ?? (names > 1 && !isDirect)
  const unfinished =
    axis === 'time' && form.mark_unfinished !== false
      ? findUnfinishedPeriod(answer, form, context, end ?? undefined)
      : null
  const isStream = form.stack === 'Stream'
  const xAxis = {
    ...xAxisSpec(form, axis, context),
    ...(unfinished !== null && !isStream && { unfinished }),
    ...(isStream && { axisLine: { onZero: false } }),
  }
  // Bands around a center line have no baseline to measure from.
  const yAxis = isStream ? { type: 'value', format, show: false } : yAxisSpec(form, format, marks)
  const colorIn = ({ isOthers, base }: Series) => (isOthers ? othersColor : colorOf(base))
  return {
    ...(form.show_legend === false && isDirect && { legend: false }),
    ...(hasLegend && {
      legend: { position: form.legendOrientation, ...(form.legendSort != null && { sort: form.legendSort }) },
    }),
    tooltip: {
      trigger: form.rich_tooltip === false || marks.type === 'scatter' ? 'item' : 'axis',
      ...(axis === 'time' && { title: { format: titleFormat(form) } }),
      rows: [
        { field: 'value', format, ...(isStacked && form.showTooltipPercentage !== false && adds && { share: true }) },
      ],
      ...(form.tooltipSortByMetric !== false && { sort: 'value' }),
      ...(isStacked && form.stack !== 'Expand' && form.showTooltipTotal !== false && adds && { total: true }),
    },
    xAxis: marks.horizontal ? yAxis : xAxis,
    yAxis: marks.horizontal ? { ...xAxis, inverse: axis === 'category' } : yAxis,
    ...(form.zoomable === true && { dataZoom: [{ type: 'slider' }] }),
    series: [
      ...series.map((each) => {
        const own = ownFormat(each)
        return {
          ...buildSeries(each, form, colorIn(each), { marks, format: own, isStacked, adds, isDirect, end }),
          ...(own !== format && { format: own }),
          ...(isStream && { isAroundMiddle: true }),
        }
      }),
      ...series.filter(isContinuedByForecast).map((each) => {
        const own = ownFormat(each)
        return {
          ...forecastSeries(each, form, colorIn(each), { marks, isStacked, end }),
          ...(own !== format && { format: own }),
        }
      }),
      ...notes,
    ],
  }
}

/** A single measure does not need a color to distinguish it. */
function assignColors(series: readonly Series[], { groupby, metrics }: SeriesForm, context: SpecContext) {
  const isOne = groupby.length === 0 && metrics.length === 1
  return context.colorsOf(isOne ? [] : series.flatMap(({ base, isOthers }) => (isOthers ? [] : base)))
}

export function findUnfinishedPeriod(
  frame: Frame,
  form: SeriesForm & ChartForm,
  { until }: SpecContext,
  last = frame.rows - 1,
): number | null {
  const times = findColumn(frame, xLabel(form))
  return unfinishedPeriod(times && last >= 0 ? numberAt(times, last) : null, form.time_grain_sqla, until)
}

export type AxisKind = 'time' | 'value' | 'category'

/** Bars over numbers are placed side by side like categories; lines and points preserve the distances. */
export function resolveAxisKind(frame: Frame, form: SeriesForm, { type }: MarkStyle): AxisKind {
  const column = findColumn(frame, xLabel(form))
  if (column?.kind === 'time') return 'time'
  const isNumber = column && ['number', 'bigint', 'decimal'].includes(column.kind)
  return isNumber && type !== 'bar' ? 'value' : 'category'
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function xAxisSpec(form: SeriesForm & ChartForm, type: AxisKind, context: SpecContext): Spec {
  const title = text(form.x_axis_title)
  const rotate = Number(form.xAxisLabelRotation) || 0
  const isWhole = type === 'category' && form.xAxisLabelInterval === '0'
  return {
    type,
    ...(type === 'time' && { format: form.x_axis_time_format ?? 'smart_date' }),
    ...(title && { name: context.displayName(title) }),
    ...((rotate !== 0 || isWhole) && {
      axisLabel: { ...(rotate !== 0 && { rotate }), ...(isWhole && { interval: 0 }) },
    }),
    ...(form.minorTicks === true && { minorTick: { show: true } }),
    ...(type === 'category' && hasMultipleSeries(form) && axisOrder(form)),
    ...(type === 'value' && { scale: true, format: 'SMART_NUMBER' }),
    ...(type === 'value' && form.truncateXAxis === true && axisBounds(form.xAxisBounds)),
  }
}

function axisOrder({ x_axis_sort_series: by, x_axis_sort_series_ascending: ascending }: ChartForm): Spec {
  const isAsItComes = by === undefined || (by === 'name' && ascending !== false)
  return isAsItComes ? {} : { order: { by, ascending: ascending !== false } }
}

function axisBounds(bounds: unknown): Spec {
  const [min, max] = (Array.isArray(bounds) ? bounds : []) as (number | null)[]
  return { ...(min != null && { min }), ...(max != null && { max }) }
}

export function yAxisSpec(form: SeriesForm & ChartForm, format: string, { type }: MarkStyle): Spec {
  const [min, max] = form.y_axis_bounds as (number | null)[]
  const title = text(form.y_axis_title)
  const isOpen = form.truncateYAxis === true && min == null && max == null
  return {
    type: form.logAxis ? 'log' : 'value',
    format,
    ...(title && { name: title }),
    ...(min != null && { min }),
    ...(form.stack === 'Expand' ? { max: 1 } : max != null && { max }),
    ...((isOpen || type === 'scatter') && { scale: true }),
    ...(form.minorSplitLine === true && { minorSplitLine: { show: true } }),
    ...(form.minorTicks === true && { minorTick: { show: true } }),
  }
}

export const isShare = (form: SeriesForm) =>
  Boolean(form.contributionMode) ||
  form.stack === 'Expand' ||
  (form.time_compare.length > 0 && form.comparison_type === 'percentage')

export function valueFormat(form: SeriesForm & ChartForm, context: SpecContext): string {
  if (isShare(form)) return form.y_axis_format === 'SMART_NUMBER' ? ',.1~%' : String(form.y_axis_format)
  return commonMetricFormat(form.metrics, context)
}

export const titleFormat = (form: ChartForm) =>
  text(form.tooltipTimeFormat === 'smart_date' ? '' : form.tooltipTimeFormat) ?? grainFormat(text(form.time_grain_sqla))

export interface SeriesDrawing {
  marks: MarkStyle
  format: string
  isStacked: boolean
  /** True when the values of a stack add up to a value of its metrics. */
  adds: boolean
  isDirect: boolean
  /** The last row that is not a forecast; null when there is none. */
  end?: number | null | undefined
}

export function buildSeries(series: Series, form: SeriesForm & ChartForm, color: string, drawing: SeriesDrawing): Spec {
  const { marks, isStacked } = drawing
  const x = { column: xLabel(form) }
  const y = { column: series.column }
  return {
    type: marks.type,
    name: series.name,
    color,
    ...(Object.keys(series.key).length > 0 && { key: series.key }),
    points: marks.horizontal ? { x: y, y: x } : { x, y },
    ...(isStacked && { stack: series.offset ?? 'all', ...(drawing.end != null && { end: drawing.end }) }),
    ...(marks.type === 'line' && lineSpec(series, form, marks)),
    ...(marks.type === 'scatter' && { symbolSize: form.markerSize }),
    ...(marks.type === 'bar' && series.offset && { itemStyle: { opacity: 0.5 } }),
    ...(drawing.isDirect && { endLabel: { show: true } }),
    ...(form.show_value === true && { label: valueLabel(form, drawing) }),
  }
}

/** Comparison series of earlier periods have no forecast. */
const isContinuedByForecast = ({ isForecast, offset }: Series): boolean => isForecast && offset === null

/** Builds the forecast of a series, in its color and under its name. */
function forecastSeries(
  { column, name, key }: Series,
  form: SeriesForm,
  color: string,
  { marks, isStacked, end }: Pick<SeriesDrawing, 'marks' | 'isStacked' | 'end'>,
): Spec {
  const x = { column: xLabel(form) }
  const { y, low, high } = forecastColumnRefs(column)
  return {
    type: 'forecast',
    name,
    color,
    ...(Object.keys(key).length > 0 && { key }),
    points: marks.horizontal ? { x: y, y: x } : { x, y },
    known: { column },
    range: { low, high },
    ...(isStacked && { stack: 'forecast', end }),
    isLine: marks.type === 'line',
    ...(marks.smooth && { smooth: true }),
    ...(marks.step && { step: marks.step }),
  }
}

const lineSpec = (series: Series, form: ChartForm, { smooth, step, area }: MarkStyle): Spec => ({
  ...(smooth && { smooth: true }),
  ...(step && { step }),
  ...(area && { areaStyle: { opacity: series.offset ? 0 : form.opacity } }),
  ...(series.offset && { lineStyle: { type: 'dashed', opacity: 0.7 } }),
  showSymbol: form.markerEnabled === true,
  symbolSize: form.markerSize,
})

function valueLabel(form: ChartForm, { marks, format, isStacked, adds }: SeriesDrawing): Spec {
  const isTotal = isStacked && adds && form.only_total === true && !['Expand', 'Stream'].includes(String(form.stack))
  const end = marks.horizontal ? 'right' : 'top'
  return {
    show: true,
    format,
    position: isStacked && !isTotal && marks.type === 'bar' ? 'inside' : end,
    ...(isTotal && { of: 'total' }),
    ...(isStacked && !isTotal && Number(form.percentage_threshold) > 0 && { from: Number(form.percentage_threshold) }),
  }
}
