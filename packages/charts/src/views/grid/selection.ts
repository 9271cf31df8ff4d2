/**
 * A position in the grid as displayed: rows after sorting and filtering, columns in their order. Negative rows are the header, −1
 * being its lowest row.
 */
export interface CellRef {
  row: number
  column: number
}

/** Range from the anchor to the cursor. Whole columns and rows extend over everything in the other direction. */
export interface Selection {
  anchor: CellRef
  at: CellRef
  whole: 'cells' | 'columns' | 'rows' | 'all'
}

/** All four are inclusive. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

export interface GridSize {
  rows: number
  columns: number
  /** Number of header rows; defaults to 1. */
  heads?: number
}

export const selectionAt = (place: CellRef): Selection => ({ anchor: place, at: place, whole: 'cells' })

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** The selected cells; null if there are none, as in a grid without rows. */
export function toCellRange({ anchor, at, whole }: Selection, { rows, columns }: GridSize): CellRange | null {
  if (rows === 0 || columns === 0) return null
  const wide = whole === 'rows' || whole === 'all'
  const high = whole === 'columns' || whole === 'all'
  return {
    top: high ? 0 : between(Math.min(anchor.row, at.row), 0, rows - 1),
    bottom: high ? rows - 1 : between(Math.max(anchor.row, at.row), 0, rows - 1),
    left: wide ? 0 : between(Math.min(anchor.column, at.column), 0, columns - 1),
    right: wide ? columns - 1 : between(Math.max(anchor.column, at.column), 0, columns - 1),
  }
}

export interface KeyPress {
  key: string
  ctrl: boolean
  shift: boolean
}

/** Returns the selection after a key press, or null for keys without meaning. `page` is in rows. */
export function moveSelection(
  selection: Selection,
  { key, ctrl, shift }: KeyPress,
  { rows, columns, heads = 1 }: GridSize,
  page: number,
): Selection | null {
  const { at, anchor } = selection
  if (key === ' ' && ctrl) return { anchor: { ...at, row: 0 }, at: { ...at, row: 0 }, whole: 'columns' }
  if (key === ' ' && shift) return { anchor: { ...at, column: 0 }, at: { ...at, column: 0 }, whole: 'rows' }
  if (key.toLowerCase() === 'a' && ctrl) return { ...selection, whole: 'all' }
  const steps: Record<string, CellRef> = {
    ArrowDown: { row: ctrl ? rows - 1 : at.row + 1, column: at.column },
    ArrowUp: { row: ctrl ? 0 : at.row - 1, column: at.column },
    ArrowRight: { row: at.row, column: ctrl ? columns - 1 : at.column + 1 },
    ArrowLeft: { row: at.row, column: ctrl ? 0 : at.column - 1 },
    PageDown: { row: at.row + page, column: at.column },
    PageUp: { row: Math.max(0, at.row - page), column: at.column },
    Home: { row: ctrl ? 0 : at.row, column: 0 },
    End: { row: ctrl ? rows - 1 : at.row, column: columns - 1 },
  }
  const to = steps[key]
  if (!to) return null
  const next = { row: between(to.row, shift ? 0 : -heads, rows - 1), column: between(to.column, 0, columns - 1) }
  return shift ? { anchor, at: next, whole: selection.whole === 'all' ? 'cells' : selection.whole } : selectionAt(next)
}
