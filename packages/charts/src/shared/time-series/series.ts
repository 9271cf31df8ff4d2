import { numberAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, nullToken } from '@parquetry/model'
import type { ChartForm, SpecContext } from '../../define.ts'
import { createTranslator } from '../../resolve/text.ts'
import { formatValue } from '../formats/format.ts'
import { joinNames } from '../join-names.ts'
import { splitLabel } from '../split-label.ts'
import { findForecastColumns, forecastColumnRefs } from './forecast.ts'
import { listSortMetrics, xLabel, type SeriesForm } from './query.ts'

/** A column of the response as shown in the chart. */
export interface Series {
  /** Column of the frame. */
  column: string
  /** Name in legends and tooltips, with verbose names. */
  name: string
  /** Name without the time offset, which determines the color. */
  base: string
  /** Label of the metric; the first one if the response omits it. */
  metric: string
  /** The comparison offset (`1 year ago`); null for the period itself. */
  offset: string | null
  /** Dimension -> value of this series, for cross-filters and drilling; empty for the grouped others. */
  key: Record<string, string | null>
  /** Groups all series beyond the limit. */
  isOthers: boolean
  /** The response has a forecast of this series. */
  isForecast: boolean
}

/**
 * Returns the series of a response shaped by `seriesSteps`: every column except the x-axis and sort-only metrics, in the order
 * set in the form. Dimension values are text, with nulls as `<NULL>`, as the API writes them into labels; they are displayed like
 * other nulls.
 */
export function listSeries(frame: Frame, form: SeriesForm & ChartForm, context: SpecContext): Series[] {
  const undrawn = new Set([xLabel(form), ...listSortMetrics(form).map(labelOfMetric)])
  const sizes = new Map<string, number>()
  const forecasts = form.forecastEnabled === true ? findForecastColumns(frame) : new Set<string>()
  const read = frame.columns
    .filter(({ name }) => !undrawn.has(name) && !forecasts.has(name))
    .map((column) => {
      const series = {
        ...readSeries(column, form, context),
        isForecast: forecasts.has(forecastColumnRefs(column.name).y.column),
      }
      sizes.set(series.column, computeSortValue(column, frame.rows, String(form.sort_series_type)))
      return series
    })
  const bases = joinNames(read.map(({ base }) => base))
  const all = read.map((series, index): Series => {
    const base = bases[index]!
    return { ...series, base, name: series.offset ? `${base}, ${series.offset}` : base }
  })
  const sign = form.sort_series_ascending ? 1 : -1
  const size = ({ column }: Series) => sizes.get(column) ?? 0
  const compare = (a: Series, b: Series) =>
    form.sort_series_type === 'name' ? sign * a.name.localeCompare(b.name) : sign * (size(a) - size(b))
  return all.toSorted((a, b) => Number(a.offset !== null) - Number(b.offset !== null) || compare(a, b))
}

/** Value of a part of a label: null is `<NULL>`, and text that equals it is quoted. */
const readPart = (part: string): string | null =>
  part === nullToken ? null : part === `"${nullToken}"` ? nullToken : part

/** Name of the series beyond the limit in the response. */
const others = 'Others'

/** @returns the series with the parts of its name */
function readSeries(
  column: Column,
  form: SeriesForm,
  context: SpecContext,
): Omit<Series, 'isForecast' | 'name' | 'base'> & { base: string[] } {
  const parts = splitLabel(column, form.groupby.length)
  const head = parts.length > form.groupby.length ? (parts[0] as string) : null
  const values = (head === null ? parts : parts.slice(1)).map(readPart)
  const { metric, offset } = readHead(head, form)
  const isOthers = form.group_others_when_limit_reached === true && values.includes(others)
  const keys = isOthers ? [] : form.groupby
  const key = Object.fromEntries(
    keys.map((dimension, i) => [labelOfColumn(dimension), i in values ? (values[i] as string | null) : '']),
  )
  const shown = (value: string | null) =>
    isOthers && value === others ? createTranslator(context)('picture.otherSeries', 'Others') : formatValue(value)
  const isNamed = values.length === 0 || form.metrics.length > 1 || !form.truncate_metric
  const base = [...(isNamed ? [context.displayName(metric)] : []), ...values.map(shown)]
  return { column: column.name, base, metric, offset, key, isOthers }
}

/** `count`, `count__1 year ago`, `1 year ago`, `difference__count__count__1 year ago` -> metric and offset. */
function readHead(head: string | null, form: SeriesForm): { metric: string; offset: string | null } {
  const first = form.metrics[0] ? labelOfMetric(form.metrics[0]) : ''
  if (head === null) return { metric: first, offset: null }
  if (form.time_compare.includes(head)) return { metric: first, offset: head }
  for (const label of form.metrics.map(labelOfMetric))
    for (const offset of form.time_compare) {
      if (head === `${label}__${offset}`) return { metric: label, offset }
      if (head === `${form.comparison_type}__${label}__${label}__${offset}`) return { metric: label, offset }
    }
  return { metric: head, offset: null }
}

/** Returns the value by which series are sorted; series without values come last. */
function computeSortValue(column: Column, rows: number, by: string): number {
  let sum = 0
  let count = 0
  let low = Infinity
  let high = -Infinity
  for (let row = 0; row < rows; row++) {
    const value = numberAt(column, row)
    if (value === null) continue
    sum += value
    count += 1
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (count === 0) return -Infinity
  return by === 'min' ? low : by === 'max' ? high : by === 'avg' ? sum / count : sum
}
