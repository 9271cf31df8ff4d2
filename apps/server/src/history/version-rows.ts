import { AppError, type KeptKind } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** What every kind of object with a history has. */
export interface KeptRow {
  id: number
  uuid: string
  changed_on: string
}

export type Document = Readonly<Record<string, unknown>>

export interface VersionRow {
  n: number
  at: string
  author_id: number | null
  document: Document
}

/** Versions of this object, and of no other that had its uuid before or after it. */
const versionsOf = (db: Kysely<Tables>, kind: KeptKind, { id, uuid }: KeptRow) =>
  db
    .selectFrom('version')
    .where('kind', '=', kind)
    .where('object_uuid', '=', uuid)
    .where('object_id', '=', id)
    .where('document', '!=', 'null')

export async function countVersions(db: Kysely<Tables>, kind: KeptKind, row: KeptRow): Promise<number> {
  const { n } = await versionsOf(db, kind, row)
    .select((is) => is.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** A page of versions, newest first, and the one before the last of them. */
export async function readVersions(
  db: Kysely<Tables>,
  kind: KeptKind,
  row: KeptRow,
  { limit, offset }: { limit: number; offset: number },
): Promise<VersionRow[]> {
  const rows = await versionsOf(db, kind, row)
    .select(['n', 'at', 'author_id', 'document'])
    .orderBy('n', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  return rows.map(({ document, ...rest }) => ({ ...rest, document: JSON.parse(document) as Document }))
}

/** @throws AppError `not_found` */
export async function readVersion(db: Kysely<Tables>, kind: KeptKind, row: KeptRow, n: number): Promise<VersionRow> {
  const found = await versionsOf(db, kind, row)
    .select(['n', 'at', 'author_id', 'document'])
    .where('n', '=', n)
    .executeTakeFirst()
  if (!found) throw new AppError('not_found')
  return { ...found, document: JSON.parse(found.document) as Document }
}
