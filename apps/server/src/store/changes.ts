import type { Kysely } from 'kysely'
import type { ChangeKind } from './table-changes.ts'
import type { Tables } from './tables.ts'

/** Counts what has changed in a store since it was opened. */
export interface ChangeTracker {
  /** Numbers of changes by kind. Greater for every change that this process or, with `isComplete`, another one has made. */
  count(): Readonly<ChangeCounts>
  /** False while changes by other processes could be missed. Nothing may be answered from memory then. */
  isComplete(): boolean
}

const trackers = new WeakMap<Kysely<Tables>, ChangeTracker>()

export const registerTracker = (db: Kysely<Tables>, tracker: ChangeTracker): void => void trackers.set(db, tracker)

/**
 * Identifies a state of everything that decides what calls answer: content and rights, but not who is signed in. Increases with
 * each change; undefined while nothing may be answered from memory.
 *
 * To keep what was read, take the number before reading, and use the value only while the number is the same. After a write by
 * this server has been answered, its next call sees another number. A write by another server on the same store counts when its
 * notification arrives.
 */
export function changeCountOf(db: Kysely<Tables>): number | undefined {
  const tracker = trackers.get(db)
  if (!tracker?.isComplete()) return undefined
  const { content, rights } = tracker.count()
  return content + rights
}

/** Identifies a state of users, roles and row-level security rules, as far as this process knows. */
export const countAccessChanges = (db: Kysely<Tables>): number => countChanges(db).rights

/** As `countAccessChanges`, with a number for sessions and API keys, by one look at the store. */
export const countIdentityChanges = (db: Kysely<Tables>): Pick<ChangeCounts, 'rights' | 'sessions'> => countChanges(db)

/** Identifies a state of sessions and API keys, as far as this process knows. */
export const countSessionChanges = (db: Kysely<Tables>): number => countChanges(db).sessions

const countChanges = (db: Kysely<Tables>): Readonly<ChangeCounts> => trackers.get(db)?.count() ?? unknownCounts

/** True if this process learns of every change, so that what was read stays valid until one. */
export const isTracked = (db: Kysely<Tables>): boolean => trackers.get(db)?.isComplete() ?? false

export type ChangeCounts = Record<ChangeKind, number>

const unknownCounts: Readonly<ChangeCounts> = { content: 0, rights: 0, sessions: 0 }

export const startCounts = (): ChangeCounts => ({ content: 0, rights: 0, sessions: 0 })

export function addChanges(counts: ChangeCounts, kinds: readonly ChangeKind[]): void {
  for (const kind of kinds) counts[kind] += 1
}
