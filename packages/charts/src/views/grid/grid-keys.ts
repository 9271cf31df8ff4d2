import type { KeyboardEvent } from 'react'
import { moveSelection, type CellRef, type Selection, type GridSize } from './selection.ts'

/** What keys do in a grid, and where they do it. */
export interface GridKeyActions {
  /** The cursor; rows below 0 are the head. */
  at: CellRef
  selection: Selection
  size: GridSize
  /** Rows that are seen at once. */
  pageRows: number
  select(next: Selection): void
  /** With headers, where whole columns are selected. */
  copy(): void
  /** Enter, at the cursor. */
  enter(): void
  /** The menu of the cell or heading at the cursor. */
  openMenu(): void
  /** Keys of the owner's, asked first. `key` is mirrored where the page reads from right to left. @returns whether it was one */
  ownKey?: ((key: string, event: KeyboardEvent) => boolean) | undefined
}

/** Arrows move, Shift stretches, Ctrl-C copies, Enter does what the owner says, Shift-F10 and Alt-Down open the menu. */
export function handleGridKey(event: KeyboardEvent, tools: GridKeyActions): void {
  if (event.target !== event.currentTarget) return
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
  const mirrored: Record<string, string> = isRtl ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' } : {}
  const key = mirrored[event.key] ?? event.key
  if (!tools.ownKey?.(key, event) && !handleCellKey(key, event, tools)) return
  event.preventDefault()
  event.stopPropagation()
}

function handleCellKey(key: string, event: KeyboardEvent, { at, selection, size, ...tools }: GridKeyActions): boolean {
  const ctrl = event.ctrlKey || event.metaKey
  const shift = event.shiftKey
  if (event.altKey) {
    if (key !== 'ArrowDown') return false
    tools.openMenu()
  } else if (ctrl && key.toLowerCase() === 'c') tools.copy()
  else if (key === 'ContextMenu' || (key === 'F10' && shift)) tools.openMenu()
  else if (key === 'Enter' && at.column >= 0) tools.enter()
  else {
    const next = moveSelection({ ...selection, at }, { key, ctrl, shift }, size, tools.pageRows)
    if (next === null) return false
    tools.select(next)
  }
  return true
}
