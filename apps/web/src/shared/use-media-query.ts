import { useCallback, useSyncExternalStore } from 'react'

/** Returns whether a media query matches, such as `(max-width: 767px)`. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** The breakpoints of CONST-024 that screens use. */
export const breakpoints = {
  phone: '(max-width: 767px)',
  tablet: '(max-width: 991px)',
  narrow: '(max-width: 1199px)',
} as const
