import { genericOf, numberAt, textAt, type Frame } from '@parquetry/frame'
import { columnNamed } from '../shared/column.ts'
import { writerOf } from '../table/cells.ts'
import type { TableColumn } from '../table/columns.ts'

export interface Sorting {
  column: string
  isDescending: boolean
}

/** First ascending, then descending, then as it came. */
export const nextSorting = (now: Sorting | null, column: string): Sorting | null =>
  now?.column !== column ? { column, isDescending: false } : now.isDescending ? null : { column, isDescending: true }

/** All rows of a frame in the order of a column; nulls last either way, equal rows as they came. */
export function sortedRows(frame: Frame, sorting: Sorting | null): Uint32Array {
  const rows = Uint32Array.from({ length: frame.rows }, (_, row) => row)
  const column = sorting && columnNamed(frame, sorting.column)
  if (!column) return rows
  const sign = sorting.isDescending ? -1 : 1
  const isText = genericOf(column) === 1
  const values = Array.from(rows, (row) => (isText ? textAt(column, row) : numberAt(column, row)))
  const collator = new Intl.Collator(undefined, { numeric: true })
  return rows.toSorted((a, b) => {
    const [left, right] = [values[a] ?? null, values[b] ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b
    const order = isText ? collator.compare(String(left), String(right)) : Number(left) - Number(right)
    return sign * order || a - b
  })
}

/** Rows of which any shown cell contains the text, as it is written and without regard to case. */
export function foundRows(
  frame: Frame,
  columns: readonly TableColumn[],
  rows: Uint32Array,
  search: string,
  locale: string,
): Uint32Array {
  const wanted = search.trim().toLocaleLowerCase(locale)
  if (!wanted) return rows
  const cells = columns.flatMap((column) => {
    const values = columnNamed(frame, column.name)
    return values ? [{ values, write: writerOf(column, locale) }] : []
  })
  return rows.filter((row) =>
    cells.some(({ values, write }) => {
      const value = values.kind === 'string' || values.kind === 'json' ? textAt(values, row) : numberAt(values, row)
      return value !== null && write(value).toLocaleLowerCase(locale).includes(wanted)
    }),
  )
}
