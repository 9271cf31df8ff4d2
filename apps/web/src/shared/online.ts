import { useSyncExternalStore } from 'react'

/** Why nothing is answered: the browser has no network, or it has one and the server does not answer. */
export interface Outage {
  since: Date
  of: 'network' | 'server'
}

const probeMs = 2000

/** Null while calls are answered. */
let outage: Outage | null = navigator.onLine ? null : { since: new Date(), of: 'network' }
/** When a call failed first although there is a network; null while none did. */
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
 * A call was answered.
 * @param sent when it was sent: an answer on its way when the silence began says nothing about it
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
 * A call was not answered. Without a network this is said at once; with one the server is asked until it answers, and said to be
 * silent when it is for more than a moment: one that restarts is not.
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

/** A server on this machine answers without any network, so an answer counts more than what the browser thinks. */
export const isOnline = (): boolean => outage === null || navigator.onLine

/** Calls the listener each time that a silence is over. @returns ends it */
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
