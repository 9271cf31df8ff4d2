import { useCallback, useLayoutEffect, useState, type RefCallback } from 'react'

export interface Size {
  width: number
  height: number
}

/**
 * Size of an element in whole CSS pixels; null before layout. A hidden element keeps its last size.
 * @param expected see `useElementSize`
 */
export function useSize(element: HTMLElement | null, expected: Size): Size
export function useSize(element: HTMLElement | null): Size | null
export function useSize(element: HTMLElement | null, expected: Size | null = null): Size | null {
  const { size, ref } = useElementSize(expected)
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
const dragDelayMs = 150

/**
 * Like `useSize` for an element of the calling component, but one render earlier: it is measured as soon as it is mounted.
 * @param expected size to assume until it is measured; the element is then observed instead of measured
 */
export function useElementSize(expected: Size | null = null): {
  size: Size | null
  /** The measured size differs from the expected one. */
  differsFromExpected: boolean
  ref: RefCallback<HTMLElement>
} {
  const [initial] = useState(expected)
  const [measured, setMeasured] = useState<Size | null>(null)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined
      const measure = () => {
        const size = measureElement(element)
        if (!size) return
        setMeasured((last) => {
          const known = last ?? initial
          return known?.width === size.width && known.height === size.height ? last : size
        })
      }
      if (!initial) measure()
      let isKnown = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const observer = new ResizeObserver(() => {
        clearTimeout(timer)
        if (isPressed && isKnown) timer = setTimeout(measure, dragDelayMs)
        else measure()
        isKnown = true
      })
      observer.observe(element)
      return () => {
        clearTimeout(timer)
        observer.disconnect()
      }
    },
    [initial],
  )
  return { size: measured ?? initial, differsFromExpected: measured !== null, ref }
}

const step = 40

/** Size rounded to steps, so that dragging an edge does not resolve a chart for every pixel. */
export const roundSize = (size: Size | null): Size => ({
  width: Math.max(step, Math.round((size?.width ?? 480) / step) * step),
  height: Math.max(step, Math.round((size?.height ?? 320) / step) * step),
})
