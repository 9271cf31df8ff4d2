import { useState } from 'react'
import type { Page } from '../../shared/page.ts'
import { useMediaQuery } from '../../shared/use-media-query.ts'

/** Stored separately for browse screens, work screens and narrow windows, which need different widths. */
const key = (place: string): string => `parquetry.rail.${place}`

/** Returns whether the sidebar is collapsed to the rail; work screens and windows under 1200 px start with it. */
export function useRail(frame: Page['frame']): [rail: boolean, setRail: (rail: boolean) => void] {
  const isNarrow = useMediaQuery('(max-width: 1199.98px)')
  const place = isNarrow ? 'narrow' : frame
  const [chosen, choose] = useState<Record<string, boolean>>({})
  const kept = localStorage.getItem(key(place))
  const rail = chosen[place] ?? (kept === null ? place !== 'browse' : kept === 'true')
  return [
    rail,
    (next) => {
      localStorage.setItem(key(place), String(next))
      choose((before) => ({ ...before, [place]: next }))
    },
  ]
}
