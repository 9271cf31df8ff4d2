import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { formatStoredTime } from '../store/time.ts'
import type { Tables } from '../store/tables.ts'

const linkTtlMs = 24 * 3_600_000

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Creates a token with which the user can set a password once within 24 hours. Earlier links become invalid. */
export async function makeLink(db: Kysely<Tables>, userId: number, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('one_time_link').where('user_id', '=', userId).execute()
    await trx
      .insertInto('one_time_link')
      .values({
        id: hashToken(token),
        user_id: userId,
        expires_at: formatStoredTime(new Date(now.getTime() + linkTtlMs)),
        used_at: null,
      })
      .execute()
  })
  return token
}

/** User of a link; undefined when it is unknown, used or expired, or the user is disabled. */
export const findLinkUser = (db: Kysely<Tables>, token: string, now: Date) =>
  db
    .selectFrom('one_time_link')
    .innerJoin('user', 'user.id', 'one_time_link.user_id')
    .select(['user.id', 'username'])
    .where('one_time_link.id', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', formatStoredTime(now))
    .where('active', '=', 1)
    .executeTakeFirst()

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
