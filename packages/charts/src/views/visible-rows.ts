import { genericOf, numberAt, textAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../shared/column.ts'
import { columnFormatter } from '../table/cells.ts'
import type { TableColumn } from '../table/columns.ts'

export interface ColumnSort {
  column: string
  isDescending: boolean
}

/**
 * Sort order after a click on a heading: ascending, then descending, then unsorted.
 * @param isAdded  keeps the previous columns, and sorts equal rows by the new one
 */
export function toggleSort(now: readonly ColumnSort[], column: string, isAdded = false): readonly ColumnSort[] {
  const own = now.find((each) => each.column === column)
  const others = isAdded ? now : now.filter((each) => each === own)
  if (!own) return [...others, { column, isDescending: false }]
  return others.flatMap((each) => (each !== own ? [each] : own.isDescending ? [] : [{ column, isDescending: true }]))
}

/** All rows of a frame sorted by some columns; nulls come last in both directions, equal rows keep their order. */
export function sortRows(frame: Frame, sorting: readonly ColumnSort[]): Uint32Array {
  const rows = Uint32Array.from({ length: frame.rows }, (_, row) => row)
  const orders = sorting.flatMap((each) => orderBy(frame, each, rows) ?? [])
  if (orders.length === 0) return rows
  return rows.toSorted((a, b) => {
    for (const compare of orders) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return a - b
  })
}

function orderBy(frame: Frame, { column: name, isDescending }: ColumnSort, rows: Uint32Array) {
  const column = findColumn(frame, name)
  if (!column) return null
  const sign = isDescending ? -1 : 1
  const isText = genericOf(column) === 1
  const values = Array.from(rows, (row) => (isText ? textAt(column, row) : numberAt(column, row)))
  const collator = new Intl.Collator(undefined, { numeric: true })
  return (a: number, b: number): number => {
    const [left, right] = [values[a] ?? null, values[b] ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * (isText ? collator.compare(String(left), String(right)) : Number(left) - Number(right))
  }
}

/** Rows in which any displayed cell contains the text as formatted, ignoring case. */
export function searchRows(
  frame: Frame,
  columns: readonly TableColumn[],
  rows: Uint32Array,
  search: string,
  locale: string,
): Uint32Array {
  const wanted = search.trim().toLocaleLowerCase(locale)
  if (!wanted) return rows
  const cells = columns.flatMap((column) => {
    const values = findColumn(frame, column.name)
    return values ? [{ values, write: columnFormatter(column, locale) }] : []
  })
  return rows.filter((row) =>
    cells.some(({ values, write }) => {
      const value = values.kind === 'string' || values.kind === 'json' ? textAt(values, row) : numberAt(values, row)
      return value !== null && write(value).toLocaleLowerCase(locale).includes(wanted)
    }),
  )
}
