/** An expanded table of the tree: its index among the tables, and the number of rows for its columns. */
export interface OpenTable {
  index: number
  rows: number
}

/** A row of the tree: a table, or one of the rows below it. */
export interface TreeRow {
  table: number
  /** −1 for the table itself. */
  child: number
}

/** Number of rows of the tree: `count` tables and the rows of expanded ones. `open` is in table order. */
export const rowCount = (count: number, open: readonly OpenTable[]): number =>
  open.reduce((sum, { rows }) => sum + rows, count)

/** Returns the content of a tree row. Tables that are not fetched yet occupy a row like others. */
export function rowAt(row: number, open: readonly OpenTable[]): TreeRow {
  let before = 0
  for (const { index, rows } of open) {
    const tableRow = index + before
    if (row <= tableRow) break
    if (row <= tableRow + rows) return { table: index, child: row - tableRow - 1 }
    before += rows
  }
  return { table: row - before, child: -1 }
}

/** Returns the row index of a table, or of a row below it. */
export function findRowIndex({ table, child }: TreeRow, open: readonly OpenTable[]): number {
  const before = open.reduce((sum, { index, rows }) => (index < table ? sum + rows : sum), 0)
  return table + before + child + 1
}
