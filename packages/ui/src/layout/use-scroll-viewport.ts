import { useMemo, useState, useSyncExternalStore } from 'react'

/** What of a scrolled element is seen, in px of its content. */
export interface ScrollViewport {
  top: number
  left: number
  width: number
  height: number
}

type ViewportSize = Pick<ScrollViewport, 'width' | 'height'>

/** Steps in which scrolling draws anew: rows and columns beyond the edge cover what lies between. */
const stepPx = 56

/**
 * Follows scrolling and size of an element. Small steps of scrolling change nothing, unless `exact` wants each one.
 * @param room  of an element that is not scrolled yet, where it is known. Else nothing is seen until the browser has laid the element
 *   out, which is in the frame that would show it.
 */
export function useScrollViewport(
  element: HTMLElement | null,
  exact: boolean,
  room: ViewportSize | null = null,
): ScrollViewport {
  const [first] = useState(room && { top: 0, left: 0, width: room.width, height: room.height })
  const { subscribe, seen } = useMemo(() => createViewportStore(element, exact, first), [element, exact, first])
  return useSyncExternalStore(subscribe, seen)
}

const emptyViewport: ScrollViewport = { top: 0, left: 0, width: 0, height: 0 }

/** Reads the element when it scrolls, changes its size or gets its first one, never in between: that would lay out the page. */
function createViewportStore(element: HTMLElement | null, exact: boolean, first: ScrollViewport | null) {
  if (!element) return { subscribe: () => () => undefined, seen: () => first ?? emptyViewport }
  const read = (): ScrollViewport => {
    const { scrollTop, scrollLeft, clientWidth: width, clientHeight: height } = element
    const top = exact ? scrollTop : Math.floor(scrollTop / stepPx) * stepPx
    return { top, left: Math.floor(Math.abs(scrollLeft) / stepPx) * stepPx, width, height }
  }
  let now = first
  const seen = (): ScrollViewport => now ?? emptyViewport
  const subscribe = (changed: () => void) => {
    const look = () => {
      const next = read()
      if (now && (Object.keys(next) as (keyof ScrollViewport)[]).every((side) => next[side] === now?.[side])) return
      now = next
      changed()
    }
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }
  return { subscribe, seen }
}

/** Browsers stop at some height of an element: beyond this one row of pixels stands for more than one. */
const maxHeightPx = 12_000_000

export interface RowScale {
  /** Of the element that scrolls. */
  height: number
  /** Px of rows for each px that is scrolled. */
  factor: number
}

export function computeRowScale(rows: number, rowHeight: number, seenHeight: number): RowScale {
  const whole = rows * rowHeight
  if (whole <= maxHeightPx) return { height: whole, factor: 1 }
  const view = Math.max(1, seenHeight)
  return { height: maxHeightPx, factor: (whole - view) / (maxHeightPx - view) }
}
