import { useScrollViewport } from './use-scroll-viewport.ts'

/** Rows rendered beyond each edge, for scrolling. */
const overscan = 10

/** The rendered rows of a long list; `last` is exclusive. */
export interface VirtualRows {
  first: number
  last: number
  /** Total height of all rows, in px. */
  height: number
  /** Scrolls the minimum distance that makes the row visible. */
  scrollTo(row: number): void
}

/** Virtualizes a list of rows of equal height. Each row is positioned at `row * rowHeight`. */
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
