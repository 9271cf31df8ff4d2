import { cellAt, type Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import Type from 'typebox'
import { control, defineChart, type ChartForm, type SpecContext, type Spec } from '../define.ts'
import type { SpecSeries } from '../resolve/families/family.ts'
import { createTranslator, type Translate } from '../resolve/text.ts'
import { withAlpha } from '../shared/colors/color.ts'
import { findColumn } from '../shared/column.ts'
import { Column, flag, Metric, nullable, needsXAxis } from '../shared/controls.ts'
import { formatter } from '../shared/formats/format.ts'
import { markers, timeSeriesForm } from '../shared/time-series/form.ts'
import { upgradeSeriesNames } from '../shared/time-series/legacy.ts'
import { xLabel, type SeriesForm } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'
import { lineStyle, toMarkStyle } from '../shared/time-series/styles.ts'
import { isMonthly, parseFrequency, type PeriodSequence } from './periods.ts'

const shared = timeSeriesForm.properties

const form = Type.Object({
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'Time column',
    group: 'query',
    as: 'temporal-column',
    required: needsXAxis,
  }),
  time_grain_sqla: shared.time_grain_sqla,
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: shared.adhoc_filters,
  freq: control(Type.String({ default: 'W-MON' }), {
    label: 'Frequency',
    group: 'look',
    description: 'Length of the periods to overlay, as a pandas frequency such as AS, QS, MS, 4W-MON, W-SUN or D.',
    presets: [
      ['AS', 'Years'],
      ['52W-MON', '52 weeks starting Monday'],
      ['W-SUN', 'Weeks starting Sunday'],
      ['W-MON', 'Weeks starting Monday'],
      ['D', 'Days'],
      ['4W-MON', '4 weeks starting Monday'],
    ],
  }),
  color_picker: control(
    Type.Object(
      { r: Type.Number(), g: Type.Number(), b: Type.Number(), a: Type.Optional(Type.Number()) },
      { default: { r: 0, g: 122, b: 135, a: 1 } },
    ),
    { label: 'Line color', group: 'look', as: 'color' },
  ),
  show_legend: shared.show_legend,
  legendOrientation: shared.legendOrientation,
  seriesType: lineStyle,
  ...markers,
  y_axis_format: shared.y_axis_format,
  currency_format: shared.currency_format,
  x_axis_time_format: shared.x_axis_time_format,
  mark_unfinished: shared.mark_unfinished,
  x_axis_title: shared.x_axis_title,
  y_axis_title: shared.y_axis_title,
  xAxisLabelRotation: shared.xAxisLabelRotation,
  logAxis: shared.logAxis,
  minorSplitLine: shared.minorSplitLine,
  truncateYAxis: flag('Truncate y-axis', true),
  y_axis_bounds: shared.y_axis_bounds,
  rich_tooltip: shared.rich_tooltip,
})

/** Rows of a response within one period. */
interface Period {
  start: number
  rows: readonly [from: number, to: number]
  times: number[]
}

function splitIntoPeriods(frame: Frame, x: string, periods: PeriodSequence): Period[] {
  const column = findColumn(frame, x)
  if (column?.kind !== 'time' || frame.rows === 0) return []
  const times = Array.from({ length: frame.rows }, (_, row) => Number(cellAt(column, row)))
  const last = times.at(-1) as number
  const starts = times.map((time) => periods.startOf(time, last))
  const begins = starts.flatMap((start, row) => (start === starts[row - 1] ? [] : [row]))
  return begins.map((from, index) => {
    const to = begins[index + 1] ?? frame.rows
    return { start: starts[from] as number, rows: [from, to], times: times.slice(from, to) }
  })
}

/** Returns formats for the names of periods and of positions within them, on the axis and in full. */
function namesFor({ unit, count }: PeriodSequence, grain: string, say: Translate) {
  const isByMonth = isMonthly(grain)
  const clock = grain === '' || grain.includes('PT') ? ' %H:%M' : ''
  const day = say('picture.day', 'Day {day}', { day: '%-d' })
  const months = isByMonth ? { axis: '%b', full: '%B' } : { axis: '%b %-d', full: '%B %-d' }
  if (unit === 'year') return { period: '%Y', ...months }
  if (unit === 'month' && count === 1) return { period: '%B %Y', axis: `%-d${clock}`, full: `${day}${clock}` }
  if (unit === 'month') return { period: count === 3 ? 'Q%q %Y' : '%B %Y', ...months }
  if (unit === 'week' && count === 1) return { period: '%b %-d, %Y', axis: `%a${clock}`, full: `%A${clock}` }
  if (unit === 'week') return { period: '%b %-d, %Y', axis: '%b %-d', full: `%a, %b %-d${clock}` }
  return unit === 'day'
    ? { period: '%a, %b %-d, %Y', axis: '%H:%M', full: '%H:%M' }
    : { period: '%b %-d, %Y, %H:%M', axis: '%M:%S', full: '%M:%S' }
}

/**
 * Approximate opacity of the oldest period; the second to last has twice as much. Lower values would be invisible on a dark
 * background.
 */
const faintest = 0.35
const opacityByAge = (age: number): number => Math.round(100 * faintest * (2 - age)) / 100

/** Up to this number, all periods are labeled at their ends; otherwise only the last one. */
const maxEndLabels = 4

function overlaySpec(frame: Frame | undefined, settings: ChartForm & { freq: string }, context: SpecContext): Spec {
  const metrics = settings.metric ? [settings.metric] : []
  const series = { ...settings, metrics, groupby: [], time_compare: [], truncate_metric: true } as unknown as SeriesForm
  const whole: ChartForm = {
    ...series,
    stack: null,
    contributionMode: null,
    show_legend: false,
    tooltipSortByMetric: false,
  }
  const spec = timeSeriesSpec(frame, whole as SeriesForm, context, toMarkStyle(settings.seriesType as 'line'))
  const [line] = spec.series as SpecSeries[]
  const grain = settings.time_grain_sqla as string | null | undefined
  const periods = parseFrequency(settings.freq, grain)
  const found = frame && line?.points ? splitIntoPeriods(frame, xLabel(series), periods).toReversed() : []
  const [newest] = found
  if (!line?.points || !newest) return { ...spec, series: [] }
  const names = namesFor(periods, grain ?? '', createTranslator(context))
  const isAnchored = periods.unit === 'year' && new Date(newest.start).getUTCMonth() !== 0
  const write = formatter(isAnchored ? '%b %Y' : names.period, context.locale)
  const { r, g, b } = settings.color_picker as { r: number; g: number; b: number }
  const color = `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
  const { points } = line
  const { xAxis, tooltip } = spec as { xAxis: Spec; tooltip: Spec }
  const isNamed = settings.show_legend !== true
  const mostNamed = found.length <= maxEndLabels && settings.show_legend !== false ? maxEndLabels : 1
  return {
    ...spec,
    ...(settings.show_legend === true
      ? { legend: { position: settings.legendOrientation } }
      : settings.show_legend === false
        ? { legend: false }
        : {}),
    tooltip: { ...tooltip, title: { format: names.full } },
    xAxis: { ...xAxis, format: xAxis.format === 'smart_date' ? names.axis : xAxis.format },
    series: found.map(({ start, rows, times }, rank): SpecSeries => ({
      ...line,
      name: write(start),
      color: rank === 0 ? color : withAlpha(color, opacityByAge(rank / found.length)),
      points: {
        ...points,
        rows,
        ...(rank > 0 && {
          x: { ...points.x, drawnAt: times.map((time) => periods.over(time, start, newest.start)) },
        }),
      },
      lineStyle: { width: rank === 0 ? 3 : 1.5 },
      z: rank === 0 ? 3 : 2,
      ...(isNamed && rank < mostNamed && { endLabel: { show: true } }),
    })),
  }
}

/** The periods of one metric overlaid, the last one in front; `series` has one row per time, oldest first. */
export default defineChart({
  viz_type: 'time_pivot',
  name: 'Time-series Period Pivot',
  category: 'Evolution',
  tags: ['Legacy', 'Time', 'Line', 'Comparison', 'Pattern', 'Trend'],
  description: 'Overlays weeks, months or years to show what recurs and how the last period differs from earlier ones.',
  icon: 'M2 11.5c2 0 2.5-5 4.5-5s2.5 3 4 3 2-2 3.5-2M2 9c2 0 2.5-4.5 4.5-4.5S9 8 10.5 8 12.5 5 14 5',
  series: ['line'],
  thumbnail: { fixture: 'years' },
  behaviors: ['DRILL_TO_DETAIL'],
  form,
  queries: (settings) => {
    const metrics = settings.metric ? [settings.metric] : []
    const aggregates = Object.fromEntries(metrics.map((metric) => [labelOfMetric(metric), { operator: 'mean' }]))
    const index = [xLabel(settings)]
    return {
      series: {
        columns: settings.x_axis ? [settings.x_axis] : [],
        metrics,
        ...(!settings.x_axis && { is_timeseries: true }),
        post_processing: [
          { operation: 'pivot', options: { index, columns: [], aggregates, drop_missing_columns: false } },
          { operation: 'flatten' },
        ],
      },
    }
  },
  spec: ({ series }, settings, context) => overlaySpec(series, settings, context),
  replaces: { time_pivot: upgradeSeriesNames },
})
