import type { Cell } from '../frame.ts'

export type MatrixValue = number | string | null
/** Parts of the name of a row or column, by level. */
export type HeaderPath = readonly Cell[]

/** A table with named rows and columns. */
export interface Matrix<T = MatrixValue> {
  rows: HeaderPath[]
  columns: HeaderPath[]
  /** By row, then column. */
  values: T[][]
}

export const transpose = <T>({ rows, columns, values }: Matrix<T>): Matrix<T> => ({
  rows: columns,
  columns: rows,
  values: columns.map((_, column) => rows.map((__, row) => values[row]![column]!)),
})

/** Name in one line, as shown in headings. */
export const formatHeaderPath = (name: HeaderPath): string => name.map(formatHeaderPart).join(' ').trim()

export const formatHeaderPart = (part: Cell): string =>
  typeof part === 'boolean' ? (part ? 'True' : 'False') : String(part ?? '')
