/** What the API's clients keep in the browser: 1024 KB a result, 5120 KB in all, for a day. */
export const resultCacheLimits = { mostBytes: 1024 * 1024, mostBytesInAll: 5120 * 1024, mostAgeMs: 864e5 } as const

export interface ResultCacheEntry {
  /** User and client id. */
  id: string
  at: number
  size: number
}

/** Which entries must go so that one of `size` fits; null when it never does. Old ones go always, then the oldest. */
export function planEviction(entries: readonly ResultCacheEntry[], size: number, now: number): string[] | null {
  const stale = entries.filter(({ at }) => now - at > resultCacheLimits.mostAgeMs)
  if (size > resultCacheLimits.mostBytes) return null
  const live = entries.filter((entry) => !stale.includes(entry)).toSorted((a, b) => a.at - b.at)
  let held = live.reduce((sum, entry) => sum + entry.size, 0)
  const gone = stale.map(({ id }) => id)
  for (const { id, size: freed } of live) {
    if (held + size <= resultCacheLimits.mostBytesInAll) break
    gone.push(id)
    held -= freed
  }
  return gone
}
