import type { Cell } from '../frame.ts'

export type Value = number | string | null
/** Name of a row or column by levels. */
export type Name = readonly Cell[]

/** A table with named rows and columns. */
export interface Matrix<T = Value> {
  rows: Name[]
  columns: Name[]
  /** By row, then column. */
  values: T[][]
}

export const transposed = <T>({ rows, columns, values }: Matrix<T>): Matrix<T> => ({
  rows: columns,
  columns: rows,
  values: columns.map((_, column) => rows.map((__, row) => values[row]![column]!)),
})

/** A name in one line, as headings show it. */
export const nameText = (name: Name): string => name.map(partText).join(' ').trim()

export const partText = (part: Cell): string =>
  typeof part === 'boolean' ? (part ? 'True' : 'False') : String(part ?? '')
