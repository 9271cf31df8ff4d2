import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

const ttlMs = 30_000
const maxEntries = 500

interface TtlEntry {
  value: Promise<unknown>
  until: number
}

const entriesByStore = new WeakMap<Kysely<Tables>, Map<string, TtlEntry>>()

/**
 * Reads from the store, or returns what was read for the same key within the last half minute, regardless of later writes.
 * Failures are not cached.
 */
export async function readWithTtl<T>(db: Kysely<Tables>, key: string, read: () => Promise<T>): Promise<T> {
  const entries = entriesByStore.get(db) ?? new Map<string, TtlEntry>()
  entriesByStore.set(db, entries)
  const cached = entries.get(key)
  if (cached && cached.until > performance.now()) return cached.value as Promise<T>
  const value = read()
  if (entries.size >= maxEntries) entries.delete(entries.keys().next().value as string)
  entries.set(key, { value, until: performance.now() + ttlMs })
  value.catch(() => entries.delete(key))
  return value
}
