import { useSyncExternalStore } from 'react'
import { onBack } from './online.ts'

/** What fetches each part of the page whose file did not come. */
let missing: readonly (() => void)[] = []
const listeners = new Set<() => void>()

function set(next: readonly (() => void)[]): void {
  if (next.length === 0 && missing.length === 0) return
  missing = next
  for (const listener of listeners) listener()
}

export const markMissing = (fetchAgain: () => void): void => set([...new Set([...missing, fetchAgain])])
export const markThere = (fetchAgain: () => void): void => set(missing.filter((other) => other !== fetchAgain))

/** Fetches again what did not come; by itself once the server answers after a silence. */
export function fetchMissing(): void {
  for (const fetchAgain of missing) fetchAgain()
}
onBack(fetchMissing)

export const useMissing = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => missing.length > 0,
  )
