import { selectionAt, type CellRef, type PlacedColumns, type Selection } from '@parquetry/charts/views/grid/index'
import type { KeyboardEvent } from 'react'
import type { LayoutChange } from './column-layout.ts'

interface KeyTools {
  at: CellRef
  placed: PlacedColumns
  select(next: Selection): void
  changeColumns(change: LayoutChange): void
  search(): void
}

const stepPx = 16

/**
 * Handles the keys specific to result grids: Ctrl-F searches, Alt with Left and Right moves a column, and with Shift resizes it.
 * @returns whether the key was handled
 */
export function handleGridKey(key: string, event: KeyboardEvent, { at, placed, ...tools }: KeyTools): boolean {
  if (!event.altKey) {
    const isSearch = (event.ctrlKey || event.metaKey) && key.toLowerCase() === 'f'
    if (isSearch) tools.search()
    return isSearch
  }
  const column = placed.all[at.column]
  if (!column) return false
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false
  const step = key === 'ArrowRight' ? 1 : -1
  if (event.shiftKey) {
    tools.changeColumns({ type: 'resize', column: column.index, width: column.width + step * stepPx })
    return true
  }
  const to = placed.all[at.column + step]
  if (!to) return true
  tools.changeColumns({ type: 'move', column: column.index, to: to.index, after: step > 0 })
  tools.select(selectionAt({ row: at.row, column: at.column + step }))
  return true
}
