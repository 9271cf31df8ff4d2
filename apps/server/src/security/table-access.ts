import { type Kysely, sql, type SqlBool } from 'kysely'
import { and, type Condition } from '../http/filters.ts'
import type { Principal } from '../http/principal.ts'
import type { Tables } from '../store/tables.ts'
import { datasetAccess } from './access.ts'
import { dataRights, schemaView } from './data-rights.ts'

type Database = { id: number; database_name: string }

/** Whether everything in a database, or in a schema of it, may be read. */
export function readsAll(principal: Principal, { id, database_name }: Database, schema?: string | null): boolean {
  const { all, databases, schemas } = dataRights(principal)
  return all || databases.has(id) || (schema != null && schemas.has(schemaView(database_name, schema)))
}

export interface ReadableTable {
  table_name: string
  schema: string | null
  catalog: string | null
  extra: string | null
}

/** Tables of a database that are datasets the principal may read. */
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

/**
 * The first of some tables that the principal may not read; undefined when he may read all.
 * @param defaultSchema  what a table without a schema belongs to
 */
export async function unreadableTable<T extends { schema: string | null; name: string }>(
  db: Kysely<Tables>,
  principal: Principal,
  database: Database,
  tables: readonly T[],
  defaultSchema: string | null,
): Promise<T | undefined> {
  if (readsAll(principal, database)) return undefined
  const readable = await readableTables(db, principal, database)
  return tables.find((table) => {
    const schema = table.schema ?? defaultSchema
    if (readsAll(principal, database, schema)) return false
    return !readable.some(({ table_name, schema: of }) => table_name === table.name && (of ?? defaultSchema) === schema)
  })
}
