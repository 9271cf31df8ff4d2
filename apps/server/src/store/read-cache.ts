import type { Kysely } from 'kysely'
import { changeCountOf } from './changes.ts'
import type { Tables } from './tables.ts'

interface CachedRead {
  changes: number
  value: Promise<unknown>
}

const reads = new WeakMap<object, Map<string, CachedRead>>()
const maxReads = 500

/**
 * Reads from the store, or returns what the same reader read for the same key since the last change. The value is shared and must
 * not be changed. Failures are not cached.
 * @param reader  determines the lifetime of the value, such as a principal
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
