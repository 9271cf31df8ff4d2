import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

const keptMs = 30_000
const keptEntries = 500

interface Kept {
  value: Promise<unknown>
  until: number
}

const kept = new WeakMap<Kysely<Tables>, Map<string, Kept>>()

/**
 * Reads from the store, or gives what was read for the same key within the last half minute, whatever was written since.
 * Failures are not kept.
 */
export async function keptAWhile<T>(db: Kysely<Tables>, key: string, read: () => Promise<T>): Promise<T> {
  const entries = kept.get(db) ?? new Map<string, Kept>()
  kept.set(db, entries)
  const known = entries.get(key)
  if (known && known.until > Date.now()) return known.value as Promise<T>
  const value = read()
  if (entries.size >= keptEntries) entries.delete(entries.keys().next().value as string)
  entries.set(key, { value, until: Date.now() + keptMs })
  value.catch(() => entries.delete(key))
  return value
}
