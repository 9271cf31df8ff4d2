import { createContext, useCallback, useContext, useRef, useState, type RefCallback } from 'react'
import { measureElement, type Size } from './use-size.ts'

/** Asked when a picture is made; null where nobody knows yet. */
type SizeReader = () => Size | null

/** The room that a picture fills, where who holds it watches its size. Without it each picture makes the page lay itself out. */
export const ChartSizeContext = createContext<SizeReader>(() => null)

/** What a picture finds where it is made. */
export function useKnownSize(): Size | null {
  const room = useContext(ChartSizeContext)
  const [first] = useState(room)
  return first
}

/** Sizes of all that is watched, as they were laid out last. */
const sizes = new WeakMap<Element, Size>()
const unmeasured = new Set<Element>()
let observer: ResizeObserver | undefined

function measure(element: Element): void {
  const size = measureElement(element)
  if (size) sizes.set(element, size)
}

/** Before the first frame nobody was told of a size: then all are read together, while the page is laid out. */
function readSize(element: Element): Size | null {
  if (!sizes.has(element)) {
    for (const each of unmeasured) measure(each)
    unmeasured.clear()
  }
  return sizes.get(element) ?? null
}

/** For who holds a picture that fills an element: `room` is the value of `PictureRoom` around it. */
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
