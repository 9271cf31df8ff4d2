import { type Kysely, sql, type SqlBool } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { databaseView, datasetView, schemaView } from './data-rights.ts'

type DataPermission = 'database_access' | 'schema_access' | 'datasource_access'
type Database = { id: number; database_name: string }
type DatasetPlace = { id: number; table_name: string; schema: string | null }

const add = async (db: Kysely<Tables>, name: DataPermission, view: string): Promise<void> => {
  await db
    .insertInto('permission')
    .values({ name, view })
    .onConflict((conflict) => conflict.columns(['name', 'view']).doNothing())
    .execute()
}

const ofId = (name: DataPermission, id: number) => sql<SqlBool>`name = ${name} and view like ${`%(id:${id})`}`

/** Gives the pair of an object today's name, or makes it. Grants hang on the pair's id, so that they survive. */
async function keep(db: Kysely<Tables>, name: DataPermission, id: number, view: string): Promise<void> {
  const changed = await db.updateTable('permission').set({ view }).where(ofId(name, id)).executeTakeFirst()
  if (Number(changed.numUpdatedRows) === 0) await add(db, name, view)
}

/** Makes or renames what can be granted on a dataset, and on its schema. Called with every change of name or place. */
export async function keepDatasetPermission(
  db: Kysely<Tables>,
  dataset: DatasetPlace,
  { database_name }: Database,
): Promise<void> {
  await keep(db, 'datasource_access', dataset.id, datasetView(database_name, dataset))
  if (dataset.schema) await add(db, 'schema_access', schemaView(database_name, dataset.schema))
}

/** Makes what can be granted on a database; after a change of its name also renames what hangs on it. */
export async function keepDatabasePermission(
  db: Kysely<Tables>,
  database: Database,
  nameBefore?: string,
): Promise<void> {
  await keep(db, 'database_access', database.id, databaseView(database))
  if (nameBefore === undefined || nameBefore === database.database_name) return
  const from = schemaView(nameBefore, '').slice(0, -1)
  const schemas = await db
    .selectFrom('permission')
    .selectAll()
    .where('name', '=', 'schema_access')
    .where(sql<SqlBool>`substr(view, 1, ${from.length}) = ${from}`)
    .execute()
  for (const { id, view } of schemas)
    await db
      .updateTable('permission')
      .set({ view: schemaView(database.database_name, view.slice(from.length, -1)) })
      .where('id', '=', id)
      .execute()
  const datasets = await db
    .selectFrom('dataset')
    .select(['id', 'table_name', 'schema'])
    .where('database_id', '=', database.id)
    .execute()
  for (const dataset of datasets)
    await keep(db, 'datasource_access', dataset.id, datasetView(database.database_name, dataset))
}

/** Removes what could be granted on an object, and with it the grants. */
export async function removeDataPermission(
  db: Kysely<Tables>,
  name: 'database_access' | 'datasource_access',
  id: number,
): Promise<void> {
  await db.deleteFrom('permission').where(ofId(name, id)).execute()
}

interface Found {
  id: number
  database_name: string
  /** Null for a database. */
  table_name: string | null
  schema: string | null
  /** Null but for a pair that is there: its name and view. */
  pair: string | null
}

/**
 * Makes the pairs of objects that came in another way than through the API: an import, the examples, a store of an older version.
 * One query when nothing is missing.
 */
export async function addMissingDataPermissions(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<Found>`
    select id, database_name, null as table_name, null as "schema", null as pair from "database"
    union all
    select dataset.id, database_name, table_name, "schema", null
    from dataset join "database" on "database".id = dataset.database_id
    union all
    select null, null, null, null, name || ' ' || view
    from permission where name in ('database_access', 'datasource_access')
  `.execute(db)
  const known = new Set(rows.map(({ pair }) => pair))
  const objects = rows.filter(({ pair }) => pair === null)
  for (const { id, database_name, table_name, schema } of objects) {
    const database = { id, database_name }
    if (table_name === null) {
      if (!known.has(`database_access ${databaseView(database)}`)) await keepDatabasePermission(db, database)
      continue
    }
    const dataset = { id, table_name, schema }
    if (!known.has(`datasource_access ${datasetView(database_name, dataset)}`))
      await keepDatasetPermission(db, dataset, database)
  }
}
