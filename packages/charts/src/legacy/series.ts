import { type Frame, numberAt, postProcess, textAt } from '@parquetry/frame'
import type { PostProcessing } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { requireColumn, listColumns, toCount, labelsOf, getOwn, badRequest, sum, timestampColumn } from './read.ts'

/** Metrics over time, with one series per metric and group. */
export interface TimeSeriesSet {
  /** Milliseconds, ascending. */
  times: number[]
  series: TimeSeries[]
}

export interface TimeSeries {
  metric: string
  /** Values of the groups as text; empty without groups. */
  group: string[]
  /** One value per time. */
  values: (number | null)[]
}

/** A line in the format of legacy charts. */
export interface LegacyLine {
  key: string | string[]
  values: { x: number; y: number | null }[]
}

export interface PivotOptions {
  /** Labels of the groups; by default those of the form. */
  groups?: readonly string[]
  /** Value of points that a series lacks. */
  fill?: number
}

/** Pivots rows by time: one row per time, means of duplicates, series ordered by metric and group. */
export function pivotByTime(
  frame: Frame,
  form: ChartForm,
  metrics: readonly string[],
  { groups = labelsOf(listColumns(form, 'groupby')), fill }: PivotOptions = {},
): TimeSeriesSet {
  const pivot = {
    index: [timestampColumn],
    columns: [...groups],
    aggregates: Object.fromEntries(metrics.map((metric) => [metric, { operator: 'mean' }])),
    ...(fill !== undefined && { metric_fill_value: fill }),
  }
  const { resample_rule: rule, resample_method: method } = form
  const steps: PostProcessing[] = [
    { operation: 'pivot', options: pivot },
    ...(rule && method ? [{ operation: 'resample' as const, options: { rule, method } }] : []),
    { operation: 'flatten', options: {} },
  ]
  const { frame: laid, stepError } = postProcess(frame, steps)
  if (stepError !== null) throw badRequest(stepError)
  const [time, ...columns] = laid.columns
  return {
    times: Array.from({ length: laid.rows }, (_, row) => numberAt(time!, row) ?? 0),
    series: columns.map((column) => {
      const [metric = column.name, ...group] = column.parts ?? [column.name]
      return { metric, group, values: Array.from({ length: laid.rows }, (_, row) => numberAt(column, row)) }
    }),
  }
}

/** Applies the rolling window or cumulative sum, and drops the first `min_periods` rows. */
export function applyRollingWindow({ times, series }: TimeSeriesSet, form: ChartForm): TimeSeriesSet {
  const window = toCount(form.rolling_periods)
  const least = toCount(form.min_periods)
  const of = getOwn({ mean: average, sum, std: deviation }, form.rolling_type)
  const moving = (values: TimeSeries['values']) =>
    values.map((_, row) => {
      const seen = values.slice(Math.max(0, row - window + 1), row + 1).filter((value) => value !== null)
      return seen.length < least || !of ? null : of(seen)
    })
  const shaped = series.map((one) => ({
    ...one,
    values:
      of && window > 0
        ? moving(one.values)
        : form.rolling_type === 'cumsum'
          ? runningTotal(one.values)
          : [...one.values],
  }))
  return {
    times: times.slice(least),
    series: shaped.map((one) => ({ ...one, values: one.values.slice(least) })),
  }
}

/** A time without a value adds nothing. */
function runningTotal(values: TimeSeries['values']): number[] {
  let total = 0
  return values.map((value) => (total += value ?? 0))
}

const average = (values: number[]): number | null => (values.length === 0 ? null : sum(values) / values.length)

function deviation(values: number[]): number | null {
  if (values.length < 2) return null
  const middle = sum(values) / values.length
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1))
}

/** Converts each value to its share of all series at its time. */
export function toShares({ times, series }: TimeSeriesSet): TimeSeriesSet {
  const totals = times.map((_, row) => sum(series.map(({ values }) => values[row] ?? null)))
  return {
    times,
    series: series.map((one) => ({
      ...one,
      values: one.values.map((value, row) => (value === null || totals[row] === 0 ? null : value / totals[row]!)),
    })),
  }
}

/**
 * Returns the lines of series that have a value. A line is named by its metric, or by metric and groups; a single metric is
 * omitted from names with groups.
 * @param isSingle  whether the form has one metric
 */
export function toLegacyLines({ times, series }: TimeSeriesSet, isSingle: boolean): LegacyLine[] {
  return series
    .filter(({ values }) => values.some((value) => value !== null))
    .map(({ metric, group, values }) => ({
      key: group.length === 0 ? metric : isSingle ? group : [metric, ...group],
      values: times.map((x, row) => ({ x, y: values[row] ?? null })),
    }))
}

/** Times of a frame as text, such as `2000-01-01 00:00:00`. */
export function formatTimes(frame: Frame): string[] {
  const column = requireColumn(frame, timestampColumn)
  return Array.from({ length: frame.rows }, (_, row) => (textAt(column, row) ?? '').replace('T', ' '))
}
