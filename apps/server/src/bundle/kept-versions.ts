import type { KeptKind } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { timeOf } from '../store/time.ts'
import { keepFirst, writeVersion } from '../store/write.ts'
import type { ImportContext } from './import-bundle.ts'

type Named = { id: number; uuid: string }
type ReadDocument = (db: Kysely<Tables>, id: number) => Promise<object | null>

/** What a bundle is about to write over, for the history of the object. */
export const keptBefore = ({ db }: ImportContext, kind: KeptKind, { id, uuid }: Named, read: ReadDocument) =>
  keepFirst(db, { kind, uuid, id }, () => read(db, id))

/** What the bundle made of it. */
export const keptAfter = async (
  { db, authorId, at }: ImportContext,
  kind: KeptKind,
  { id, uuid }: Named,
  read: ReadDocument,
): Promise<void> => writeVersion(db, { kind, uuid, id, author: authorId, now: timeOf(at) }, await read(db, id))
