import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Writes to these tables change who a user is, or what they may do and see. */
const writesAccess =
  /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(?:user|user_role|user_permission|role|role_permission|permission|user_group|user_group_member|user_group_role|user_attribute|group_attribute|session|api_key|row_rule(?:_user|_role|_group|_dataset|_table)?)"?(?![\w"])/i

/** Records the use of a session. */
const touchesSession = /^\s*update\s+"?session"?\s+set\s+"?seen_at"?\s*=\s*\S+\s+where/i

/** Whether a statement may change users, roles, groups, attributes, sessions or row-level security rules. */
export const changesAccess = (text: string): boolean => writesAccess.test(text) && !touchesSession.test(text)

const counters = new WeakMap<Kysely<Tables>, () => number>()

export const registerAccessCounter = (db: Kysely<Tables>, count: () => number): void => void counters.set(db, count)

/**
 * Identifies a state of users, roles and sessions: increases when this process changes them, and with SQLite when another process
 * changes anything.
 */
export const countAccessChanges = (db: Kysely<Tables>): number => counters.get(db)?.() ?? 0
