import type { Kysely } from 'kysely'
import { changeCountOf, countAccessChanges, isTracked } from './changes.ts'
import type { Tables } from './tables.ts'

/** Values that were read since a change. */
interface ReadCache {
  changes: number
  values: Map<string, Promise<unknown>>
}

type ReadCaches = WeakMap<object, ReadCache>

const caches: ReadCaches = new WeakMap()
const rightsCaches: ReadCaches = new WeakMap()
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
  return changes === undefined ? read() : readInto(valuesSince(caches, reader, changes), key, read)
}

/** As `readCached`, for what only users, roles and row-level security rules decide. Other changes do not drop it. */
export async function readRightsCached<T>(db: Kysely<Tables>, key: string, read: () => Promise<T>): Promise<T> {
  if (!isTracked(db)) return read()
  return readInto(valuesSince(rightsCaches, db, countAccessChanges(db)), key, read)
}

function valuesSince(all: ReadCaches, reader: object, changes: number): ReadCache['values'] {
  const known = all.get(reader)
  if (known?.changes === changes) return known.values
  const values: ReadCache['values'] = new Map()
  all.set(reader, { changes, values })
  return values
}

function readInto<T>(values: ReadCache['values'], key: string, read: () => Promise<T>): Promise<T> {
  const cached = values.get(key)
  if (cached) return cached as Promise<T>
  if (values.size >= maxReads) values.delete(values.keys().next().value as string)
  const value = read()
  values.set(key, value)
  value.catch(() => values.get(key) === value && values.delete(key))
  return value
}
