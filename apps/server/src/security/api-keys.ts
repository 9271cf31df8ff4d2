import { randomBytes, randomUUID } from 'node:crypto'
import { AppError, type ApiKeyDescription, message } from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import type { ApiKeyTable, Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { sessionHash } from './sessions.ts'
import { refusedToken } from './tokens.ts'

export type ApiKeyRow = Selectable<ApiKeyTable>

/** The use of a key is recorded once in this time. */
const useMs = 60_000
/** Characters of a key that are stored, to recognize it: the prefix and the first of 43 random ones. */
const shownCharacters = 6

export const isApiKey = (token: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => token.startsWith(prefix))

/** Makes a key. The key itself is not stored. */
export function generateApiKey(prefix: string): { key: string; key_prefix: string; hash: string; uuid: string } {
  const key = `${prefix}${randomBytes(32).toString('base64url')}`
  return { key, key_prefix: key.slice(0, prefix.length + shownCharacters), hash: sessionHash(key), uuid: randomUUID() }
}

export const findApiKey = (db: Kysely<Tables>, hash: string) =>
  db.selectFrom('api_key').selectAll().where('hash', '=', hash).executeTakeFirst()

/** Tests if a key was revoked or has expired. */
export const isOver = ({ revoked_on, expires_on }: Pick<ApiKeyRow, 'revoked_on' | 'expires_on'>, now: Date): boolean =>
  revoked_on !== null || (expires_on !== null && expires_on <= formatStoredTime(now))

/** The same response for unknown, revoked and expired keys. */
export const refuseKey = (): AppError =>
  refusedToken(
    401,
    message('errors.security.keyInvalid', 'This API key is not valid. It may have expired or been revoked.'),
  )

/** Records the use of a key, once a minute. */
export async function recordKeyUse(db: Kysely<Tables>, key: ApiKeyRow, now: Date): Promise<void> {
  const last = key.last_used_on === null ? 0 : new Date(`${key.last_used_on}Z`).getTime()
  if (now.getTime() - last < useMs) return
  key.last_used_on = formatStoredTime(now)
  await db
    .updateTable('api_key')
    .set({ last_used_on: key.last_used_on })
    .where('id', '=', key.id)
    .execute()
    .catch(() => undefined) // calls work without this update, as on a full disk
}

export async function listApiKeys(db: Kysely<Tables>, userId: number, now: Date): Promise<ApiKeyDescription[]> {
  const rows = await db.selectFrom('api_key').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute()
  return rows.map((row) => describeKey(row, now))
}

/** @throws AppError `not_found`, also for the key of another user */
export async function findOwnKey(db: Kysely<Tables>, userId: number | null, uuid: string): Promise<ApiKeyRow> {
  const row = await db
    .selectFrom('api_key')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId ?? -1)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

export const describeKey = (row: ApiKeyRow, now: Date): ApiKeyDescription => ({
  uuid: row.uuid,
  name: row.name,
  key_prefix: row.key_prefix,
  scopes: row.scopes,
  active: !isOver(row, now),
  created_on: row.created_on,
  expires_on: row.expires_on,
  revoked_on: row.revoked_on,
  last_used_on: row.last_used_on,
})

/** Revokes all keys of a user. */
export const revokeUserKeys = (db: Kysely<Tables>, userId: number, now: Date) =>
  db
    .updateTable('api_key')
    .set({ revoked_on: formatStoredTime(now) })
    .where('user_id', '=', userId)
    .where('revoked_on', 'is', null)
    .execute()

const retentionMs = 90 * 24 * 3_600_000

/** Deletes keys that were revoked or expired 90 days ago. */
export const removeOldKeys = (db: Kysely<Tables>, now: Date) => {
  const oldest = formatStoredTime(new Date(now.getTime() - retentionMs))
  return db
    .deleteFrom('api_key')
    .where((is) => is.or([is('revoked_on', '<', oldest), is('expires_on', '<', oldest)]))
    .execute()
}
