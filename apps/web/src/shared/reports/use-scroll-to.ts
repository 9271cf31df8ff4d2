import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls an element into view whenever a result arrives that it shows, since it may be below the visible part of the form. */
export function useScrollTo<E extends HTMLElement>(result: unknown): RefObject<E | null> {
  const element = useRef<E>(null)
  useEffect(() => {
    if (result) element.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return element
}
