import type { Kysely } from 'kysely'
import { changeCountOf } from './changes.ts'
import type { Tables } from './tables.ts'

/** Values that were read since a change. */
interface ReadCache {
  changes: number
  values: Map<string, Promise<unknown>>
}

const caches = new WeakMap<object, ReadCache>()
const maxReads = 500

/**
 * Reads from the store, or returns what the same reader read for the same key since the last change. The value is shared and must
 * not be changed. Failures are not cached.
 * @param reader  determines the lifetime of the value, such as a principal; `db` for what is the same for all readers
 */
export async function readCached<T>(
  db: Kysely<Tables>,
  reader: object,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const changes = changeCountOf(db)
  if (changes === undefined) return read()
  let cache = caches.get(reader)
  if (cache?.changes !== changes) {
    cache = { changes, values: new Map() }
    caches.set(reader, cache)
  }
  const cached = cache.values.get(key)
  if (cached) return cached as Promise<T>
  const { values } = cache
  if (values.size >= maxReads) values.delete(values.keys().next().value as string)
  const value = read()
  values.set(key, value)
  value.catch(() => values.get(key) === value && values.delete(key))
  return value
}
