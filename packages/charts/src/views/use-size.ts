import { useCallback, useLayoutEffect, useState, type RefCallback } from 'react'

export interface Size {
  width: number
  height: number
}

/** Size of an element in whole CSS pixels; null before it is laid out. A hidden element keeps its last size. */
export function useSize(element: HTMLElement | null): Size | null {
  const { size, ref } = useOwnSize()
  useLayoutEffect(() => (element ? ref(element) : undefined), [element, ref])
  return size
}

/**
 * The same of an element of one's own, known one drawing earlier: it is read as soon as it stands there.
 * @param first taken for its size until then
 */
export function useOwnSize(first: Size | null = null): { size: Size | null; ref: RefCallback<HTMLElement> } {
  const [size, setSize] = useState(first)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const read = () => {
      const [width, height] = [element.clientWidth, element.clientHeight]
      if (width === 0 || height === 0) return
      setSize((now) => (now?.width === width && now.height === height ? now : { width, height }))
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { size, ref }
}

const step = 40

/** The size in steps, so that dragging an edge does not resolve a picture at every pixel. */
export const stepped = (size: Size | null): Size => ({
  width: Math.max(step, Math.round((size?.width ?? 480) / step) * step),
  height: Math.max(step, Math.round((size?.height ?? 320) / step) * step),
})
