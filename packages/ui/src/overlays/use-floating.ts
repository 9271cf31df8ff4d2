import { useLayoutEffect, useState, type CSSProperties, type RefObject } from 'react'
import { computePosition, type Placement } from './compute-position.ts'

export interface FloatingOptions {
  placement: Placement
  gap: number
  /** At least as wide as the anchor. */
  matchWidth?: boolean
}

/** Invisible before placement but present, because hidden elements cannot be focused. */
const initialStyle: CSSProperties = { position: 'fixed', left: 0, top: 0, opacity: 0 }

/** Updates of all floating elements: one that moves takes along those whose anchors are inside it. */
const updates = new Set<() => void>()

/**
 * Returns the style of an element that floats next to another while it is mounted; follows its anchor.
 * @param anchor  called on each update, so the element may be a child that is recreated
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
    updates.add(move)
    const sizes = new ResizeObserver(move)
    sizes.observe(element)
    sizes.observe(hangsOn)
    addEventListener('scroll', move, { capture: true, passive: true })
    addEventListener('resize', move)
    return () => {
      updates.delete(move)
      sizes.disconnect()
      removeEventListener('scroll', move, { capture: true })
      removeEventListener('resize', move)
    }
    // The anchor is looked up again when the floating element is mounted again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [floating, placement, gap, matchWidth])
  useLayoutEffect(() => {
    for (const update of updates) update()
  }, [style])
  return style
}
