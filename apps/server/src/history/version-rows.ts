import { AppError, type VersionedKind } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { Tables } from '../store/tables.ts'

/** Fields of every object with a history. */
export interface VersionedRow {
  id: number
  uuid: string
  changed_on: string
}

export type VersionDocument = Readonly<Record<string, unknown>>

export interface VersionRow {
  n: number
  at: string
  author_id: number | null
  document: VersionDocument
}

/** Versions of this object, not of an earlier or later one with the same uuid. */
const selectVersions = (db: Kysely<Tables>, kind: VersionedKind, { id, uuid }: VersionedRow) =>
  db
    .selectFrom('version')
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('object_id', '=', id)
    .where('document', '!=', 'null')

export async function countVersions(db: Kysely<Tables>, kind: VersionedKind, row: VersionedRow): Promise<number> {
  const { n } = await selectVersions(db, kind, row)
    .select((is) => is.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** A page of versions, newest first, and one more for the differences of the last. */
export async function readVersions(
  db: Kysely<Tables>,
  kind: VersionedKind,
  row: VersionedRow,
  { limit, offset }: { limit: number; offset: number },
): Promise<VersionRow[]> {
  const rows = await selectVersions(db, kind, row)
    .select(['n', 'at', 'author_id', 'document'])
    .orderBy('n', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const yielder = new EventLoopYielder()
  const versions: VersionRow[] = []
  for (const { document, ...rest } of rows) {
    versions.push({ ...rest, document: JSON.parse(document) as VersionDocument })
    await yielder.yieldIfDue()
  }
  return versions
}

/** @throws AppError `not_found` */
export async function readVersion(
  db: Kysely<Tables>,
  kind: VersionedKind,
  row: VersionedRow,
  n: number,
): Promise<VersionRow> {
  const found = await selectVersions(db, kind, row)
    .select(['n', 'at', 'author_id', 'document'])
    .where('n', '=', n)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return { ...found, document: JSON.parse(found.document) as VersionDocument }
}
