import type { KeyboardEvent } from 'react'
import type { LayoutChange, PlacedColumns } from './column-layout.ts'
import { moveSelection, selectionAt, type Place, type Selection, type Size } from './selection.ts'

/** What keys do in a grid, and where they do it. */
export interface KeyTools {
  /** The cursor; row −1 is the head. */
  at: Place
  selection: Selection
  placed: PlacedColumns
  size: Size
  /** Rows that are seen at once. */
  pageRows: number
  select(next: Selection): void
  changeColumns(change: LayoutChange): void
  /** With headers, where whole columns are selected. */
  copy(): void
  search(): void
  openMenu(): void
  sort(column: number): void
  /** Shows the value under the cursor whole. */
  view(column: number): void
}

/**
 * Arrows move, Shift stretches, Ctrl-C copies, Ctrl-F searches, Enter opens a value or sorts by a heading, Shift-F10 and Alt-Down open
 * the menu, Alt with Left and Right moves a column and with Shift makes it narrower or wider.
 */
export function onGridKey(event: KeyboardEvent, tools: KeyTools): void {
  if (event.target !== event.currentTarget) return
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
  const mirrored: Record<string, string> = isRtl ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' } : {}
  const key = mirrored[event.key] ?? event.key
  if (event.altKey ? !ofColumn(key, event.shiftKey, tools) : !ofCells(key, event, tools)) return
  event.preventDefault()
  event.stopPropagation()
}

const stepPx = 16

function ofColumn(key: string, isShift: boolean, { at, placed, ...tools }: KeyTools): boolean {
  const column = placed.all[at.column]
  if (!column) return false
  if (key === 'ArrowDown') {
    tools.openMenu()
    return true
  }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false
  const step = key === 'ArrowRight' ? 1 : -1
  if (isShift) {
    tools.changeColumns({ type: 'resize', column: column.index, width: column.width + step * stepPx })
    return true
  }
  const to = placed.all[at.column + step]
  if (!to) return true
  tools.changeColumns({ type: 'move', column: column.index, to: to.index, after: step > 0 })
  tools.select(selectionAt({ row: at.row, column: at.column + step }))
  return true
}

function ofCells(key: string, event: KeyboardEvent, { at, placed, selection, size, ...tools }: KeyTools): boolean {
  const ctrl = event.ctrlKey || event.metaKey
  const shift = event.shiftKey
  const column = placed.all[at.column]
  if (ctrl && key.toLowerCase() === 'c') tools.copy()
  else if (ctrl && key.toLowerCase() === 'f') tools.search()
  else if (key === 'ContextMenu' || (key === 'F10' && shift)) tools.openMenu()
  else if (key === 'Enter' && column) {
    if (at.row < 0) tools.sort(column.index)
    else tools.view(column.index)
  } else {
    const next = moveSelection({ ...selection, at }, { key, ctrl, shift }, size, tools.pageRows)
    if (next === null) return false
    tools.select(next)
  }
  return true
}
