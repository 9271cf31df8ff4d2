import { useSyncExternalStore } from 'react'

/** Why calls get no response: the browser has no network, or the server does not respond. */
export interface Outage {
  since: Date
  of: 'network' | 'server'
}

const probeMs = 2000

/** Null while calls succeed. */
let outage: Outage | null = navigator.onLine ? null : { since: new Date(), of: 'network' }
/** Time of the first failed call while the network is up; null when none failed. */
let failedAt: Date | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const backListeners = new Set<() => void>()
const set = (next: Outage | null): void => {
  if (outage === next) return
  outage = next
  for (const listener of listeners) listener()
}

/**
 * Records that a call got a response.
 * @param sent when it was sent: a response to a call from before the outage does not end it
 */
export const markOnline = (sent = new Date()): void => {
  if (outage && sent < outage.since) return
  clearTimeout(timer)
  failedAt = null
  if (!outage) return
  set(null)
  for (const listener of backListeners) listener()
}

/**
 * Records that a call got no response. A missing network is reported immediately; otherwise the server is probed until it
 * responds, and reported only when it stays silent for more than a moment, so that a restart is not reported.
 */
export const markOffline = (): void => {
  if (!navigator.onLine) {
    if (!outage) set({ since: new Date(), of: 'network' })
  } else if (!failedAt) {
    failedAt = new Date()
    timer = setTimeout(() => void probe(), probeMs)
  }
}

async function probe(): Promise<void> {
  const since = failedAt
  try {
    await fetch('/health', { cache: 'no-store' })
    markOnline()
  } catch {
    if (since === null || since !== failedAt) return
    if (!outage) set({ since, of: 'server' })
    timer = setTimeout(() => void probe(), probeMs)
  }
}

addEventListener('offline', () => outage ?? set({ since: new Date(), of: 'network' }))
addEventListener('online', () => markOnline())

/** A local server responds without any network, so a response counts more than the browser's status. */
export const isOnline = (): boolean => outage === null || navigator.onLine

/** Calls the listener each time an outage ends. @returns a function that unsubscribes */
export const onReconnect = (listener: () => void): (() => void) => {
  backListeners.add(listener)
  return () => void backListeners.delete(listener)
}

export const currentOutage = (): Outage | null => outage

export const useOutage = (): Outage | null =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentOutage)
