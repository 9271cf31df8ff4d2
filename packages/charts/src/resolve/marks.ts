import type { Cell } from '@parquetry/frame'
import { exactFields, type QueryColumn, type QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { formatter, formatValue } from '../shared/formats/format.ts'
import { grainFormat } from '../shared/formats/time.ts'
import type { AxisType } from './axes/plot.ts'

/** A mark as passed to the surrounding page on a click. */
export interface Mark {
  /** Cross-filters: the dimensions of the mark, or the period of a mark that has none; empty if it has neither. */
  filters: QueryFilter[]
  /** Drill filters: the same, plus the position on the x axis. */
  drill: QueryFilter[]
  /** Values by dimension, as accepted by `selected` of ChartHost. */
  key: Record<string, Cell>
  /** Values of the mark by column: its key, its position on the axis and its number. */
  row: Record<string, Cell>
  /** Name of the mark in the chip of a cross-filter and in the title of a drill. */
  label: string
  /** Name of the query that the mark belongs to, in a chart whose queries have separate settings (`resolveQueryForm`). */
  query?: string
}

/** Facts that a family provides about a mark, used for clicks, drilling, tables and descriptions. */
export interface MarkFacts {
  /** Values by dimension; empty for a mark that combines several values, such as a slice of all others. */
  key: Record<string, Cell>
  /**
   * Position along an axis, and the column of that axis. A name is a dimension like others; a time names a mark only if nothing
   * else does, since a click on a line means the line.
   */
  along?: { column: string; value: Cell; axis: AxisType }
  /** Filters that no dimension expresses, such as the limits of a bin; used only for drilling. */
  within?: QueryFilter[]
  /** Numbers by measure. */
  values: Record<string, Cell>
  /** Name of the mark if no dimension names it. */
  name: string
  /** See `Mark.query`. */
  query?: string | undefined
}

/**
 * @param form provides the columns for labels (a dimension may be an expression) and the grain of a time axis
 * @param locale language of the name of a period
 */
export function buildMark(
  { key: found, along, within = [], values, name, query }: MarkFacts,
  form: ChartForm,
  locale = 'en',
): Mark {
  const key = Object.fromEntries(Object.entries(found).map(([label, value]) => [label, toPlainCell(value)]))
  const columns = dimensionsByLabel(form)
  const col = (label: string) => columns.get(label) ?? label
  const isPeriod = along?.axis === 'time' && typeof along.value === 'number' && Object.keys(key).length === 0
  const isName = along?.axis === 'category' || isPeriod
  const own = Object.entries(key).map(([label, value]) => equals(col(label), value))
  const grain = typeof form.time_grain_sqla === 'string' ? form.time_grain_sqla : undefined
  const place = along
    ? [{ ...equals(col(along.column), along.value), ...(along.axis === 'time' && grain && { grain }) }]
    : []
  const dimensions = { ...key, ...(isName && { [along.column]: along.value }) }
  return {
    filters: isName ? [...own, ...place] : own,
    drill: [...own, ...place, ...within],
    key: dimensions,
    row: { ...key, ...(along && { [along.column]: along.value }), ...values },
    label: isPeriod
      ? formatter(grainFormat(grain), locale)(along.value)
      : Object.values(dimensions).map(formatValue).join(', ') || name,
    ...(query !== undefined && { query }),
  }
}

/** Long integers become text, because marks are stored as JSON. */
export const toPlainCell = (value: Cell): Exclude<Cell, bigint> => (typeof value === 'bigint' ? String(value) : value)

/** Filter on rows with exactly this value. */
export const equals = (col: QueryColumn, value: Cell): QueryFilter =>
  value === null ? { col, op: 'IS NULL' } : { col, op: '==', val: toPlainCell(value), ...exactFields(value) }

/** Columns by label for everything that a form groups by. */
export function dimensionsByLabel(form: ChartForm): Map<string, QueryColumn> {
  const names = [
    'x_axis',
    'y_axis',
    'groupby',
    'groupby_b',
    'columns',
    'all_columns',
    'series',
    'entity',
    'source',
    'target',
  ]
  const all = names.flatMap((name) => [form[name] ?? []].flat())
  return new Map(
    (all as QueryColumn[]).flatMap((column) =>
      nameOfColumn(column) ? [[nameOfColumn(column) as string, column]] : [],
    ),
  )
}
