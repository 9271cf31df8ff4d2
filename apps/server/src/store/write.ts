import { AppError } from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditEvent, logRow } from './audit-log.ts'
import { isSerializationFailure } from './failure.ts'
import type { Tables } from './tables.ts'
import { parseStoredTime, formatStoredTime } from './time.ts'

/** A change in the history of an object. */
export interface Change<T> {
  /** `chart`, `dashboard`, `dataset`, ... */
  kind: string
  uuid: string
  /** Id of an existing object. Its previous state is stored first if it has no version yet, for example after an import. */
  id?: number
  /**
   * The `changed_on` that the object must still have, so that no other change is overwritten. Undefined: the last change wins.
   */
  seen?: string | undefined
  author: number | null
  /** The object after the change, for its history; null when it was deleted. Called inside the transaction. */
  document: (trx: Transaction<Tables>, result: T) => unknown
  /** The event of the request. It becomes the row in the action log, and `serve` does not write it again. */
  event?: AuditEvent
  now?: Date
}

const maxVersions = 50
const versionRetentionDays = 365

/** Deletes versions that are neither among the last 50 nor the last of their day within a year. */
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
  const expired = old.filter(({ at }) => {
    const day = at.slice(0, 10)
    const isRetained = at >= oldest && !days.has(day)
    days.add(day)
    return !isRetained
  })
  if (expired.length > 0)
    await trx
      .deleteFrom('version')
      .where(
        'id',
        'in',
        expired.map(({ id }) => id),
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

/** Writes the state of an object as its newest version. */
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
  const state = (document ?? null) as { id?: unknown } | null
  const object_id = typeof state?.id === 'number' ? state.id : (id ?? null)
  const row = { kind, object_uuid: uuid, object_id, n, author_id: author, at: formatStoredTime(now) }
  await trx
    .insertInto('version')
    .values({ ...row, document: JSON.stringify(state) })
    .execute()
  await pruneVersions(trx, kind, uuid, n, now)
}

/** Replaces the document of the newest version, with information that was found after its change but belongs to it. */
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

/** Stores the state of an object before its change if it has no version yet: the change would lose it. */
export async function ensureFirstVersion(
  trx: Transaction<Tables>,
  { kind, uuid, id }: { kind: string; uuid: string; id: number },
  document: () => unknown,
): Promise<void> {
  const existing = await trx
    .selectFrom('version')
    .select('n')
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('object_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (existing) return
  const first = (await document()) as { changed_on?: string; changed_by_fk?: number | null } | null
  if (!first?.changed_on) return
  const now = parseStoredTime(first.changed_on)
  await writeVersion(trx, { kind, uuid, id, author: first.changed_by_fk ?? null, now }, first)
}

/** Writes the version and the log entry of a change, inside its transaction. */
export async function record<T>(
  trx: Transaction<Tables>,
  { kind, uuid, id, author, document, event, now = new Date() }: Change<T>,
  outcome: T,
): Promise<void> {
  await writeVersion(trx, { kind, uuid, id, author, now }, await document(trx, outcome))
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

/** Updating the row unchanged locks it until the end of the transaction. @throws AppError `conflict` */
async function lockUnchanged(
  trx: Transaction<Tables>,
  { kind, uuid, seen }: { kind: string; uuid: string; seen: string },
): Promise<void> {
  const locked = await sql`update ${sql.table(kind)} set changed_on = changed_on
    where uuid = ${uuid} and changed_on = ${seen}`.execute(trx)
  if (Number(locked.numAffectedRows ?? 0) === 0) throw new AppError('conflict')
}

const maxAttempts = 3

/** Runs a transaction again that failed because of a deadlock or a concurrent change. */
async function retryConcurrent<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !isSerializationFailure(error)) throw error
    }
}

/**
 * Changes one document: the work of `fn`, its version and its log entry are one transaction, so that there is no change without
 * history and no history without a change. Changes of several objects together `record` each.
 * @param fn  may be called again after a deadlock, so it must change nothing but the transaction
 */
export async function change<T>(
  db: Kysely<Tables>,
  changed: Change<T>,
  fn: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const result = await retryConcurrent(() =>
    db.transaction().execute(async (trx) => {
      const { kind, uuid, id, seen, document } = changed
      if (seen !== undefined) await lockUnchanged(trx, { kind, uuid, seen })
      if (id !== undefined) await ensureFirstVersion(trx, { kind, uuid, id }, () => document(trx, undefined as T))
      const outcome = await fn(trx)
      await record(trx, changed, outcome)
      return outcome
    }),
  )
  if (changed.event) changed.event.isWritten = true
  return result
}
