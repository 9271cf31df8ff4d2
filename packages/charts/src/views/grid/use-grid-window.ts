import { computeRowScale, useScrollViewport } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { columnsBetween, type PlacedColumns } from './placed-columns.ts'
import type { Size } from '../use-size.ts'
import type { CellRef } from './selection.ts'

/** The rendered part of a grid, in displayed rows and placed columns; ends are exclusive. */
export interface GridWindow {
  first: number
  last: number
  from: number
  end: number
  /** Row from which rows are positioned, because a million rows exceed the pixel range of browsers. */
  base: number
  /** Height of the body, and offset of its rows, in px. */
  height: number
  shift: number
  /** True if the cell is rendered. */
  holds(place: CellRef): boolean
  scrollTo(place: CellRef): void
}

/** Overscan: rows above and below, and px of columns before and after. */
const reached = { above: 8, below: 13, before: 120, after: 240 }
const untouched = { above: 0, below: 0, before: 0, after: 0 }

/**
 * Tracks the visible part of the grid. Some rows and columns beyond the edges are prerendered for scrolling, but only after the
 * first interaction, since most grids of a dashboard are never scrolled.
 */
export function useGridWindow(
  scroller: HTMLDivElement | null,
  { rows, rowHeight, headHeight, room }: { rows: number; rowHeight: number; headHeight: number; room: Size | null },
  placed: PlacedColumns,
): GridWindow {
  const isScaled = rows * rowHeight > 12_000_000
  const seen = useScrollViewport(scroller, isScaled, room)
  const { height, factor } = computeRowScale(rows, rowHeight, seen.height - headHeight)
  const offset = seen.top * factor
  const beyond = useIsReached(scroller) ? reached : untouched
  const first = Math.max(0, Math.floor(offset / rowHeight) - beyond.above)
  const last = Math.min(rows, Math.ceil((offset + seen.height - headHeight) / rowHeight) + beyond.below)
  const base = isScaled ? Math.floor(first / 1000) * 1000 : 0
  const [left, right] = [seen.left + placed.pinnedWidth, seen.left + seen.width]
  const [from, end] = columnsBetween(placed, left - beyond.before, right + beyond.after)
  return {
    first,
    last,
    from,
    end,
    base,
    height,
    shift: isScaled ? seen.top - offset + base * rowHeight : 0,
    holds: ({ row, column }) =>
      column >= 0 &&
      (row < 0 || (row >= first && row < last)) &&
      (column < placed.pinned || (column >= from && column < end)),
    scrollTo: ({ row, column }) => {
      const cell = placed.all[column]
      if (!scroller || !cell) return
      if (row >= 0) {
        const view = scroller.clientHeight - headHeight
        const now = scroller.scrollTop * factor
        const top = row * rowHeight
        if (top < now) scroller.scrollTo({ top: top / factor })
        else if (top + rowHeight > now + view) scroller.scrollTo({ top: (top + rowHeight - view) / factor })
      }
      if (column < placed.pinned) return
      const sign = getComputedStyle(scroller).direction === 'rtl' ? -1 : 1
      const left = Math.abs(scroller.scrollLeft)
      if (cell.start - placed.pinnedWidth < left) scroller.scrollTo({ left: sign * (cell.start - placed.pinnedWidth) })
      else if (cell.start + cell.width > left + scroller.clientWidth)
        scroller.scrollTo({ left: sign * (cell.start + cell.width - scroller.clientWidth) })
    },
  }
}

/** True after a pointer or the focus has entered, or after scrolling. */
function useIsReached(element: HTMLElement | null): boolean {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    if (!element || isReached) return undefined
    const gone = new AbortController()
    const { signal } = gone
    for (const type of ['pointerenter', 'focusin', 'scroll'])
      element.addEventListener(type, () => setReached(true), { passive: true, signal })
    return () => gone.abort()
  }, [element, isReached])
  return isReached
}
