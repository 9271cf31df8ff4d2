import { useLayoutEffect, useState } from 'react'

export interface Size {
  width: number
  height: number
}

/** Size of an element without its padding, in whole CSS pixels; null before it is laid out. A hidden element keeps its last size. */
export function useSize(element: HTMLElement | null): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    if (!element) return
    // What the observer knows costs no layout of its own, and comes before the first frame.
    const observer = new ResizeObserver((entries) => {
      const { inlineSize = 0, blockSize = 0 } = entries.at(-1)?.contentBoxSize[0] ?? {}
      const [width, height] = [Math.round(inlineSize), Math.round(blockSize)]
      if (width === 0 || height === 0) return
      setSize((now) => (now?.width === width && now.height === height ? now : { width, height }))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return size
}

const step = 40

/** The size in steps, so that dragging an edge does not resolve a picture at every pixel. */
export const stepped = (size: Size | null): Size => ({
  width: Math.max(step, Math.round((size?.width ?? 480) / step) * step),
  height: Math.max(step, Math.round((size?.height ?? 320) / step) * step),
})
