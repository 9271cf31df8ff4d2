import { AppError } from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditEvent, logRow } from './audit-log.ts'
import type { Tables } from './tables.ts'
import { parseStoredTime, formatStoredTime } from './time.ts'

/** What a change is to the history of an object. */
export interface Change<T> {
  /** `chart`, `dashboard`, `dataset`, ... */
  kind: string
  uuid: string
  /** Of an object that was there before. What it was is kept first, if no version of it is: it may have been imported. */
  id?: number
  /** `changed_on` that it must still have: whoever changes it meanwhile is first. Undefined: the last change wins. */
  seen?: string | undefined
  author: number | null
  /** The object as it is after the change, for its history; null when it is gone. Asked inside of the transaction. */
  document: (trx: Transaction<Tables>, result: T) => unknown
  /** The event of the call. It becomes the row in the log of actions, and `serve` does not write it again. */
  event?: AuditEvent
  now?: Date
}

const maxVersions = 50
const versionRetentionDays = 365

/** Takes away what is neither among the last 50 nor the last of its day within a year. */
async function pruneVersions(
  trx: Transaction<Tables>,
  kind: string,
  uuid: string,
  n: number,
  now: Date,
): Promise<void> {
  if (n <= maxVersions) return
  const old = await trx
    .selectFrom('version')
    .select(['id', 'at'])
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('n', '<=', n - maxVersions)
    .orderBy('n', 'desc')
    .execute()
  const oldest = formatStoredTime(new Date(now.getTime() - versionRetentionDays * 86_400_000))
  const days = new Set<string>()
  const gone = old.filter(({ at }) => {
    const day = at.slice(0, 10)
    const isKept = at >= oldest && !days.has(day)
    days.add(day)
    return !isKept
  })
  if (gone.length > 0)
    await trx
      .deleteFrom('version')
      .where(
        'id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute()
}

interface VersionOrigin {
  kind: string
  uuid: string
  id?: number | undefined
  author: number | null
  now: Date
}

/** Writes what an object is, or was, as its newest version. */
export async function writeVersion(
  trx: Transaction<Tables>,
  { kind, uuid, id, author, now }: VersionOrigin,
  document: unknown,
): Promise<void> {
  const last = await trx
    .selectFrom('version')
    .select((is) => is.fn.max('n').as('n'))
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .executeTakeFirst()
  const n = Number(last?.n ?? 0) + 1
  const told = (document ?? null) as { id?: unknown } | null
  const object_id = typeof told?.id === 'number' ? told.id : (id ?? null)
  const row = { kind, object_uuid: uuid, object_id, n, author_id: author, at: formatStoredTime(now) }
  await trx
    .insertInto('version')
    .values({ ...row, document: JSON.stringify(told) })
    .execute()
  await pruneVersions(trx, kind, uuid, n, now)
}

/** What the product learned of an object after its last change belongs to the version of that change. */
export async function amendNewest(
  trx: Transaction<Tables>,
  { kind, uuid }: Pick<VersionOrigin, 'kind' | 'uuid'>,
  document: unknown,
): Promise<void> {
  const newest = trx
    .selectFrom('version')
    .select((is) => is.fn.max('n').as('n'))
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
  await trx
    .updateTable('version')
    .set({ document: JSON.stringify(document) })
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('n', '=', newest)
    .execute()
}

/** Keeps what an object is before it is changed, when no version of it is kept: its change would lose it. */
export async function ensureFirstVersion(
  trx: Transaction<Tables>,
  { kind, uuid, id }: { kind: string; uuid: string; id: number },
  document: () => unknown,
): Promise<void> {
  const known = await trx
    .selectFrom('version')
    .select('n')
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('object_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (known) return
  const first = (await document()) as { changed_on?: string; changed_by_fk?: number | null } | null
  if (!first?.changed_on) return
  const now = parseStoredTime(first.changed_on)
  await writeVersion(trx, { kind, uuid, id, author: first.changed_by_fk ?? null, now }, first)
}

/** Writes the version row and the row in the log of one change, inside of the transaction that makes it. */
export async function record<T>(
  trx: Transaction<Tables>,
  { kind, uuid, id, author, document, event, now = new Date() }: Change<T>,
  made: T,
): Promise<void> {
  await writeVersion(trx, { kind, uuid, id, author, now }, await document(trx, made))
  const entry = event ?? {
    action: `${kind}.change`,
    user_id: author,
    dashboard_id: null,
    slice_id: null,
    json: { uuid },
    isWritten: false,
  }
  await trx.insertInto('log').values(logRow(entry, now)).execute()
}

/** Writing the row as it is holds it until the end of the transaction. @throws AppError `conflict` */
async function lockUnchanged(
  trx: Transaction<Tables>,
  { kind, uuid, seen }: { kind: string; uuid: string; seen: string },
): Promise<void> {
  const held = await sql`update ${sql.table(kind)} set changed_on = changed_on
    where uuid = ${uuid} and changed_on = ${seen}`.execute(trx)
  if (Number(held.numAffectedRows ?? 0) === 0) throw new AppError('conflict')
}

/**
 * Changes one document: what `fn` does, its version row and its row in the log of actions are one transaction, so that no
 * change is without history and no history without change. Changes of several objects at once `record` each.
 */
export async function change<T>(
  db: Kysely<Tables>,
  changed: Change<T>,
  fn: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const result = await db.transaction().execute(async (trx) => {
    const { kind, uuid, id, seen, document } = changed
    if (seen !== undefined) await lockUnchanged(trx, { kind, uuid, seen })
    if (id !== undefined) await ensureFirstVersion(trx, { kind, uuid, id }, () => document(trx, undefined as T))
    const made = await fn(trx)
    await record(trx, changed, made)
    return made
  })
  if (changed.event) changed.event.isWritten = true
  return result
}
