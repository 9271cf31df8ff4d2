import type { Cell } from '@parquetry/frame'
import type { QueryColumn, QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { nullText } from '../shared/formats/format.ts'
import type { AxisType } from './axes/plot.ts'

/** What a click on a mark means to its surroundings. */
export interface Mark {
  /** For cross-filters: the dimensions of the mark; empty when it has none. A time is never among them. */
  filters: QueryFilter[]
  /** For drilling: the same and the place on the x axis. */
  drill: QueryFilter[]
  /** Dimension -> value, as `selected` of ChartHost takes it back. */
  key: Record<string, Cell>
  /** Column -> value of the mark: its key, its place on the axis, its number. */
  row: Record<string, Cell>
  /** How the mark is called: in the chip of a cross-filter, in a drill's title. */
  label: string
  /** Name of the question that it answers, in a chart whose questions have settings of their own (`formOfQuery`). */
  query?: string
}

/** What a family says of a mark: all that a click, a drill, a table and a sentence need. */
export interface MarkFacts {
  /** Dimension -> value; none for what stands for no single value, as a slice of all others. */
  key: Record<string, Cell>
  /** On an axis: where along it, and the column that it runs along. A name there is a dimension like others, a time is not. */
  along?: { column: string; value: Cell; axis: AxisType }
  /** What no dimension says, as the ends of a bin: for drilling alone. */
  within?: QueryFilter[]
  /** Measure -> number. */
  values: Record<string, Cell>
  /** What it is called where no dimension names it. */
  name: string
  /** As that of a mark. */
  query?: string | undefined
}

/**
 * @param form tells the columns behind the labels (a dimension may be an expression) and the grain of a time axis
 */
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

/** Label -> column of everything a form groups by. */
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
