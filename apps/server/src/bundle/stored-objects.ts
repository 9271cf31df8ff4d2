import { type BundledKind, bundledKinds } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { datasetName } from '../dataset/stored-dataset.ts'
import type { StoredIdentity } from './import-scope.ts'
import { type BundledObject, deriveUuid } from './source-ids.ts'

/** An object of the bundle that exists here. */
export interface StoredObject extends StoredIdentity {
  /** `schema.table` of a dataset; other kinds have none. */
  datasetName: string
  /** Owner of a saved query; null for other kinds. */
  userId: number | null
  /** Differs after each change of the contents. */
  version: string
}

/** Objects by UUID. */
export type StoredObjects = Record<BundledKind, Map<string, StoredObject>>

/** Values per statement. */
const chunkSize = 1000

export function* idChunks<V>(values: readonly V[]): Generator<readonly V[]> {
  for (let index = 0; index < values.length; index += chunkSize) yield values.slice(index, index + chunkSize)
}

const columnsOf = (kind: BundledKind) => {
  if (kind === 'dataset') return sql`id, uuid, changed_on as version, schema, table_name`
  if (kind === 'saved_query') return sql`id, uuid, changed_on as version, user_id`
  // Annotations change without their layer.
  if (kind === 'annotation_layer')
    return sql`id, uuid, changed_on || coalesce((select max(one.changed_on) || count(*) from annotation as one
      where one.layer_id = annotation_layer.id), '') as version`
  return sql`id, uuid, changed_on as version`
}

/**
 * Databases of old exports, which have no UUID, are those of the same name here.
 * @param isVisible  one that the importer may not see counts as missing, since its UUID would tell that it exists
 */
export async function matchDatabaseNames(
  db: Kysely<Tables>,
  objects: readonly BundledObject[],
  isVisible: (id: number) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const unknown = objects.filter(({ kind, uuid, name }) => kind === 'database' && uuid === deriveUuid(kind, name))
  for (const object of unknown) {
    const { name } = object
    const found = await db
      .selectFrom('database')
      .select(['id', 'uuid'])
      .where('database_name', '=', name)
      .executeTakeFirst()
    if (found && (await isVisible(found.id))) object.uuid = found.uuid
  }
}

/** Finds the objects of a bundle that exist here, in a few statements per kind. */
export async function findStoredObjects(
  db: Kysely<Tables>,
  objects: readonly Pick<BundledObject, 'kind' | 'uuid'>[],
): Promise<StoredObjects> {
  const found = Object.fromEntries(bundledKinds.map((kind) => [kind, new Map()])) as StoredObjects
  for (const kind of bundledKinds) {
    const uuids = [...new Set(objects.flatMap((object) => (object.kind === kind ? [object.uuid] : [])))]
    for (const chunk of idChunks(uuids)) {
      const { rows } = await sql<{
        id: number
        uuid: string
        version: string
        schema?: string | null
        table_name?: string
        user_id?: number | null
      }>`select ${columnsOf(kind)} from ${sql.table(kind)}
        where uuid in (${sql.join(chunk)})`.execute(db)
      for (const { id, uuid, version, schema = null, table_name = '', user_id = null } of rows)
        found[kind].set(uuid, { id, uuid, version, userId: user_id, datasetName: datasetName({ schema, table_name }) })
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
  for (const chunk of idChunks(ids)) {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(kind)}
      where id in (${sql.join(chunk)}) and (${condition})`.execute(db)
    for (const { id } of rows) selected.add(id)
  }
  return selected
}
