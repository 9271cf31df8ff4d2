import type { TableName } from '@parquetry/sql'
import { type Kysely, sql, type SqlBool } from 'kysely'
import {
  type DatabaseRow,
  engineFor,
  defaultCatalogOf as homeCatalogOf,
  defaultSchemaOf,
} from '../connection/source.ts'
import { tableKey } from '../connection/table-names.ts'
import { and, type Condition } from '../store/conditions.ts'
import type { Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'
import { datasetAccess } from '../access/access.ts'
import { dataRights, schemaViewName } from '../access/data-rights.ts'

type Database = { id: number; database_name: string }

/** True when the principal may read everything in a database, or in one of its schemas. */
export function canReadAll(principal: Principal, { id, database_name }: Database, schema?: string | null): boolean {
  const { all, databases, schemas } = dataRights(principal)
  return all || databases.has(id) || (schema != null && schemas.has(schemaViewName(database_name, schema)))
}

export interface ReadableTable {
  table_name: string
  schema: string | null
  catalog: string | null
  extra: string | null
}

/** Tables of a database that are datasets readable by the principal. */
export async function readableTables(
  db: Kysely<Tables>,
  principal: Principal,
  { id }: Database,
): Promise<ReadableTable[]> {
  const conditions: Condition[] = [sql<SqlBool>`dataset.database_id = ${id} and coalesce(dataset.sql, '') = ''`]
  const access = datasetAccess(principal)
  if (access) conditions.push(access)
  const { rows } =
    await sql<ReadableTable>`select table_name, schema, catalog, extra from dataset where ${and(conditions)}`.execute(
      db,
    )
  return rows
}

/** Meaning of unqualified names in SQL. */
export interface Namespace {
  schema: string | null
  catalog: string | null
}

/**
 * Returns the tables that the principal may not read: by a grant on the database, on the schema in the connection's own catalog,
 * or on a dataset of exactly this table.
 */
export async function unreadableTables<T extends TableName>(
  db: Kysely<Tables>,
  principal: Principal,
  database: DatabaseRow,
  tables: readonly T[],
  namespace: Namespace,
): Promise<T[]> {
  if (canReadAll(principal, database)) return []
  const readable = await readableTables(db, principal, database)
  const homeSchema = defaultSchemaOf(database)
  const homeCatalog = homeCatalogOf(database)
  const currentCatalog = (engineFor(database).supports.catalogs ? namespace.catalog : null) ?? homeCatalog
  const granted = new Set(readable.map((dataset) => tableKey(database, dataset)))
  return tables.filter((table) => {
    const schema = table.schema ?? namespace.schema ?? homeSchema
    const catalog = table.catalog ?? currentCatalog
    if (catalog === homeCatalog && canReadAll(principal, database, schema)) return false
    return !granted.has(tableKey(database, { table_name: table.name, schema, catalog }))
  })
}
