import { type Kysely, sql, type SqlBool } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { databaseViewName, datasetViewName, schemaViewName } from './data-rights.ts'

type DataPermission = 'database_access' | 'schema_access' | 'datasource_access'
type Database = { id: number; database_name: string }
type DatasetRef = { id: number; table_name: string; schema: string | null }

const add = async (db: Kysely<Tables>, name: DataPermission, view: string): Promise<void> => {
  await db
    .insertInto('permission')
    .values({ name, view })
    .onConflict((conflict) => conflict.columns(['name', 'view']).doNothing())
    .execute()
}

const matchesId = (name: DataPermission, id: number) => sql<SqlBool>`name = ${name} and view like ${`%(id:${id})`}`

/** Renames the permission pair of an object, or creates it. Grants refer to the pair's id, so they survive a rename. */
async function upsertPermission(db: Kysely<Tables>, name: DataPermission, id: number, view: string): Promise<void> {
  const changed = await db.updateTable('permission').set({ view }).where(matchesId(name, id)).executeTakeFirst()
  if (Number(changed.numUpdatedRows) === 0) await add(db, name, view)
}

/** Creates or renames the permissions on a dataset and its schema. Called after every change of name or location. */
export async function upsertDatasetPermission(
  db: Kysely<Tables>,
  dataset: DatasetRef,
  { database_name }: Database,
): Promise<void> {
  await upsertPermission(db, 'datasource_access', dataset.id, datasetViewName(database_name, dataset))
  if (dataset.schema) await add(db, 'schema_access', schemaViewName(database_name, dataset.schema))
}

/** Creates the permission on a database; after a rename, also renames the permissions that contain its name. */
export async function upsertDatabasePermission(
  db: Kysely<Tables>,
  database: Database,
  nameBefore?: string,
): Promise<void> {
  await upsertPermission(db, 'database_access', database.id, databaseViewName(database))
  if (nameBefore === undefined || nameBefore === database.database_name) return
  const from = schemaViewName(nameBefore, '').slice(0, -1)
  const schemas = await db
    .selectFrom('permission')
    .selectAll()
    .where('name', '=', 'schema_access')
    .where(sql<SqlBool>`substr(view, 1, ${from.length}) = ${from}`)
    .execute()
  for (const { id, view } of schemas)
    await db
      .updateTable('permission')
      .set({ view: schemaViewName(database.database_name, view.slice(from.length, -1)) })
      .where('id', '=', id)
      .execute()
  const datasets = await db
    .selectFrom('dataset')
    .select(['id', 'table_name', 'schema'])
    .where('database_id', '=', database.id)
    .execute()
  for (const dataset of datasets)
    await upsertPermission(db, 'datasource_access', dataset.id, datasetViewName(database.database_name, dataset))
}

/** Creates the missing permissions on schemas of a database. */
export async function addSchemaPermissions(
  db: Kysely<Tables>,
  { database_name }: Database,
  schemas: readonly string[],
): Promise<void> {
  for (const schema of schemas) await add(db, 'schema_access', schemaViewName(database_name, schema))
}

/** Deletes the permission on an object together with its grants. */
export async function removeDataPermission(
  db: Kysely<Tables>,
  name: 'database_access' | 'datasource_access',
  id: number,
): Promise<void> {
  await db.deleteFrom('permission').where(matchesId(name, id)).execute()
}

interface PermissionSource {
  id: number
  database_name: string
  /** Null for a database. */
  table_name: string | null
  schema: string | null
  /** Name and view of an existing pair; null for objects. */
  pair: string | null
}

/**
 * Creates the missing pairs of objects that were not created through the API: imports, the examples, and stores of older
 * versions. Runs one query when nothing is missing.
 */
export async function addMissingDataPermissions(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<PermissionSource>`
    select id, database_name, null as table_name, null as "schema", null as pair from "database"
    union all
    select dataset.id, database_name, table_name, "schema", null
    from dataset join "database" on "database".id = dataset.database_id
    union all
    select null, null, null, null, name || ' ' || view
    from permission where name in ('database_access', 'datasource_access')
  `.execute(db)
  const existing = new Set(rows.map(({ pair }) => pair))
  const objects = rows.filter(({ pair }) => pair === null)
  for (const { id, database_name, table_name, schema } of objects) {
    const database = { id, database_name }
    if (table_name === null) {
      if (!existing.has(`database_access ${databaseViewName(database)}`)) await upsertDatabasePermission(db, database)
      continue
    }
    const dataset = { id, table_name, schema }
    if (!existing.has(`datasource_access ${datasetViewName(database_name, dataset)}`))
      await upsertDatasetPermission(db, dataset, database)
  }
}
