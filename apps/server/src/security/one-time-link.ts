import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { formatStoredTime } from '../store/time.ts'
import type { Tables } from '../store/tables.ts'
import { mayAuthorManage } from './user-management.ts'

export const linkHours = 24
export const hourMs = 3_600_000

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Creates a token with which the user can set a password once within 24 hours. Earlier links become invalid. */
export const makeLink = (db: Kysely<Tables>, userId: number, now: Date): Promise<string> =>
  db
    .transaction()
    .execute(async (trx) => (await insertLink(trx, { userId, authorId: null, hours: linkHours }, now)).token)

/** The same inside a transaction, with its author and lifetime. */
export async function insertLink(
  trx: Transaction<Tables>,
  { userId, authorId, hours }: { userId: number; authorId: number | null; hours: number },
  now: Date,
) {
  const { token, hash } = generateToken()
  await deleteLinks(trx, userId)
  const row = {
    id: hash,
    uuid: randomUUID(),
    user_id: userId,
    created_on: formatStoredTime(now),
    created_by_fk: authorId,
    expires_at: formatStoredTime(new Date(now.getTime() + hours * hourMs)),
    used_at: null,
  }
  await trx.insertInto('one_time_link').values(row).execute()
  return { token, row }
}

/** Makes the secret part of a link, and its hash for the store. */
export function generateToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** User of a link; undefined when it is unknown, used or expired, the user is disabled, or its author may not manage them now. */
export async function findLinkUser(db: Kysely<Tables>, token: string, now: Date) {
  const found = await db
    .selectFrom('one_time_link')
    .innerJoin('user', 'user.id', 'one_time_link.user_id')
    .select(['user.id', 'username', 'one_time_link.created_by_fk'])
    .where('one_time_link.id', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', formatStoredTime(now))
    .where('active', '=', 1)
    .executeTakeFirst()
  return found && (await mayAuthorManage(db, found.created_by_fk, found.id)) ? found : undefined
}

/** Ends the links of a user, whose account has a new password or is deactivated. */
export const deleteLinks = (db: Kysely<Tables>, userId: number) =>
  db.deleteFrom('one_time_link').where('user_id', '=', userId).execute()

/** Marks a link as used; false when another request was faster. */
export async function consumeLink(db: Kysely<Tables>, token: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_link')
    .set({ used_at: formatStoredTime(now) })
    .where('id', '=', hashToken(token))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const linkPath = (token: string): string => `/login/link/${token}/`
