import { message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import { checkQuota, type StorageQuota } from './storage-quota.ts'
import type { Tables } from './tables.ts'
import { formatStoredTime } from './time.ts'

/** A value stored under a key, for a limited time (filter state, form data) or forever (the targets of links). */
export interface StoredValue {
  value: string
  user_id: number | null
}

export interface KeyValueStore {
  db: Kysely<Tables>
  /** `form_data`, `filter_state`, ... : keys of one resource have no meaning in another. */
  resource: string
  /** Days until an entry expires; null: never. */
  days: number | null
  now: Date
  /** For all entries of one user; 0 means no limit. */
  quotaMb: number
}

/** Bytes of an entry in addition to its value: its key, its times and its row. */
const entryBytes = 200

const dayMs = 86_400_000

const linkQuota = ({ quotaMb, now }: KeyValueStore): StorageQuota => ({
  quotaMb,
  async readUsedBytes(db, user) {
    const { bytes } = await db
      .selectFrom('key_value')
      .select((is) => is.fn.sum<number | null>('size').as('bytes'))
      .where('user_id', '=', user)
      .executeTakeFirstOrThrow()
    return Number(bytes ?? 0)
  },
  async removeUnused(trx, user) {
    await trx
      .deleteFrom('key_value')
      .where('user_id', '=', user)
      .where('expires_at', 'is not', null)
      .where('changed_on', '<', formatStoredTime(new Date(now.getTime() - dayMs)))
      .execute()
  },
  refusal: (use) =>
    message(
      'errors.value.linkQuota',
      'With this, your links and page states would use {usedMb, number} MB of your {quotaMb, number} MB. Page states older than a day were already deleted. Ask an administrator to raise LINK_QUOTA_MB.',
      use,
    ),
})

const expiry = ({ days, now }: KeyValueStore): string | null =>
  days === null ? null : formatStoredTime(new Date(now.getTime() + days * dayMs))

/** 64 URL-safe characters. */
export const newKey = (): string => randomBytes(48).toString('base64url')

/** 12 characters for links that users read aloud; the same input gives the same key. */
export const shortKey = (...parts: (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 12)

/** Returns the entry of a key; reading it extends its lifetime. */
export async function readValue(store: KeyValueStore, key: string): Promise<StoredValue | undefined> {
  const { db, resource, now, days } = store
  const found = await db
    .selectFrom('key_value')
    .select(['value', 'user_id', 'expires_at'])
    .where('resource', '=', resource)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!found || (found.expires_at !== null && found.expires_at <= formatStoredTime(now))) return undefined
  const expires_at = expiry(store)
  // once a day is enough: a write for every read would cost more than the entry is worth
  if (
    days !== null &&
    found.expires_at !== null &&
    expires_at !== null &&
    expires_at.slice(0, 10) > found.expires_at.slice(0, 10)
  )
    await db
      .updateTable('key_value')
      .set({ expires_at })
      .where('resource', '=', resource)
      .where('key', '=', key)
      .execute()
  return { value: found.value, user_id: found.user_id }
}

/**
 * Stores or replaces the entry of a key.
 * @throws AppError `too_large` beyond the quota of the user
 */
export async function writeValue(store: KeyValueStore, key: string, { value, user_id }: StoredValue): Promise<void> {
  const { db, resource, now } = store
  const size = Buffer.byteLength(value) + entryBytes
  const changed = { value, user_id, size, changed_on: formatStoredTime(now), expires_at: expiry(store) }
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('key_value')
      .values({ key, resource, created_on: formatStoredTime(now), ...changed })
      .onConflict((conflict) => conflict.columns(['resource', 'key']).doUpdateSet(changed))
      .execute()
    await checkQuota(trx, user_id, linkQuota(store))
  })
}

export const removeValue = ({ db, resource }: KeyValueStore, key: string): Promise<unknown> =>
  db.deleteFrom('key_value').where('resource', '=', resource).where('key', '=', key).execute()

/** Key of a tab's entry: each tab of a user has one entry per object. */
const tabKey = (parts: (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
const createTabStore = (store: KeyValueStore): KeyValueStore => ({ ...store, resource: `${store.resource}_tab` })

/**
 * Stores a value for a browser tab: an existing tab keeps its key, a new one gets a new key.
 * @param tab     undefined or empty: always a new key
 * @param object  distinguishes the entries of one tab: the dashboard, or dataset and chart
 */
export async function writeTabValue(
  store: KeyValueStore,
  { tab, object, kept }: { tab: string | undefined; object: (string | number | null)[]; kept: StoredValue },
): Promise<string> {
  const tabEntryKey = tabKey([kept.user_id, tab ?? null, ...object])
  const existingKey = tab ? (await readValue(createTabStore(store), tabEntryKey))?.value : undefined
  const key = existingKey ?? newKey()
  if (tab && existingKey === undefined)
    await writeValue(createTabStore(store), tabEntryKey, { value: key, user_id: kept.user_id })
  await writeValue(store, key, kept)
  return key
}
