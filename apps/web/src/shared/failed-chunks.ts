import { useSyncExternalStore } from 'react'
import { onReconnect } from './online.ts'

/** What fetches each part of the page whose file did not come. */
let missing: readonly (() => void)[] = []
const listeners = new Set<() => void>()

function set(next: readonly (() => void)[]): void {
  if (next.length === 0 && missing.length === 0) return
  missing = next
  for (const listener of listeners) listener()
}

export const markChunkFailed = (fetchAgain: () => void): void => set([...new Set([...missing, fetchAgain])])
export const markChunkLoaded = (fetchAgain: () => void): void => set(missing.filter((other) => other !== fetchAgain))

/** Fetches again what did not come; by itself once the server answers after a silence. */
export function retryFailedChunks(): void {
  for (const fetchAgain of missing) fetchAgain()
}
onReconnect(retryFailedChunks)

export const useHasFailedChunks = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => missing.length > 0,
  )
