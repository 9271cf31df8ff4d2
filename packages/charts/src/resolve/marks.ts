import type { Cell } from '@parquetry/frame'
import type { QueryColumn, QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { nullText } from '../shared/formats/format.ts'
import type { AxisType } from './axes/plot.ts'

/** A mark as passed to the surrounding page on a click. */
export interface Mark {
  /** Cross-filters: the dimensions of the mark, never a time; empty if it has none. */
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
  /** Position along an axis, and the column of that axis. A name is a dimension like others, a time is not. */
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

/** @param form provides the columns for labels (a dimension may be an expression) and the grain of a time axis */
export function buildMark({ key, along, within = [], values, name, query }: MarkFacts, form: ChartForm): Mark {
  const columns = dimensionsByLabel(form)
  const col = (label: string) => columns.get(label) ?? label
  const isName = along?.axis === 'category' && typeof along.value === 'string'
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
    label:
      Object.values(dimensions)
        .map((value) => String(value ?? nullText))
        .join(', ') || name,
    ...(query !== undefined && { query }),
  }
}

const equals = (col: QueryColumn, value: Cell): QueryFilter =>
  value === null || value === nullText
    ? { col, op: 'IS NULL' }
    : { col, op: '==', val: typeof value === 'bigint' ? String(value) : value }

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
