import { createContext, useCallback, useContext, useRef, useState, type RefCallback } from 'react'
import { measureElement, type Size } from './use-size.ts'

/** Called when a chart is created; returns null if the size is unknown. */
type SizeReader = () => Size | null

/** Size of the container of a chart, for containers that observe it. Without it each chart forces a layout of the page. */
export const ChartSizeContext = createContext<SizeReader>(() => null)

/** Size available to a chart when it is created. */
export function useKnownSize(): Size | null {
  const room = useContext(ChartSizeContext)
  const [first] = useState(room)
  return first
}

/** Last measured sizes of all observed elements. */
const sizes = new WeakMap<Element, Size>()
const unmeasured = new Set<Element>()
let observer: ResizeObserver | undefined

function measure(element: Element): void {
  const size = measureElement(element)
  if (size) sizes.set(element, size)
}

/**
 * Returns the size of an element. Before the first frame no sizes have been reported, so all are read together in a single
 * layout.
 */
function readSize(element: Element): Size | null {
  if (!sizes.has(element)) {
    for (const each of unmeasured) measure(each)
    unmeasured.clear()
  }
  return sizes.get(element) ?? null
}

/** Observes an element that a chart fills; `room` is the value of `ChartSizeContext` around the chart. */
export function useWatchedSize(): { ref: RefCallback<HTMLElement>; room: SizeReader } {
  const held = useRef<HTMLElement>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    held.current = element
    if (!element) return undefined
    observer ??= new ResizeObserver((entries) => {
      for (const { target } of entries) {
        unmeasured.delete(target)
        measure(target)
      }
    })
    unmeasured.add(element)
    observer.observe(element)
    return () => {
      unmeasured.delete(element)
      observer?.unobserve(element)
    }
  }, [])
  const room = useCallback(() => held.current && readSize(held.current), [])
  return { ref, room }
}
