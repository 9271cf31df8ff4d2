import type { Cell } from '@parquetry/frame'
import type { QueryColumn, QueryFilter } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { nameOfColumn } from '../shared/controls.ts'
import type { AxisType, Plot } from './plot.ts'

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
}

/**
 * @param form tells the columns behind the labels (a dimension may be an expression) and the grain of a time axis
 */
export function markOf(plot: Plot, at: number, axis: AxisType | null, form: ChartForm): Mark | null {
  const key = { ...plot.key, ...plot.items?.[at]?.key }
  if (plot.items && Object.keys(key).length === 0) return null
  const columns = columnsOf(form)
  const col = (label: string) => columns.get(label) ?? label
  const x = plot.xColumn === undefined ? undefined : plot.x[at]
  const isName = axis === 'category' && typeof x === 'string'
  const own = Object.entries(key).map(([label, value]) => equals(col(label), value))
  const grain = typeof form.time_grain_sqla === 'string' ? form.time_grain_sqla : undefined
  const place =
    x === undefined ? [] : [{ ...equals(col(plot.xColumn as string), x), ...(axis === 'time' && grain && { grain }) }]
  const xKey = isName ? { [plot.xColumn as string]: x } : {}
  return {
    filters: isName ? [...own, ...place] : own,
    drill: [...own, ...place],
    key: { ...key, ...xKey },
    row: { ...key, ...(x !== undefined && { [plot.xColumn as string]: x }), [plot.name]: plot.y[at] ?? null },
    label: [...Object.values(key), ...(isName ? [x] : [])].map(String).join(', ') || plot.name,
  }
}

const equals = (col: QueryColumn, value: Cell): QueryFilter =>
  value === null || value === '∅'
    ? { col, op: 'IS NULL' }
    : { col, op: '==', val: typeof value === 'bigint' ? String(value) : value }

/** Label -> column of everything a form groups by. */
function columnsOf(form: ChartForm): Map<string, QueryColumn> {
  const all = ['x_axis', 'groupby', 'columns', 'all_columns', 'series'].flatMap((name) => [form[name] ?? []].flat())
  return new Map(
    (all as QueryColumn[]).flatMap((column) =>
      nameOfColumn(column) ? [[nameOfColumn(column) as string, column]] : [],
    ),
  )
}
