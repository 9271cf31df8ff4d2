import { useState } from 'react'
import type { Page } from '../../shared/page.ts'
import { useMediaQuery } from '../../shared/use-media-query.ts'

/** Stored separately for browse screens, work screens and narrow windows, which need different widths. */
const key = (layout: string): string => `parquetry.rail.${layout}`

/** Returns whether the sidebar is collapsed to the rail; work screens and windows under 1200 px start with it. */
export function useRail(frame: Page['frame']): [rail: boolean, setRail: (rail: boolean) => void] {
  const isNarrow = useMediaQuery('(max-width: 1199.98px)')
  const layout = isNarrow ? 'narrow' : frame
  const [chosen, choose] = useState<Record<string, boolean>>({})
  const stored = localStorage.getItem(key(layout))
  const rail = chosen[layout] ?? (stored === null ? layout !== 'browse' : stored === 'true')
  return [
    rail,
    (next) => {
      localStorage.setItem(key(layout), String(next))
      choose((before) => ({ ...before, [layout]: next }))
    },
  ]
}
