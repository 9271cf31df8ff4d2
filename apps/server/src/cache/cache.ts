import type { RunHeader } from '@parquetry/model'

export interface CacheEntry {
  header: RunHeader
  body: Buffer
  /** ISO time without zone, as `cached_dttm` shows it. */
  cachedAt: string
  /** The dataset that was asked. */
  dataset?: number
}

/**
 * Finished results by key. The key is made of the final statements, the connection's identity and version, the
 * steps and the encoding, so that it cannot mix two rights; a hit is checked for rights like a miss.
 */
export interface Cache {
  /** Never fails: where the cache cannot be asked, nothing is kept. The same entry has the same header, the very object. */
  get(key: string): Promise<CacheEntry | undefined>
  /** Whether the entry with this header, the very object, is kept; it counts as a use. */
  holdsEntry(key: string, header: RunHeader): Promise<boolean>
  /** Whether something is kept; it counts as no use. */
  has(key: string): Promise<boolean>
  /** Entries over 16 MB are not kept; a timeout of 0 or less keeps nothing. Never fails. */
  set(key: string, entry: CacheEntry, timeoutSeconds: number): Promise<void>
  /** Entries of these datasets are not kept any longer. */
  invalidate(datasets: ReadonlySet<number>): Promise<void>
  /**
   * Equal questions in flight in this process run once: the second asker gets the first one's answer. Counted: the work is cancelled when the
   * last one who waits leaves.
   */
  singleFlight<T>(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>
  stats(): { entries: number; bytes: number; hits: number; misses: number; flights: number }
}
