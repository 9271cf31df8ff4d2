import { useSyncExternalStore } from 'react'
import { onReconnect } from './online.ts'

/** Retry functions of the page parts whose files failed to load. */
let missing: readonly (() => void)[] = []
const listeners = new Set<() => void>()

function set(next: readonly (() => void)[]): void {
  if (next.length === 0 && missing.length === 0) return
  missing = next
  for (const listener of listeners) listener()
}

export const markChunkFailed = (fetchAgain: () => void): void => set([...new Set([...missing, fetchAgain])])
export const markChunkLoaded = (fetchAgain: () => void): void => set(missing.filter((other) => other !== fetchAgain))

/** Retries the parts that failed to load; runs automatically once the server responds again. */
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
