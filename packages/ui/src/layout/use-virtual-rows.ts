import { useScrollViewport } from './use-scroll-viewport.ts'

/** Rows beyond each edge that scrolling finds drawn. */
const overscan = 10

/** The rows of a long list that are in the page; the last one is not included. */
export interface VirtualRows {
  first: number
  last: number
  /** Of all rows, in px. */
  height: number
  /** Scrolls as little as shows the row. */
  scrollTo(row: number): void
}

/** A list of rows of one height that keeps only those in view in the page. Each is placed by itself, at `row * rowHeight`. */
export function useVirtualRows(
  scroller: HTMLElement | null,
  { count, rowHeight }: { count: number; rowHeight: number },
): VirtualRows {
  const seen = useScrollViewport(scroller, false)
  return {
    first: Math.max(0, Math.floor(seen.top / rowHeight) - overscan),
    last: Math.min(count, Math.ceil((seen.top + seen.height) / rowHeight) + overscan),
    height: count * rowHeight,
    scrollTo(row) {
      if (!scroller) return
      const { scrollTop, clientHeight } = scroller
      const top = row * rowHeight
      if (top < scrollTop) scroller.scrollTo({ top })
      else if (top + rowHeight > scrollTop + clientHeight) scroller.scrollTo({ top: top + rowHeight - clientHeight })
    },
  }
}
