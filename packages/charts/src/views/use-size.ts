import { useCallback, useLayoutEffect, useState, type RefCallback } from 'react'

export interface Size {
  width: number
  height: number
}

/**
 * Size of an element in whole CSS pixels; null before layout. A hidden element keeps its last size.
 * @param given see `useElementSize`
 */
export function useSize(element: HTMLElement | null, given: Size): Size
export function useSize(element: HTMLElement | null): Size | null
export function useSize(element: HTMLElement | null, given: Size | null = null): Size | null {
  const { size, ref } = useElementSize(given)
  useLayoutEffect(() => (element ? ref(element) : undefined), [element, ref])
  return size
}

/** Size in whole CSS pixels; null for hidden elements. Forces a layout if the page has changed. */
export function measureElement({ clientWidth: width, clientHeight: height }: Element): Size | null {
  return width === 0 || height === 0 ? null : { width, height }
}

/** True while a pointer is pressed: a size change is then probably caused by dragging and will be followed by others. */
let isPressed = false
for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
  globalThis.addEventListener?.(type, () => (isPressed = type === 'pointerdown'), { capture: true, passive: true })

/** Delay until a size is read while dragging, since drawing a chart at each step would slow down the pointer. */
const restMs = 150

/**
 * Like `useSize` for an element of the calling component, but one render earlier: it is measured as soon as it is mounted.
 * @param given expected size if known; the element is then observed instead of measured
 */
export function useElementSize(given: Size | null = null): {
  size: Size | null
  /** The size differs from the given one. */
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

/** Size rounded to steps, so that dragging an edge does not resolve a chart for every pixel. */
export const roundSize = (size: Size | null): Size => ({
  width: Math.max(step, Math.round((size?.width ?? 480) / step) * step),
  height: Math.max(step, Math.round((size?.height ?? 320) / step) * step),
})
