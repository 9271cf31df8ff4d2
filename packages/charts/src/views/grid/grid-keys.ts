import type { KeyboardEvent } from 'react'
import { moveSelection, type CellRef, type Selection, type GridSize } from './selection.ts'

/** State and actions of a grid for its keyboard control. */
export interface GridKeyActions {
  /** The cursor; negative rows are the header. */
  at: CellRef
  selection: Selection
  size: GridSize
  /** Number of rows visible at once. */
  pageRows: number
  select(next: Selection): void
  /** Copies the selection, with headers if whole columns are selected. */
  copy(): void
  /** Handles Enter at the cursor. */
  enter(): void
  /** Opens the menu of the cell or heading at the cursor. */
  openMenu(): void
  /** Keys of the owner, checked first. `key` is mirrored on right-to-left pages. @returns true if the key was handled */
  ownKey?: ((key: string, event: KeyboardEvent) => boolean) | undefined
}

/**
 * Arrow keys move, Shift extends the selection, Ctrl-C copies, Enter is defined by the owner, Shift-F10 and Alt-Down open the
 * menu.
 */
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
