import { AppError, type Message } from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Amount that one user may store of a kind of content. */
export interface StorageQuota {
  /** In MB; 0 means no limit. */
  quotaMb: number
  readUsedBytes(db: Kysely<Tables>, user: number): Promise<number>
  /** Deletes what is not used any more, before something new is refused. */
  removeUnused?(trx: Transaction<Tables>, user: number): Promise<void>
  refusal(use: { usedMb: number; quotaMb: number }): Message
}

const mb = 2 ** 20

/**
 * Checks that a user is within a quota, in the transaction that has stored something new. The row of the user is locked, so that
 * concurrent uploads cannot exceed the quota together.
 * @param user  null for content that belongs to no user, which is not limited
 * @throws AppError `too_large`, which rolls the transaction back
 */
export async function checkQuota(
  trx: Transaction<Tables>,
  user: number | null,
  { quotaMb, readUsedBytes, removeUnused, refusal }: StorageQuota,
): Promise<void> {
  if (user === null || quotaMb <= 0) return
  await sql`update "user" set username = username where id = ${user}`.execute(trx)
  let used = await readUsedBytes(trx, user)
  if (used > quotaMb * mb && removeUnused) {
    await removeUnused(trx, user)
    used = await readUsedBytes(trx, user)
  }
  if (used > quotaMb * mb)
    throw new AppError('too_large', { message: refusal({ usedMb: Math.ceil((used / mb) * 10) / 10, quotaMb }) })
}
