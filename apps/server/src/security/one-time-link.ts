import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { timeText } from '../store/time.ts'
import type { Tables } from '../store/tables.ts'

const lifeMs = 24 * 3_600_000

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A token that lets its user set a password once within 24 hours. Links given out before are over. */
export async function makeLink(db: Kysely<Tables>, userId: number, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('one_time_link').where('user_id', '=', userId).execute()
    await trx
      .insertInto('one_time_link')
      .values({
        id: hashOf(token),
        user_id: userId,
        expires_at: timeText(new Date(now.getTime() + lifeMs)),
        used_at: null,
      })
      .execute()
  })
  return token
}

/** Whose link it is; undefined when it is unknown, used, over, or its user disabled. */
export const userOfLink = (db: Kysely<Tables>, token: string, now: Date) =>
  db
    .selectFrom('one_time_link')
    .innerJoin('user', 'user.id', 'one_time_link.user_id')
    .select(['user.id', 'username'])
    .where('one_time_link.id', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', timeText(now))
    .where('active', '=', 1)
    .executeTakeFirst()

/** Uses a link up; false when somebody else was first. */
export async function takeLink(db: Kysely<Tables>, token: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_link')
    .set({ used_at: timeText(now) })
    .where('id', '=', hashOf(token))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const linkPath = (token: string): string => `/login/link/${token}/`
