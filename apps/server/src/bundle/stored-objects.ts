import { type BundledKind, bundledKinds } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { datasetName } from '../dataset/stored-dataset.ts'
import type { StoredIdentity } from './import-scope.ts'
import type { BundledObject } from './source-ids.ts'

/** An object of the bundle that exists here. */
export interface StoredObject extends StoredIdentity {
  /** `schema.table` of a dataset; other kinds have none. */
  datasetName: string
  /** Owner of a saved query; null for other kinds. */
  userId: number | null
}

/** Objects by UUID. */
export type StoredObjects = Record<BundledKind, Map<string, StoredObject>>

/** UUIDs per statement. */
const chunkSize = 1000

const columnsOf = (kind: BundledKind) =>
  kind === 'dataset'
    ? sql`id, uuid, schema, table_name`
    : kind === 'saved_query'
      ? sql`id, uuid, user_id`
      : sql`id, uuid`

/** Finds the objects of a bundle that exist here, in a few statements per kind. */
export async function findStoredObjects(
  db: Kysely<Tables>,
  objects: readonly Pick<BundledObject, 'kind' | 'uuid'>[],
): Promise<StoredObjects> {
  const found = Object.fromEntries(bundledKinds.map((kind) => [kind, new Map()])) as StoredObjects
  for (const kind of bundledKinds) {
    const uuids = [...new Set(objects.flatMap((object) => (object.kind === kind ? [object.uuid] : [])))]
    for (let index = 0; index < uuids.length; index += chunkSize) {
      const { rows } = await sql<{
        id: number
        uuid: string
        schema?: string | null
        table_name?: string
        user_id?: number | null
      }>`select ${columnsOf(kind)} from ${sql.table(kind)}
        where uuid in (${sql.join(uuids.slice(index, index + chunkSize))})`.execute(db)
      for (const { id, uuid, schema = null, table_name = '', user_id = null } of rows)
        found[kind].set(uuid, { id, uuid, userId: user_id, datasetName: datasetName({ schema, table_name }) })
    }
  }
  return found
}

/** Those of the ids that meet a condition on the table of the kind. */
export async function filterIds(
  db: Kysely<Tables>,
  kind: BundledKind,
  ids: readonly number[],
  condition: ReturnType<typeof sql<SqlBool>> | undefined,
): Promise<Set<number>> {
  if (!condition) return new Set(ids)
  const selected = new Set<number>()
  for (let index = 0; index < ids.length; index += chunkSize) {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(kind)}
      where id in (${sql.join(ids.slice(index, index + chunkSize))}) and (${condition})`.execute(db)
    for (const { id } of rows) selected.add(id)
  }
  return selected
}
