import { AppError, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { StorageQuota } from '../store/storage-quota.ts'
import type { Tables } from '../store/tables.ts'

/** Size of the tables that a user has loaded from files or created from queries. */
async function readUsedBytes(db: Kysely<Tables>, user: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('embedded_table')
    .select((is) => is.fn.sum<number | null>('size').as('bytes'))
    .where('created_by_fk', '=', user)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Quota of the tables of a user in embedded databases. */
export const tableQuota = (quotaMb: number): StorageQuota => ({
  quotaMb,
  readUsedBytes,
  refusal: (use) =>
    message(
      'errors.upload.quota',
      'With this table, your tables would use {usedMb, number} MB of your {quotaMb, number} MB. Remove tables that you no longer need, or ask an administrator to raise UPLOAD_QUOTA_MB.',
      use,
    ),
})

/** Refuses a table of a user who has no space left for any. @throws AppError `too_large` */
export async function requireTableSpace(db: Kysely<Tables>, user: number | null, quotaMb: number): Promise<void> {
  if (user === null || quotaMb <= 0 || (await readUsedBytes(db, user)) < quotaMb * 2 ** 20) return
  throw new AppError('too_large', {
    message: message(
      'errors.upload.quotaUsed',
      'Your tables use all of your {quotaMb, number} MB. Remove tables that you no longer need, or ask an administrator to raise UPLOAD_QUOTA_MB.',
      { quotaMb },
    ),
  })
}
