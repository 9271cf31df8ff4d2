import type { VersionedKind } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { parseStoredTime } from '../store/time.ts'
import { ensureFirstVersion, writeVersion } from '../store/write.ts'
import type { StoredIdentity, WriteScope } from './import-scope.ts'

type ReadDocument = (db: Kysely<Tables>, id: number) => Promise<object | null>

/** Records the object in its history before the bundle overwrites it. */
export const recordVersionBefore = (
  { db }: WriteScope,
  kind: VersionedKind,
  { id, uuid }: StoredIdentity,
  read: ReadDocument,
) => ensureFirstVersion(db, { kind, uuid, id }, () => read(db, id))

/** Records the imported object in its history. */
export const recordVersionAfter = async (
  { db, authorId, at }: WriteScope,
  kind: VersionedKind,
  { id, uuid }: StoredIdentity,
  read: ReadDocument,
): Promise<void> => writeVersion(db, { kind, uuid, id, author: authorId, now: parseStoredTime(at) }, await read(db, id))
