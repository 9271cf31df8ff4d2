import { useMemo, useState, useSyncExternalStore } from 'react'

/** The visible part of a scrolled element, in px of its content. */
export interface ScrollViewport {
  top: number
  left: number
  width: number
  height: number
}

type ViewportSize = Pick<ScrollViewport, 'width' | 'height'>

/** Scrolling rerenders in these steps; rows and columns beyond the edge cover the distance in between. */
const stepPx = 56

/**
 * Follows scroll position and size of an element. Small scroll steps are ignored unless `exact` is set.
 * @param room  known size of an element that is not scrolled yet. Without it nothing is visible until the browser has laid out
 * the element,
 * which is in the frame that would show it.
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

/** Reads the element only when it scrolls, is resized or gets its first size; reading at other times would force a layout. */
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

/** Browsers limit the height of an element: beyond this, one pixel of scrolling represents more than one pixel of rows. */
const maxHeightPx = 12_000_000

export interface RowScale {
  /** Height of the scrolled content. */
  height: number
  /** Pixels of rows per scrolled pixel. */
  factor: number
}

export function computeRowScale(rows: number, rowHeight: number, seenHeight: number): RowScale {
  const whole = rows * rowHeight
  if (whole <= maxHeightPx) return { height: whole, factor: 1 }
  const view = Math.max(1, seenHeight)
  return { height: maxHeightPx, factor: (whole - view) / (maxHeightPx - view) }
}
