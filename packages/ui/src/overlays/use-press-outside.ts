import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Calls `leave` when a pointer is pressed outside. Everything in the React tree of the element with the returned handler is
 * inside, so a list of options that floats elsewhere in the document still belongs to its dialog.
 * @param anchor  also counts as inside, because it toggles the element
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
    // On the document in the bubbling phase, after React's own handlers on the root and on the body.
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
