/** Limits of results stored in the browser by the API's clients: 1024 KB each, 5120 KB in total, one day. */
export const resultCacheLimits = { mostBytes: 1024 * 1024, mostBytesInAll: 5120 * 1024, mostAgeMs: 864e5 } as const

export interface ResultCacheEntry {
  /** User and client id. */
  id: string
  at: number
  size: number
}

/**
 * Returns the entries to remove so that one of `size` fits; null when it never fits. Expired ones are always removed, then the
 * oldest.
 */
export function planEviction(entries: readonly ResultCacheEntry[], size: number, now: number): string[] | null {
  const stale = entries.filter(({ at }) => now - at > resultCacheLimits.mostAgeMs)
  if (size > resultCacheLimits.mostBytes) return null
  const live = entries.filter((entry) => !stale.includes(entry)).toSorted((a, b) => a.at - b.at)
  let totalBytes = live.reduce((sum, entry) => sum + entry.size, 0)
  const evicted = stale.map(({ id }) => id)
  for (const { id, size: freed } of live) {
    if (totalBytes + size <= resultCacheLimits.mostBytesInAll) break
    evicted.push(id)
    totalBytes -= freed
  }
  return evicted
}
