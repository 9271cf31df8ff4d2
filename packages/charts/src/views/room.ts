import { createContext, useCallback, useContext, useRef, useState, type RefCallback } from 'react'
import { sizeOf, type Size } from './use-size.ts'

/** Asked when a picture is made; null where nobody knows yet. */
type Room = () => Size | null

/** The room that a picture fills, where who holds it watches its size. Without it each picture makes the page lay itself out. */
export const PictureRoom = createContext<Room>(() => null)

/** What a picture finds where it is made. */
export function useRoom(): Size | null {
  const room = useContext(PictureRoom)
  const [first] = useState(room)
  return first
}

/** Sizes of all that is watched, as they were laid out last. */
const sizes = new WeakMap<Element, Size>()
const unread = new Set<Element>()
let observer: ResizeObserver | undefined

function read(element: Element): void {
  const size = sizeOf(element)
  if (size) sizes.set(element, size)
}

/** Before the first frame nobody was told of a size: then all are read together, while the page is laid out. */
function roomOf(element: Element): Size | null {
  if (!sizes.has(element)) {
    for (const each of unread) read(each)
    unread.clear()
  }
  return sizes.get(element) ?? null
}

/** For who holds a picture that fills an element: `room` is the value of `PictureRoom` around it. */
export function useWatchedRoom(): { ref: RefCallback<HTMLElement>; room: Room } {
  const held = useRef<HTMLElement>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    held.current = element
    if (!element) return undefined
    observer ??= new ResizeObserver((entries) => {
      for (const { target } of entries) {
        unread.delete(target)
        read(target)
      }
    })
    unread.add(element)
    observer.observe(element)
    return () => {
      unread.delete(element)
      observer?.unobserve(element)
    }
  }, [])
  const room = useCallback(() => held.current && roomOf(held.current), [])
  return { ref, room }
}
