import { useState } from 'react'

const quickMs = 2000
const storageKey = (database: number): string => `parquetry.explore.itself.${database}`

/** "Update as I edit": by default on if the last query was fast. The user's choice is stored per database. */
export function useAutoUpdate(database: number, lastMs: number): { isOn: boolean; set(on: boolean): void } {
  const [chosen, setChosen] = useState(() => localStorage.getItem(storageKey(database)))
  return {
    isOn: chosen === null ? lastMs < quickMs : chosen === 'on',
    set: (on) => {
      const next = on ? 'on' : 'off'
      localStorage.setItem(storageKey(database), next)
      setChosen(next)
    },
  }
}
