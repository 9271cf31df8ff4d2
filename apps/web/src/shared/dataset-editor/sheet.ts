/** A column of a sheet. Rows have any type that `get` reads. */
export interface SheetColumn<Row> {
  id: string
  header: string
  /** In px; the last text column fills the remaining width. */
  width: number
  kind: 'text' | 'check' | 'read'
  /** Monospaced font for SQL and column names. */
  mono?: boolean
  get(row: Row): string | boolean
  /** Converts typed or pasted text; undefined rejects it and changes nothing. */
  parse?(text: string, row: Row): string | boolean | undefined
  isReadOnly?(row: Row): boolean
}

/** A cell by row and column index. */
export interface CellRef {
  row: number
  column: number
}

/** The rectangle between two cells, inclusive. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

export const toCellRange = (one: CellRef, other: CellRef): CellRange => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
})

export const isInRange = ({ top, bottom, left, right }: CellRange, { row, column }: CellRef): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

/** Returns the cell that a key moves to; undefined for keys that do not move. */
export function moveCell(
  { row, column }: CellRef,
  key: string,
  { ctrl, rows, columns, page }: { ctrl: boolean; rows: number; columns: number; page: number },
): CellRef | undefined {
  const last = { row: rows - 1, column: columns - 1 }
  const to = {
    ArrowUp: { row: ctrl ? 0 : row - 1, column },
    ArrowDown: { row: ctrl ? last.row : row + 1, column },
    ArrowLeft: { row, column: ctrl ? 0 : column - 1 },
    ArrowRight: { row, column: ctrl ? last.column : column + 1 },
    Home: { row: ctrl ? 0 : row, column: 0 },
    End: { row: ctrl ? last.row : row, column: last.column },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
  }[key]
  return to && clampCell(to, { rows, columns })
}

export const clampCell = ({ row, column }: CellRef, { rows, columns }: { rows: number; columns: number }): CellRef => ({
  row: Math.max(0, Math.min(rows - 1, row)),
  column: Math.max(0, Math.min(columns - 1, column)),
})

/** Parses pasted text in spreadsheet format: tabs between cells, quotes around cells with line breaks. */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const source = text.replaceAll('\r\n', '\n')
  while (at <= source.length) {
    let cell: string
    const quoted = source[at] === '"' ? /^"((?:[^"]|"")*)"(?=\t|\n|$)/.exec(source.slice(at)) : null
    if (quoted) {
      cell = (quoted[1] as string).replaceAll('""', '"')
      at += quoted[0].length
    } else {
      const end = source.slice(at).search(/[\t\n]/)
      cell = end < 0 ? source.slice(at) : source.slice(at, at + end)
      at += cell.length
    }
    row.push(cell)
    const next = source[at]
    at += 1
    if (next === '\t') continue
    rows.push(row)
    row = []
    if (next === undefined) break
  }
  // Spreadsheets also terminate the last row.
  if (rows.length > 1 && rows.at(-1)?.length === 1 && rows.at(-1)?.[0] === '') rows.pop()
  return rows
}

const formatTsvCell = (value: string | boolean): string => {
  const text = typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : value
  return /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const formatTsv = (cells: readonly (readonly (string | boolean)[])[]): string =>
  cells.map((row) => row.map(formatTsvCell).join('\t')).join('\n')

/** Parses text as a checkbox value; undefined when unrecognized. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (['true', 'yes', 'y', '1', 'x', '✓', '☑', 'wahr', 'vrai'].includes(word)) return true
  return ['false', 'no', 'n', '0', '', '☐', 'falsch', 'faux'].includes(word) ? false : undefined
}

export interface CellWrite {
  row: number
  column: number
  value: string | boolean
}

/** Returns the change that writing a text into one cell makes. */
export function writeCell<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: readonly Row[],
  { row, column }: CellRef,
  text: string,
): CellWrite[] {
  const spec = columns[column]
  const item = rows[row]
  if (!spec || item === undefined || spec.kind === 'read' || spec.isReadOnly?.(item)) return []
  const value = spec.parse
    ? spec.parse(text, item)
    : spec.kind === 'check'
      ? parseBoolean(text)
      : text.replaceAll('\n', ' ')
  return value === undefined || value === spec.get(item) ? [] : [{ row, column, value }]
}

/**
 * Returns the changes of a pasted text: one cell fills the whole range, more extend down and right from its corner within the
 * existing rows.
 */
export function pasteCells<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: readonly Row[],
  range: CellRange,
  text: string,
): CellWrite[] {
  const cells = parseTsv(text)
  const single = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined
  if (single !== undefined) return fillCells(columns, rows, range, single)
  return cells.flatMap((line, down) =>
    line.flatMap((cell, right) =>
      writeCell(columns, rows, { row: range.top + down, column: range.left + right }, cell),
    ),
  )
}

/** One text in every cell of a range. */
export function fillCells<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: readonly Row[],
  { top, bottom, left, right }: CellRange,
  text: string,
): CellWrite[] {
  const found: CellWrite[] = []
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1) found.push(...writeCell(columns, rows, { row, column }, text))
  return found
}
