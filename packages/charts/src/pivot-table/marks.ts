import type { Cell } from '@parquetry/frame'
import type { QueryColumn, QueryFilter } from '@parquetry/model'
import { labelOfColumn } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { equals, type Mark } from '../resolve/marks.ts'
import { isFaded } from '../resolve/paint.ts'
import { formatValue } from '../shared/formats/format.ts'
import { groupValues } from './lines.ts'
import type { PivotGroup, Pivot, PivotCell, PivotAxisData } from './pivot.ts'

interface DimensionValue {
  name: string
  value: Cell
  isTime: boolean
}

/**
 * Returns the dimensions of a group with their values, without metrics. Long integers become text because marks are serialized as
 * JSON.
 */
const listDimensionValues = (lines: PivotAxisData, group: PivotGroup): DimensionValue[] =>
  groupValues(lines, group).flatMap((value, level) => {
    const column = lines.columns[level]
    const plain = typeof value === 'bigint' ? String(value) : value
    return column ? [{ name: column.name, value: plain, isTime: column.kind === 'time' }] : []
  })

/** Returns dimension -> value of a cell, or of a heading, whose other axis is unrestricted. */
const buildMarkKey = (pivot: Pivot, row: PivotGroup, column: PivotGroup): Record<string, Cell> =>
  Object.fromEntries(
    [...listDimensionValues(pivot.rows, row), ...listDimensionValues(pivot.columns, column)].map(({ name, value }) => [
      name,
      value,
    ]),
  )

/** Returns true when a cell or heading is outside the mark that filters other charts. */
export function isOutsideMark(
  pivot: Pivot,
  selected: Record<string, unknown> | null,
  row: PivotGroup,
  column: PivotGroup,
): boolean {
  if (!selected) return false
  return isFaded(buildMarkKey(pivot, row, column), selected)
}

/**
 * Returns the mark of a cell, heading or total: it filters by its dimensions except times, and drills by all of them. Null for
 * the grand total.
 */
export function buildPivotMark(
  pivot: Pivot,
  { row, column, cell, label }: { row: PivotGroup; column: PivotGroup; cell?: PivotCell; label: string },
  form: ChartForm,
): Mark | null {
  const places = [...listDimensionValues(pivot.rows, row), ...listDimensionValues(pivot.columns, column)]
  if (places.length === 0) return null
  const columns = [form.groupbyRows ?? [], form.groupbyColumns ?? []].flat() as QueryColumn[]
  const grain = typeof form.time_grain_sqla === 'string' ? form.time_grain_sqla : undefined
  const filterOf = ({ name, value, isTime }: DimensionValue): QueryFilter => {
    const col = columns.find((each) => labelOfColumn(each) === name) ?? name
    return { ...equals(col, value), ...(value !== null && isTime && grain && { grain }) }
  }
  const key = Object.fromEntries(places.map(({ name, value }) => [name, value]))
  return {
    filters: places.filter(({ isTime }) => !isTime).map(filterOf),
    drill: places.map(filterOf),
    key,
    row: { ...key, ...(cell?.value !== undefined && { [label]: cell.value }) },
    label: places.map(({ value }) => formatValue(value)).join(', '),
  }
}
