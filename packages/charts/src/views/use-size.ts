import { useCallback, useLayoutEffect, useState, type RefCallback } from 'react'

export interface Size {
  width: number
  height: number
}

/**
 * Size of an element in whole CSS pixels; null before it is laid out. A hidden element keeps its last size.
 * @param given as in `useOwnSize`
 */
export function useSize(element: HTMLElement | null, given: Size): Size
export function useSize(element: HTMLElement | null): Size | null
export function useSize(element: HTMLElement | null, given: Size | null = null): Size | null {
  const { size, ref } = useElementSize(given)
  useLayoutEffect(() => (element ? ref(element) : undefined), [element, ref])
  return size
}

/** In whole CSS pixels; null of what is hidden. The page is laid out for it where it has changed. */
export function measureElement({ clientWidth: width, clientHeight: height }: Element): Size | null {
  return width === 0 || height === 0 ? null : { width, height }
}

/** A pointer is down: what changes its size is probably dragged, and will change it again. */
let isPressed = false
for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
  globalThis.addEventListener?.(type, () => (isPressed = type === 'pointerdown'), { capture: true, passive: true })

/** So long a size that is dragged has to rest before it is read: a picture drawn at each step would hold the pointer up. */
const restMs = 150

/**
 * The same of an element of one's own, known one drawing earlier: it is read as soon as it stands there.
 * @param given what it will be, as far as is known: then it is not read, only watched
 */
export function useElementSize(given: Size | null = null): {
  size: Size | null
  /** It is not what was given. */
  isOther: boolean
  ref: RefCallback<HTMLElement>
} {
  const [first] = useState(given)
  const [read, setRead] = useState<Size | null>(null)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined
      const look = () => {
        const size = measureElement(element)
        if (!size) return
        setRead((last) => {
          const known = last ?? first
          return known?.width === size.width && known.height === size.height ? last : size
        })
      }
      if (!first) look()
      let isKnown = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const observer = new ResizeObserver(() => {
        clearTimeout(timer)
        if (isPressed && isKnown) timer = setTimeout(look, restMs)
        else look()
        isKnown = true
      })
      observer.observe(element)
      return () => {
        clearTimeout(timer)
        observer.disconnect()
      }
    },
    [first],
  )
  return { size: read ?? first, isOther: read !== null, ref }
}

const step = 40

/** The size in steps, so that dragging an edge does not resolve a picture at every pixel. */
export const roundSize = (size: Size | null): Size => ({
  width: Math.max(step, Math.round((size?.width ?? 480) / step) * step),
  height: Math.max(step, Math.round((size?.height ?? 320) / step) * step),
})
