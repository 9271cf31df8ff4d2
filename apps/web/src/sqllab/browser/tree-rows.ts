/** A table that is open in the tree: where it stands among the tables, and how many rows its columns take. */
export interface OpenTable {
  index: number
  rows: number
}

/** What a row of the tree shows: a table, or one of the rows below it. */
export interface TreeRow {
  table: number
  /** −1 for the table itself. */
  child: number
}

/** Rows of the tree: `count` tables and what is open below them. `open` is in the order of the tables. */
export const rowCount = (count: number, open: readonly OpenTable[]): number =>
  open.reduce((sum, { rows }) => sum + rows, count)

/** What stands in a row of the tree. Tables that are not fetched yet have a place like the others. */
export function rowAt(row: number, open: readonly OpenTable[]): TreeRow {
  let before = 0
  for (const { index, rows } of open) {
    const place = index + before
    if (row <= place) break
    if (row <= place + rows) return { table: index, child: row - place - 1 }
    before += rows
  }
  return { table: row - before, child: -1 }
}

/** The row in which a table, or a row below it, stands. */
export function findRowIndex({ table, child }: TreeRow, open: readonly OpenTable[]): number {
  const before = open.reduce((sum, { index, rows }) => (index < table ? sum + rows : sum), 0)
  return table + before + child + 1
}
