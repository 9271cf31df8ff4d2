import type { RunHeader } from '@parquetry/model'

export interface CacheEntry {
  header: RunHeader
  body: Buffer
  /** ISO time without a zone, as in `cached_dttm`. */
  cachedAt: string
  /** When the run started, in milliseconds: the data are as old as this. */
  startedAt: number
  /** Dataset that was queried. */
  dataset?: number
}

/**
 * Finished results by key. The key covers the final statements, the connection's identity and version, the steps and the
 * encoding, so that results of different permissions never mix. Permissions are checked on a hit as on a miss.
 */
export interface Cache {
  /** Never fails: an unavailable cache counts as empty. The same entry always has the identical header object. */
  get(key: string): Promise<CacheEntry | undefined>
  /** Checks if all entries with these identical header objects are cached; counts as a use of each. */
  holdsEntries(entries: readonly { key: string; header: RunHeader }[]): Promise<boolean>
  /** Checks if an entry is cached that was started at this time or later; does not count as a use. */
  has(key: string, notBefore?: number): Promise<boolean>
  /** Never fails. Entries over 16 MB or with a timeout of 0 or less are not cached. */
  set(key: string, entry: CacheEntry, timeoutSeconds: number): Promise<void>
  /** Number of invalidations. A result that was read before the latest one is neither cached nor given to later callers. */
  invalidations(): number
  /** Deletes the entries of these datasets. */
  invalidate(datasets: ReadonlySet<number>): Promise<void>
  /**
   * Runs equal queries in flight in this process once; later callers get the result of the first. The work is cancelled when the
   * last waiting caller aborts.
   */
  singleFlight<T>(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Checks if work with this key is in flight. */
  isInFlight(key: string): boolean
  stats(): { entries: number; bytes: number; hits: number; misses: number; flights: number }
}
