import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Calls `leave` when a pointer goes down outside. Inside is everything in the React tree of the element that gets the returned
 * handler, so a list of options that floats elsewhere in the document still counts as inside of its dialog.
 * @param anchor  counts as inside too: it toggles by itself
 */
export function usePressOutside(
  active: boolean,
  anchor: () => Element | null | undefined,
  leave: () => void,
): { onPointerDownCapture: () => void } {
  const inside = useRef(false)
  const decide = useEffectEvent((event: PointerEvent) => {
    const wasInside = inside.current || (event.target instanceof Node && anchor()?.contains(event.target))
    inside.current = false
    if (!wasInside) leave()
  })
  useEffect(() => {
    if (!active) return
    // On the document and while bubbling: React's own handlers, on the root and on the body, have run before.
    const onDown = (event: PointerEvent): void => decide(event)
    document.addEventListener('pointerdown', onDown)
    return () => document.removeEventListener('pointerdown', onDown)
  }, [active])
  return {
    onPointerDownCapture: () => {
      inside.current = true
    },
  }
}
