import type { Kysely, Transaction } from 'kysely'
import { type AuditEvent, logRow } from './audit-log.ts'
import type { Tables } from './tables.ts'
import { timeText } from './time.ts'

/** What a change is to the history of an object. */
export interface Change<T> {
  /** `chart`, `dashboard`, `dataset`, ... */
  kind: string
  uuid: string
  author: number | null
  /** The object as it is after the change, for its history; null when it is gone. Asked inside of the transaction. */
  document: (trx: Transaction<Tables>, result: T) => unknown
  /** The event of the call. It becomes the row in the log of actions, and `serve` does not write it again. */
  event?: AuditEvent
  now?: Date
}

const keptVersions = 50
const keptDays = 365

/** Takes away what is neither among the last 50 nor the last of its day within a year. */
async function thin(trx: Transaction<Tables>, kind: string, uuid: string, n: number, now: Date): Promise<void> {
  if (n <= keptVersions) return
  const old = await trx
    .selectFrom('version')
    .select(['id', 'at'])
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('n', '<=', n - keptVersions)
    .orderBy('n', 'desc')
    .execute()
  const oldest = timeText(new Date(now.getTime() - keptDays * 86_400_000))
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

/** Writes the version row and the row in the log of one change, inside of the transaction that makes it. */
export async function record<T>(
  trx: Transaction<Tables>,
  { kind, uuid, author, document, event, now = new Date() }: Change<T>,
  made: T,
): Promise<void> {
  const last = await trx
    .selectFrom('version')
    .select((is) => is.fn.max('n').as('n'))
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .executeTakeFirst()
  const n = Number(last?.n ?? 0) + 1
  const text = JSON.stringify((await document(trx, made)) ?? null)
  await trx
    .insertInto('version')
    .values({ kind, object_uuid: uuid, n, author_id: author, at: timeText(now), document: text })
    .execute()
  await thin(trx, kind, uuid, n, now)
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
    const made = await fn(trx)
    await record(trx, changed, made)
    return made
  })
  if (changed.event) changed.event.isWritten = true
  return result
}
