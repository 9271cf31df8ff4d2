import { useSyncExternalStore } from 'react'

/** Since when there is no connection; null while there is one. */
let since: Date | null = navigator.onLine ? null : new Date()
const listeners = new Set<() => void>()
const set = (next: Date | null): void => {
  if (since === next) return
  since = next
  for (const listener of listeners) listener()
}

export const markOnline = (): void => set(null)
/** A failed call counts only when the browser itself has no network: a server that restarts is not "offline". */
export const markOffline = (): void => {
  if (!navigator.onLine && !since) set(new Date())
}
addEventListener('offline', () => since ?? set(new Date()))
addEventListener('online', markOnline)

/** A server on this machine answers without any network, so an answer counts more than what the browser thinks. */
export const isOnline = (): boolean => since === null || navigator.onLine

export const useOfflineSince = (): Date | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => since,
  )
