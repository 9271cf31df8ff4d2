import { useCallback, useSyncExternalStore } from 'react'

/** What of a scrolled element is seen, in px of its content. */
export interface Seen {
  top: number
  left: number
  width: number
  height: number
}

/** Steps in which scrolling draws anew: rows and columns beyond the edge cover what lies between. */
const stepPx = 56

/** Follows scrolling and size of an element. Small steps of scrolling change nothing, unless `exact` wants each one. */
export function useWindow(element: HTMLElement | null, exact: boolean): Seen {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (!element) return () => undefined
      element.addEventListener('scroll', changed, { passive: true })
      const observer = new ResizeObserver(changed)
      observer.observe(element)
      return () => {
        element.removeEventListener('scroll', changed)
        observer.disconnect()
      }
    },
    [element],
  )
  const seen = useSyncExternalStore(subscribe, () => {
    if (!element) return '0 0 0 0'
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = element
    const top = exact ? scrollTop : Math.floor(scrollTop / stepPx) * stepPx
    return `${top} ${Math.floor(Math.abs(scrollLeft) / stepPx) * stepPx} ${clientWidth} ${clientHeight}`
  })
  const [top = 0, left = 0, width = 0, height = 0] = seen.split(' ').map(Number)
  return { top, left, width, height }
}

/** Browsers stop at some height of an element: beyond this one row of pixels stands for more than one. */
const mostPx = 12_000_000

export interface RowScale {
  /** Of the element that scrolls. */
  height: number
  /** Px of rows for each px that is scrolled. */
  factor: number
}

export function rowScale(rows: number, rowHeight: number, seenHeight: number): RowScale {
  const whole = rows * rowHeight
  if (whole <= mostPx) return { height: whole, factor: 1 }
  const view = Math.max(1, seenHeight)
  return { height: mostPx, factor: (whole - view) / (mostPx - view) }
}
