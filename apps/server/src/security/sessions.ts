import { hash as digest, randomBytes } from 'node:crypto'
import type { AccountSession } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { formatStoredTime } from '../store/time.ts'
import { sessionIdleMs } from '../store/live-sessions.ts'
import type { Tables } from '../store/tables.ts'

const totalMs = 7 * 24 * 3_600_000
/** Time for entering the code, or for setting up an app, after the password was correct. */
const secondStepMs = 15 * 60_000
const touchMs = 60_000
const maxAgentLength = 512

/** Hash of a session's secret id, which the store contains instead of the id. */
export const sessionHash = (id: string): string => digest('sha256', id, 'base64url')

/** Starts a session; its secret id is returned only here, for a cookie or for tokens. */
export async function startSession(
  db: Kysely<Tables>,
  userId: number,
  kind: 'cookie' | 'token' | 'second-step',
  now: Date,
  userAgent?: string,
): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  const createdAt = formatStoredTime(now)
  const expires_at = formatStoredTime(new Date(now.getTime() + (kind === 'second-step' ? secondStepMs : totalMs)))
  await db
    .insertInto('session')
    .values({
      id: sessionHash(id),
      user_id: userId,
      created_at: createdAt,
      seen_at: createdAt,
      expires_at,
      kind,
      user_agent: userAgent?.slice(0, maxAgentLength) ?? null,
    })
    .execute()
  return id
}

export interface SessionUser {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string
  kind: string
  seen_at: string
  expires_at: string
}

/** The session and its user, unless the user is disabled. It may have ended. */
export const findSession = (
  db: Kysely<Tables>,
  hash: string,
  kind: 'cookie' | 'token',
): Promise<SessionUser | undefined> =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['user.id', 'username', 'first_name', 'last_name', 'email', 'kind', 'seen_at', 'expires_at'])
    .where('session.id', '=', hash)
    .where('kind', '=', kind)
    .where('active', '=', 1)
    .executeTakeFirst()

const idleMs = ({ seen_at }: Pick<SessionUser, 'seen_at'>, now: Date): number =>
  now.getTime() - new Date(`${seen_at}Z`).getTime()

/** True if a session has neither expired nor been idle for 12 hours. Tokens expire on their own, so they have no idle limit. */
export const isSessionLive = (session: Pick<SessionUser, 'kind' | 'seen_at' | 'expires_at'>, now: Date): boolean =>
  session.expires_at > formatStoredTime(now) && !(session.kind === 'cookie' && idleMs(session, now) > sessionIdleMs)

/** Records the use of a session in the store and in `session`, once a minute. */
export async function recordSessionUse(
  db: Kysely<Tables>,
  hash: string,
  session: Pick<SessionUser, 'seen_at'>,
  now: Date,
): Promise<void> {
  if (idleMs(session, now) <= touchMs) return
  session.seen_at = formatStoredTime(now)
  await db
    .updateTable('session')
    .set({ seen_at: session.seen_at })
    .where('id', '=', hash)
    .execute()
    .catch(() => undefined) // reading works without this update, as on a full disk
}

/** User of a session that has not ended. Records its use. */
export async function findSessionUser(
  db: Kysely<Tables>,
  hash: string,
  kind: 'cookie' | 'token',
  now: Date,
): Promise<SessionUser | undefined> {
  const session = await findSession(db, hash, kind)
  if (!session || !isSessionLive(session, now)) return undefined
  await recordSessionUse(db, hash, session, now)
  return session
}

/** Ends a session as its user asked. What it started in the background goes on. */
export async function endOwnSession(db: Kysely<Tables>, hash: string): Promise<void> {
  await detachJobs(db, hash)
  await db.deleteFrom('session').where('id', '=', hash).execute()
}

/** Lets the background work of a session go on after its end. */
export const detachJobs = (db: Kysely<Tables>, hash: string) =>
  db.updateTable('job').set({ session: null }).where('session', '=', hash).execute()

/** Ends all sessions of a user except one, and what they started. */
export const endUserSessions = (db: Kysely<Tables>, userId: number, except: string | null = null) =>
  db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '!=', except ?? '')
    .execute()

/** Lists the sessions of a user that have not ended, the latest used first. */
export async function listSessions(
  db: Kysely<Tables>,
  userId: number,
  current: string | null,
  now: Date,
): Promise<AccountSession[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', 'in', ['cookie', 'token'])
    .where('expires_at', '>', formatStoredTime(now))
    .where((is) =>
      is.or([is('kind', '=', 'token'), is('seen_at', '>=', formatStoredTime(new Date(now.getTime() - sessionIdleMs)))]),
    )
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind === 'cookie' ? 'browser' : 'api',
    user_agent: row.user_agent,
    created_on: row.created_at,
    last_seen_on: row.seen_at,
    expires_on: row.expires_at,
    is_current: row.id === current,
  }))
}

/** Ends one session of a user. @returns whether it existed */
export async function endUserSession(db: Kysely<Tables>, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('id', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const removeOverdueSessions = (db: Kysely<Tables>, now: Date) =>
  db.deleteFrom('session').where('expires_at', '<=', formatStoredTime(now)).execute()
