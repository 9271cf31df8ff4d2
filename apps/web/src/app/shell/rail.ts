import { useState } from 'react'
import type { Page } from '../../shared/page.ts'

const key = (frame: Page['frame']): string => `parquetry.rail.${frame}`

/** Whether the sidebar is the narrow rail: remembered for browse screens and work screens apart; work screens start with it. */
export function useRail(frame: Page['frame']): [rail: boolean, setRail: (rail: boolean) => void] {
  const [chosen, choose] = useState<Record<string, boolean>>({})
  const kept = localStorage.getItem(key(frame))
  const rail = chosen[frame] ?? (kept === null ? frame === 'work' : kept === 'true')
  return [
    rail,
    (next) => {
      localStorage.setItem(key(frame), String(next))
      choose((before) => ({ ...before, [frame]: next }))
    },
  ]
}
