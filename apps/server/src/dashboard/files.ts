import {
  AppError,
  type DashboardFile,
  extractFileHashes,
  fileUrl,
  imageLimits,
  message,
  replaceFileUrls,
} from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Image } from '../image/read-image.ts'
import { checkQuota, type StorageQuota } from '../store/storage-quota.ts'
import type { DashboardFileTable, Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'

/** Unreferenced files are retained for this time: the user may be writing the text that will reference them. */
const graceMs = 24 * 3_600_000

const fileColumns = ['hash', 'media_type', 'width', 'height', 'size'] as const

const toDashboardFile = (id: number, file: Pick<DashboardFileTable, (typeof fileColumns)[number]>): DashboardFile => ({
  ...file,
  url: fileUrl(id, file.hash, file.width, file.height),
})

/** Reads an image of a dashboard. The caller checks that the dashboard is visible. */
export const findDashboardFile = (db: Kysely<Tables>, id: number, hash: string) =>
  db
    .selectFrom('dashboard_file')
    .select(['media_type', 'bytes'])
    .where('dashboard_id', '=', id)
    .where('hash', '=', hash)
    .executeTakeFirst()

/** Images of a dashboard, without their bytes. */
export const listDashboardFiles = (db: Kysely<Tables>, id: number) =>
  db.selectFrom('dashboard_file').select(fileColumns).where('dashboard_id', '=', id).orderBy('hash').execute()

export const hasFile = async (db: Kysely<Tables>, id: number, hash: string): Promise<boolean> =>
  (await db
    .selectFrom('dashboard_file')
    .select('hash')
    .where('dashboard_id', '=', id)
    .where('hash', '=', hash)
    .executeTakeFirst()) !== undefined

/** Size of the images that a user has added to dashboards, including those in the trash. */
async function readUsedBytes(db: Kysely<Tables>, user: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('dashboard_file')
    .select((is) => is.fn.sum<number | null>('size').as('bytes'))
    .where('created_by_fk', '=', user)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Quota of images in texts of dashboards. */
const imageQuota = (quotaMb: number, now: Date): StorageQuota => ({
  quotaMb,
  readUsedBytes,
  async removeUnused(trx, user) {
    // Dashboards in the trash keep their images.
    const dashboards = await trx
      .selectFrom('dashboard_file')
      .innerJoin('dashboard', 'dashboard.id', 'dashboard_file.dashboard_id')
      .select('dashboard.id')
      .distinct()
      .where('dashboard_file.created_by_fk', '=', user)
      .execute()
    for (const { id } of dashboards) await removeUnusedFiles(trx, id, now)
  },
  refusal: (use) =>
    message(
      'errors.dashboard.imageQuota',
      'With this, your images on dashboards would use {usedMb, number} MB of your {quotaMb, number} MB. Delete dashboards whose images you no longer need, also from the trash, or ask an administrator to raise IMAGE_QUOTA_MB.',
      use,
    ),
})

async function isFull(trx: Transaction<Tables>, id: number, more: number): Promise<boolean> {
  const { n, bytes } = await trx
    .selectFrom('dashboard_file')
    .select((is) => [is.fn.countAll<number>().as('n'), is.fn.sum<number | null>('size').as('bytes')])
    .where('dashboard_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(n) >= imageLimits.files || Number(bytes ?? 0) + more > imageLimits.allBytes
}

/** Deletes images that neither the dashboard nor a stored version of it references. */
async function removeUnusedFiles(trx: Transaction<Tables>, id: number, now: Date): Promise<void> {
  const row = await trx.selectFrom('dashboard').select(['position_json', 'css']).where('id', '=', id).executeTakeFirst()
  const used = row ? findFileHashes(row) : new Set<string>()
  const versions = await trx
    .selectFrom('version')
    .select('id')
    .where('kind', '=', 'dashboard')
    .where('object_id', '=', id)
    .execute()
  for (const version of versions) {
    const stored = await trx.selectFrom('version').select('document').where('id', '=', version.id).executeTakeFirst()
    for (const hash of extractFileHashes(stored?.document ?? null)) used.add(hash)
  }
  const old = await trx
    .selectFrom('dashboard_file')
    .select('hash')
    .where('dashboard_id', '=', id)
    .where('created_on', '<', formatStoredTime(new Date(now.getTime() - graceMs)))
    .execute()
  for (const { hash } of old)
    if (!used.has(hash))
      await trx.deleteFrom('dashboard_file').where('dashboard_id', '=', id).where('hash', '=', hash).execute()
}

/** User whose quota an image counts for; null for images that belong to no user. */
interface FileAuthor {
  author: number | null
  now: Date
  quotaMb: number
}

/**
 * Stores an image of a dashboard; the same image is stored once. The row of the dashboard is locked, so that concurrent uploads
 * cannot exceed the limit together.
 * @throws AppError `unprocessable` when the limit of the dashboard is reached, `too_large` beyond the quota of the author,
 * `not_found` when the dashboard was deleted in the meantime
 */
export async function storeDashboardFile(
  trx: Transaction<Tables>,
  id: number,
  { bytes, ...image }: Image,
  { author, now, quotaMb }: FileAuthor,
): Promise<DashboardFile> {
  const locked = await sql`update dashboard set changed_on = changed_on where id = ${id}`.execute(trx)
  if (Number(locked.numAffectedRows ?? 0) === 0) throw new AppError('not_found')
  const file = { ...image, size: bytes.length }
  if (!(await hasFile(trx, id, image.hash))) {
    if (await isFull(trx, id, bytes.length)) {
      await removeUnusedFiles(trx, id, now)
      if (await isFull(trx, id, bytes.length))
        throw new AppError('unprocessable', {
          message: message(
            'errors.dashboard.tooManyImages',
            'This dashboard has reached the limit of {files, number} images or {mb, number} MB in total. ' +
              'Remove images that are no longer needed and try again.',
            { files: imageLimits.files, mb: imageLimits.allBytes / (1 << 20) },
          ),
        })
    }
    const row = { dashboard_id: id, ...file, created_on: formatStoredTime(now), created_by_fk: author, bytes }
    await trx.insertInto('dashboard_file').values(row).execute()
    await checkQuota(trx, author, imageQuota(quotaMb, now))
  }
  return toDashboardFile(id, file)
}

/** Texts of a dashboard that may reference images. */
export interface FileTexts {
  position_json: string | null
  css: string | null
}

export const findFileHashes = ({ position_json, css }: FileTexts): Set<string> =>
  extractFileHashes(`${position_json} ${css}`)

/** Rewrites image URLs in the texts to the dashboard that now has these images. */
export const rewriteFileUrls = (
  { position_json, css }: FileTexts,
  id: number,
  hashes: ReadonlyMap<string, string>,
): FileTexts => ({
  position_json: position_json && replaceFileUrls(position_json, id, hashes),
  css: css && replaceFileUrls(css, id, hashes),
})

/**
 * Copies the images that the texts reference to another dashboard, and rewrites their URLs in its texts.
 * @param author  user whose quota the copies count for
 * @throws AppError `too_large` beyond that quota
 */
export async function copyFiles(
  trx: Transaction<Tables>,
  { from, to, texts, author, now, quotaMb }: { from: number; to: number; texts: FileTexts } & FileAuthor,
): Promise<void> {
  const referenced = findFileHashes(texts)
  if (referenced.size === 0) return
  const files = await trx.selectFrom('dashboard_file').select('hash').where('dashboard_id', '=', from).execute()
  const hashes = new Map(files.filter(({ hash }) => referenced.has(hash)).map(({ hash }) => [hash, hash]))
  if (hashes.size === 0) return
  await sql`
    insert into dashboard_file (dashboard_id, hash, media_type, width, height, size, created_on, created_by_fk, bytes)
    select ${to}, hash, media_type, width, height, size, ${formatStoredTime(now)}, ${author}, bytes from dashboard_file
    where dashboard_id = ${from} and hash in (${sql.join([...hashes.keys()])})`.execute(trx)
  await checkQuota(trx, author, imageQuota(quotaMb, now))
  await trx
    .updateTable('dashboard')
    .set(rewriteFileUrls(texts, to, hashes))
    .where('id', '=', to)
    .execute()
}
