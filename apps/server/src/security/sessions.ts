import { hash as digest, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { formatStoredTime } from '../store/time.ts'
import type { Tables } from '../store/tables.ts'

const idleMs = 12 * 3_600_000
const totalMs = 7 * 24 * 3_600_000
const touchMs = 60_000

/** Hash of a session's secret id, which the store contains instead of the id. */
export const sessionHash = (id: string): string => digest('sha256', id, 'base64url')

/** Starts a session; its secret id is returned only here, for a cookie or for tokens. */
export async function startSession(
  db: Kysely<Tables>,
  userId: number,
  kind: 'cookie' | 'token',
  now: Date,
): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  const createdAt = formatStoredTime(now)
  const expires_at = formatStoredTime(new Date(now.getTime() + totalMs))
  await db
    .insertInto('session')
    .values({ id: sessionHash(id), user_id: userId, created_at: createdAt, seen_at: createdAt, expires_at, kind })
    .execute()
  return id
}

/**
 * User of a valid session: it has not expired, is not idle for 12 hours, and its user is not disabled. Records its use once a
 * minute.
 */
export async function findSessionUser(db: Kysely<Tables>, hash: string, kind: 'cookie' | 'token', now: Date) {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['user.id', 'username', 'first_name', 'last_name', 'email', 'seen_at'])
    .where('session.id', '=', hash)
    .where('kind', '=', kind)
    .where('active', '=', 1)
    .where('expires_at', '>', formatStoredTime(now))
    .executeTakeFirst()
  if (!row) return undefined
  const idle = now.getTime() - new Date(`${row.seen_at}Z`).getTime()
  // tokens expire on their own, so they have no idle limit
  if (kind === 'cookie' && idle > idleMs) return undefined
  if (idle > touchMs)
    await db
      .updateTable('session')
      .set({ seen_at: formatStoredTime(now) })
      .where('id', '=', hash)
      .execute()
      .catch(() => undefined) // reading works without this update, as on a full disk
  return row
}

/** The sessions for which `findSessionUser` would find a user. */
export async function findLiveSessions(
  db: Kysely<Tables>,
  hashes: ReadonlySet<string>,
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select('session.id')
    .where('session.id', 'in', [...hashes])
    .where('active', '=', 1)
    .where('expires_at', '>', formatStoredTime(now))
    .where((is) =>
      is.or([is('kind', '=', 'token'), is('seen_at', '>=', formatStoredTime(new Date(now.getTime() - idleMs)))]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const endSession = (db: Kysely<Tables>, hash: string) =>
  db.deleteFrom('session').where('id', '=', hash).execute()

/** Ends all sessions of a user, after a password change. */
export const endUserSessions = (db: Kysely<Tables>, userId: number) =>
  db.deleteFrom('session').where('user_id', '=', userId).execute()

export const removeOverdueSessions = (db: Kysely<Tables>, now: Date) =>
  db.deleteFrom('session').where('expires_at', '<=', formatStoredTime(now)).execute()
