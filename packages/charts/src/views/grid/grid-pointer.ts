import type { PointerEvent } from 'react'
import { selectionAt, type CellRef, type CellRange, type Selection } from './selection.ts'

/** The cell at a point of the window; null outside the cells. */
export function findCellAt(scroller: HTMLElement | null, x: number, y: number): CellRef | null {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row || !scroller?.contains(cell)) return null
  return { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) }
}

export const isInRange = (selected: CellRange | null, { row, column }: CellRef): boolean =>
  selected !== null &&
  row >= selected.top &&
  row <= selected.bottom &&
  column >= selected.left &&
  column <= selected.right

export const isInLink = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a[href]') !== null

interface DragOptions {
  scroller: HTMLElement | null
  rowHeight: number
  headHeight: number
  pinnedWidth: number
  select(change: (now: Selection) => Selection): void
  /** Called where the drag begins. */
  begin(place: CellRef): void
}

/**
 * Handles a press on a cell: selects it, or extends the selection to it with Shift, and follows while dragging; beyond an edge
 * the grid scrolls.
 */
export function dragSelection(event: PointerEvent<HTMLElement>, options: DragOptions): void {
  const { scroller, rowHeight, headHeight, pinnedWidth, select, begin } = options
  const place = findCellAt(scroller, event.clientX, event.clientY)
  // A captured pointer would not reach a link.
  if (event.button !== 0 || !place || isInLink(event.target)) return
  // A finger scrolls; a tap selects through the subsequent click.
  if (event.pointerType === 'touch') return select(() => selectionAt(place))
  const isLonger = event.shiftKey
  select((now) => (isLonger ? { anchor: now.anchor, at: place, whole: 'cells' } : selectionAt(place)))
  begin(place)
  const body = event.currentTarget
  body.setPointerCapture(event.pointerId)
  body.onpointermove = (move) => {
    const box = scroller?.getBoundingClientRect()
    if (box) {
      const beyond = (value: number, least: number, most: number): number =>
        value < least ? -rowHeight : value > most ? rowHeight : 0
      scroller?.scrollBy(
        beyond(move.clientX, box.left + pinnedWidth, box.right),
        beyond(move.clientY, box.top + headHeight, box.bottom),
      )
    }
    const over = findCellAt(scroller, move.clientX, move.clientY)
    if (over) select((now) => ({ anchor: now.anchor, at: over, whole: 'cells' }))
  }
  body.onpointerup = () => (body.onpointermove = null)
  body.onpointercancel = body.onpointerup
}
