import { useState } from 'react'

const key = 'parquetry.sqllab.wrap'

/** Remembers in this browser, for all tabs, if the editor wraps long lines. */
export function useLineWrapping(): [wraps: boolean, set: (wraps: boolean) => void] {
  const [wraps, setWraps] = useState(() => localStorage.getItem(key) === 'on')
  return [
    wraps,
    (next) => {
      setWraps(next)
      try {
        localStorage.setItem(key, next ? 'on' : 'off')
      } catch {
        // A full or closed storage: the choice holds until the page closes.
      }
    },
  ]
}
