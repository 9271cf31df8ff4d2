import type { RunHeader } from '@parquetry/model'

export interface CacheEntry {
  header: RunHeader
  body: Buffer
  cachedAt: string
}

/**
 * Finished results by key (design.md 5). The key is made of the final statements, the connection's identity and version, the
 * steps and the encoding, so that it cannot mix two rights; a hit is checked for rights like a miss.
 */
export interface Cache {
  get(key: string): CacheEntry | undefined
  set(key: string, entry: Omit<CacheEntry, 'cachedAt'>, timeoutSeconds: number): void
  delete(key: string): void
  stats(): { entries: number; bytes: number; hits: number; misses: number }
}
