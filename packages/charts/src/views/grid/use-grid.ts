import { useId, useState, type Dispatch, type SetStateAction } from 'react'
import type { PlacedColumns } from './placed-columns.ts'
import { toCellRange, selectionAt, type CellRef, type CellRange, type Selection, type GridSize } from './selection.ts'
import { useGridWindow, type GridWindow } from './use-grid-window.ts'

/** A grid as it stands: what of it is seen, where the cursor is, what is selected. */
export interface GridState {
  /** Begins the ids of its cells. */
  id: string
  scroller: HTMLDivElement | null
  setScroller(element: HTMLDivElement | null): void
  placed: PlacedColumns
  size: GridSize
  rowHeight: number
  /** Rows of the head. */
  heads: number
  seen: GridWindow
  /** The cursor; rows below 0 are the head. */
  at: CellRef
  selection: Selection
  selected: CellRange | null
  setSelection: Dispatch<SetStateAction<Selection>>
  /** Selects and brings the cursor into sight. */
  select(next: Selection): void
}

interface GridOptions {
  scroller: HTMLDivElement | null
  setScroller(element: HTMLDivElement | null): void
  rows: number
  placed: PlacedColumns
  rowHeight: number
  heads?: number
  /** What it fills, where that is known before it is laid out. */
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

/** The id of a cell; rows below 0 are the head. */
export const cellId = (grid: string, row: number, column: number): string => `${grid}-${row}-${column}`
