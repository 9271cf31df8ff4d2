import { useLayoutEffect, useState, type CSSProperties, type RefObject } from 'react'
import { computePosition, type Placement } from './compute-position.ts'

export interface FloatingOptions {
  placement: Placement
  gap: number
  /** At least as wide as the anchor. */
  matchWidth?: boolean
}

/** Not seen before it is placed, but there: what is hidden takes no focus. */
const initialStyle: CSSProperties = { position: 'fixed', left: 0, top: 0, opacity: 0 }

/**
 * Style of an element that floats beside another while it is mounted; follows scrolling and changes of size.
 * @param anchor  called at each move, so that it may be a child that is made anew
 */
export function useFloating(
  anchor: () => Element | null | undefined,
  floating: RefObject<HTMLElement | null>,
  { placement, gap, matchWidth }: FloatingOptions,
): CSSProperties {
  const [style, setStyle] = useState<CSSProperties>(initialStyle)
  useLayoutEffect(() => {
    const element = floating.current
    const hangsOn = anchor()
    if (!element || !hangsOn) return
    const move = (): void => {
      const box = hangsOn.getBoundingClientRect()
      const { offsetWidth, offsetHeight } = element
      const width = matchWidth ? Math.max(box.width, offsetWidth) : offsetWidth
      const view = { width: document.documentElement.clientWidth, height: innerHeight }
      const rtl = getComputedStyle(hangsOn).direction === 'rtl'
      const { left, top } = computePosition(box, { width, height: offsetHeight }, view, placement, gap, rtl)
      setStyle((before) =>
        before.left === left && before.top === top && before.opacity === undefined
          ? before
          : { position: 'fixed', left, top, ...(matchWidth && { minWidth: box.width }) },
      )
    }
    move()
    const sizes = new ResizeObserver(move)
    sizes.observe(element)
    sizes.observe(hangsOn)
    addEventListener('scroll', move, { capture: true, passive: true })
    addEventListener('resize', move)
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', move, { capture: true })
      removeEventListener('resize', move)
    }
    // The anchor is asked again when the element that floats is mounted anew.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [floating, placement, gap, matchWidth])
  return style
}
