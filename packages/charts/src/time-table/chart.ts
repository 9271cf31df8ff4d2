import { numberAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { defineChart, type ChartForm, type SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { findColumn } from '../shared/column.ts'
import { formatter, nullText, withCurrency, type Currency } from '../shared/formats/format.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { unfinishedPeriod } from '../shared/grain.ts'
import { splitLabel } from '../shared/split-label.ts'
import { xLabel } from '../shared/time-series/query.ts'
import { form } from './form.ts'
import { buildRowHref } from './href.ts'
import {
  computeSparklinePoints,
  readTimeColumns,
  computeTone,
  computeCellValue,
  type TimeColumn,
} from './time-columns.ts'

/** Spec drawn by the View and the SVG: rows of values and sparklines. */
export interface TimeTableSpec extends Record<string, unknown> {
  /** Heading of the row names. */
  heading: string
  columns: TimeTableColumn[]
  rows: TimeTableRow[]
  /** Formatted last period, to which "now" refers. */
  last: string
}

export interface TimeTableColumn {
  label: string
  tooltip: string
  /** Null for a column of values. */
  spark: Sparkline | null
}
export interface Sparkline extends Pick<TimeColumn, 'width' | 'height' | 'line' | 'hasAxis' | 'axis'> {
  times: (number | null)[]
  timeFormat: string
}
export interface TimeTableRow {
  name: string
  href: string | null
  cells: TimeTableCell[]
}
export type TimeTableCell =
  | { value: number | null; format: string; tone: number | null; reason: string }
  | { points: (number | null)[]; format: string }

/** One row per metric or dimension value, with columns about its development; `series` has one row per period, oldest first. */
export default defineChart({
  viz_type: 'time_table',
  name: 'Time-series Table',
  category: 'Table',
  tags: ['Multi-Variables', 'Comparison', 'Legacy', 'Percentages', 'Tabular', 'Text', 'Trend'],
  description: 'Compares metrics with their earlier values, one per row, with sparklines of their trend.',
  icon: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6M8 10.7l1.5-2 1.5 1.2 1.5-2',
  series: [],
  behaviors: [],
  form,
  initialSettings: {
    column_collection: [
      { key: 'now', label: 'Latest', colType: 'time', comparisonType: 'value', timeLag: 0 },
      { key: 'change', label: 'Change', colType: 'time', comparisonType: 'perc_change', timeLag: 1 },
      { key: 'course', label: 'Course', colType: 'spark' },
    ],
  },
  queries: (settings) => {
    const { x_axis, groupby, metrics } = settings
    const aggregates = Object.fromEntries(metrics.map((metric) => [labelOfMetric(metric), { operator: 'mean' }]))
    const [only, second] = metrics
    return {
      series: {
        columns: [...(x_axis ? [x_axis] : []), ...groupby],
        series_columns: groupby,
        metrics,
        ...(!x_axis && { is_timeseries: true }),
        // Newest first, so that a row limit cuts the oldest periods and none in between.
        orderby: [[x_axis ?? xLabel(settings), false]],
        post_processing: [
          {
            operation: 'pivot',
            options: {
              index: [xLabel(settings)],
              columns: groupby.map(labelOfColumn),
              aggregates,
              drop_missing_columns: true,
            },
          },
          ...(only && !second && groupby.length > 0
            ? [{ operation: 'rename', options: { columns: { [labelOfMetric(only)]: null }, level: 0, inplace: true } }]
            : []),
          { operation: 'flatten' },
        ],
      },
    }
  },
  spec: ({ series }, settings, context): TimeTableSpec => {
    const say = createTranslator(context)
    const columns = readTimeColumns(settings.column_collection)
    const { groupby } = settings
    const heading =
      groupby.length > 0
        ? groupby.map((column) => context.displayName(labelOfColumn(column))).join(', ')
        : say('picture.timeTable.metric', 'Metric')
    if (!series) return { heading, columns: [], rows: [], last: '' }
    const times = readTimes(series, xLabel(settings))
    const rows = readTableRows(series, settings, context)
    const total = sumKnown(rows.map(({ values }) => values.at(-1) ?? null))
    const grain = settings.time_grain_sqla
    return {
      heading,
      columns: columns.map((column) => buildColumn(column, times, grain, context)),
      rows: rows.map(({ name, metric, values }) => ({
        name,
        href: buildRowHref(settings.url, { name, metric, form: settings }),
        cells: columns.map((column) => buildCell(column, values, { total, metric, settings, context })),
      })),
      last: lastPeriodText(times, grain, context),
    }
  },
})

const readTimes = (frame: Frame, name: string): (number | null)[] => {
  const column = findColumn(frame, name)
  return Array.from({ length: frame.rows }, (_, row) => (column?.kind === 'time' ? numberAt(column, row) : null))
}

interface Settings extends ChartForm {
  x_axis?: QueryColumn | null
  groupby: QueryColumn[]
  metrics: QueryMetric[]
}

/** Returns the rows of the table, which are columns of the response. */
function readTableRows(frame: Frame, settings: Settings, context: SpecContext) {
  const { groupby, metrics } = settings
  const time = xLabel(settings)
  const labels = metrics.map(labelOfMetric)
  const only = labels[0] ?? ''
  const placeOf = (name: string) => (groupby.length > 0 ? 0 : labels.indexOf(name))
  return frame.columns
    .toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
    .filter(({ name }) => name !== time)
    .map((column) => {
      const parts = splitLabel(column, groupby.length)
      const hasMetric = parts.length > groupby.length
      const metric = hasMetric ? (parts[0] as string) : only
      const values = (hasMetric ? parts.slice(1) : parts).map((part) => (part === '<NULL>' ? nullText : part))
      const isNamed = values.length === 0 || metrics.length > 1
      const name = [...values, ...(isNamed ? [context.displayName(metric)] : [])].join(', ')
      return { name, metric, values: readFiniteNumbers(column, frame.rows) }
    })
}

const readFiniteNumbers = (column: Column, rows: number): (number | null)[] =>
  Array.from({ length: rows }, (_, row) => {
    const value = numberAt(column, row)
    return value !== null && Number.isFinite(value) ? value : null
  })

const sumKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)

interface CellContext {
  total: number | null
  metric: string
  settings: ChartForm
  context: SpecContext
}

function buildCell(
  column: TimeColumn,
  values: readonly (number | null)[],
  { total, metric, settings, context }: CellContext,
): TimeTableCell {
  const own = column.format
    ? withCurrency(column.format, settings.currency_format as Currency | undefined)
    : context.formatOf(metric)
  if (column.kind === 'spark')
    return { points: computeSparklinePoints(column, values), format: column.ratio > 0 ? column.format || '.2f' : own }
  const value = computeCellValue(column, values, total)
  const isShare = column.kind === 'contrib' || (column.kind === 'time' && column.comparison.startsWith('perc'))
  const isSigned = column.kind === 'time' && column.comparison === 'perc_change'
  const needed = column.lag < 0 ? -column.lag : column.lag + 1
  const isShort = column.kind === 'time' && needed > values.length
  return {
    value,
    format: isShare ? column.format || (isSigned ? '+,.1%' : ',.1%') : own,
    tone: computeTone(column, value),
    reason: isShort
      ? createTranslator(context)(
          'picture.timeTable.short',
          'Only {count, plural, one {# period is} other {# periods are}} available.',
          {
            count: values.length,
          },
        )
      : '',
  }
}

function buildColumn(
  column: TimeColumn,
  times: (number | null)[],
  grain: unknown,
  context: SpecContext,
): TimeTableColumn {
  const { kind, label, tooltip, ratio, timeFormat, width, height, line, hasAxis, axis } = column
  return {
    label: label || describeColumn(column, context),
    tooltip: tooltip || describeColumn(column, context),
    spark:
      kind === 'spark'
        ? {
            times: times.slice(ratio),
            timeFormat: timeFormat || (typeof grain === 'string' ? grainFormat(grain) : 'smart_date'),
            width,
            height,
            line,
            hasAxis,
            axis,
          }
        : null,
  }
}

/** Returns the description of a column, for headings without a label set by the author. */
function describeColumn({ kind, lag, ratio, comparison }: TimeColumn, context: SpecContext): string {
  const say = createTranslator(context)
  if (kind === 'contrib') return say('picture.timeTable.contrib', 'Share of total (rows shown)')
  if (kind === 'avg')
    return lag > 0
      ? say('picture.timeTable.average', 'Mean of {count, plural, one {the last period} other {the last # periods}}', {
          count: lag,
        })
      : say('picture.timeTable.averageOfAll', 'Mean of all periods')
  if (kind === 'spark')
    return ratio > 0
      ? say(
          'picture.timeTable.ratio',
          'Trend, as a ratio to {count, plural, one {the previous period} other {# periods earlier}}',
          { count: ratio },
        )
      : say('picture.timeTable.course', 'Trend')
  const count = Math.abs(lag)
  const period =
    lag < 0
      ? say('picture.timeTable.fromStart', 'period {count} from the start', { count })
      : say(
          'picture.timeTable.before',
          '{count, plural, =0 {the last period} one {the previous period} other {# periods earlier}}',
          { count },
        )
  if (comparison === 'value') return say('picture.timeTable.value', 'Value: {period}', { period })
  if (comparison === 'diff') return say('picture.timeTable.diff', 'Difference from {period}', { period })
  return comparison === 'perc'
    ? say('picture.timeTable.perc', 'Percentage of {period}', { period })
    : say('picture.timeTable.change', 'Change from {period}', { period })
}

function lastPeriodText(times: readonly (number | null)[], grain: unknown, context: SpecContext): string {
  const at = times.at(-1) ?? null
  if (at === null) return ''
  const time = formatter(typeof grain === 'string' ? grainFormat(grain) : 'smart_date', context.locale)(at)
  const say = createTranslator(context)
  return unfinishedPeriod(at, grain, context.until) === null
    ? say('picture.timeTable.last', 'Last period: {time}', { time })
    : say('picture.timeTable.lastSoFar', 'Last period: {time} (incomplete)', { time })
}
