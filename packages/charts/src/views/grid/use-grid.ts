import { useId, useState, type Dispatch, type SetStateAction } from 'react'
import type { PlacedColumns } from './placed-columns.ts'
import { toCellRange, selectionAt, type CellRef, type CellRange, type Selection, type GridSize } from './selection.ts'
import { useGridWindow, type GridWindow } from './use-grid-window.ts'

/** State of a grid: visible part, cursor and selection. */
export interface GridState {
  /** Prefix of the ids of its cells. */
  id: string
  scroller: HTMLDivElement | null
  setScroller(element: HTMLDivElement | null): void
  placed: PlacedColumns
  size: GridSize
  rowHeight: number
  /** Number of header rows. */
  heads: number
  seen: GridWindow
  /** The cursor; negative rows are the header. */
  at: CellRef
  selection: Selection
  selected: CellRange | null
  setSelection: Dispatch<SetStateAction<Selection>>
  /** Selects and scrolls the cursor into view. */
  select(next: Selection): void
}

interface GridOptions {
  scroller: HTMLDivElement | null
  setScroller(element: HTMLDivElement | null): void
  rows: number
  placed: PlacedColumns
  rowHeight: number
  heads?: number
  /** Available size, if known before layout. */
  room?: { width: number; height: number } | null
}

export function useGrid({
  scroller,
  setScroller,
  rows,
  placed,
  rowHeight,
  heads = 1,
  room = null,
}: GridOptions): GridState {
  const id = useId()
  const [selection, setSelection] = useState<Selection>(() => selectionAt({ row: 0, column: 0 }))
  const seen = useGridWindow(scroller, { rows, rowHeight, headHeight: heads * rowHeight, room }, placed)
  const size = { rows, columns: placed.all.length, heads }
  return {
    id,
    scroller,
    setScroller,
    placed,
    size,
    rowHeight,
    heads,
    seen,
    at: {
      row: Math.min(selection.at.row, rows - 1),
      column: Math.min(selection.at.column, placed.all.length - 1),
    },
    selection,
    selected: toCellRange(selection, size),
    setSelection,
    select: (next) => {
      setSelection(next)
      seen.scrollTo(next.at)
    },
  }
}

/** Id of a cell; negative rows are the header. */
export const cellId = (grid: string, row: number, column: number): string => `${grid}-${row}-${column}`
