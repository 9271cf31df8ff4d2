import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

interface CachedRead {
  changes: number
  value: Promise<unknown>
}

const counters = new WeakMap<Kysely<Tables>, () => number>()
const reads = new WeakMap<object, Map<string, CachedRead>>()
const maxReads = 500

/** Says of a store how to count what may have changed it; without it nothing is kept. */
export const registerChangeCounter = (db: Kysely<Tables>, changes: () => number): void => void counters.set(db, changes)

/** What tells two states of the store apart: raised by what may have changed it; undefined where nothing is kept. */
export const changeCountOf = (db: Kysely<Tables>): number | undefined => counters.get(db)?.()

/**
 * Reads from the store, or gives what was read for the same key as long as nothing was written since and the same reader asks.
 * The value is shared: it must not be changed. Failures are not kept.
 * @param reader  what the value may live as long as: a principal, which is read anew every second, so that what another process
 *   writes is seen within that time
 */
export async function readCached<T>(
  db: Kysely<Tables>,
  reader: object,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const changes = changeCountOf(db)
  if (changes === undefined) return read()
  const mine = reads.get(reader) ?? new Map<string, CachedRead>()
  reads.set(reader, mine)
  const known = mine.get(key)
  if (known?.changes === changes) return known.value as Promise<T>
  if (mine.size >= maxReads) mine.clear()
  const value = read()
  mine.set(key, { changes, value })
  value.catch(() => mine.delete(key))
  return value
}
