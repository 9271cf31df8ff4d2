import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

interface CachedRead {
  changes: number
  value: Promise<unknown>
}

const counters = new WeakMap<Kysely<Tables>, () => number>()
const reads = new WeakMap<object, Map<string, CachedRead>>()
const maxReads = 500

/** Registers how to count possible changes of a store; without it nothing is cached. */
export const registerChangeCounter = (db: Kysely<Tables>, changes: () => number): void => void counters.set(db, changes)

/** Identifies a state of the store: increases with everything that may have changed it; undefined when nothing is cached. */
export const changeCountOf = (db: Kysely<Tables>): number | undefined => counters.get(db)?.()

/**
 * Reads from the store, or returns what the same reader read for the same key since the last write. The value is shared and must
 * not be changed. Failures are not cached.
 * @param reader  determines the lifetime of the value: a principal, which is reloaded at least every second
 */
export async function readCached<T>(
  db: Kysely<Tables>,
  reader: object,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const changes = changeCountOf(db)
  if (changes === undefined) return read()
  const readerCache = reads.get(reader) ?? new Map<string, CachedRead>()
  reads.set(reader, readerCache)
  const cached = readerCache.get(key)
  if (cached?.changes === changes) return cached.value as Promise<T>
  if (readerCache.size >= maxReads) readerCache.clear()
  const value = read()
  readerCache.set(key, { changes, value })
  value.catch(() => readerCache.delete(key))
  return value
}
