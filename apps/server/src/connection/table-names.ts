import { foldName, type TableName } from '@parquetry/sql'
import { defaultCatalogOf, defaultSchemaOf, engineFor, type DatabaseRow } from './source.ts'

/** A table as a dataset or a rule names it. */
export interface StoredTableName {
  catalog: string | null
  schema: string | null
  table_name: string
}

/** Engines that look for unqualified tables in several schemas, depending on settings of the session's user. */
const searchPathEngines = new Set(['postgresql'])

/** Catalog and schema of unqualified names; null where only the engine's session knows it. */
export const defaultNamespace = (database: DatabaseRow): { catalog: string | null; schema: string | null } => ({
  catalog: engineFor(database).supports.catalogs ? defaultCatalogOf(database) : null,
  schema: searchPathEngines.has(database.backend) ? null : defaultSchemaOf(database) || null,
})

/** Key that is equal for names of one table of a database; unqualified names are those of the default schema. */
export function tableKey(
  database: Pick<DatabaseRow, 'backend' | 'settings'>,
  { catalog, schema, table_name }: StoredTableName,
): string {
  const parts = [
    engineFor(database).supports.catalogs ? catalog || defaultCatalogOf(database) : null,
    schema || defaultSchemaOf(database),
    table_name,
  ]
  return JSON.stringify(parts.map((part) => part && foldName(part, database.backend)))
}

/** The table that a stored name denotes in its database, for `mayBeSameTable`. */
export function resolveTableName(database: DatabaseRow, { catalog, schema, table_name }: StoredTableName): TableName {
  const usual = defaultNamespace(database)
  return {
    catalog: engineFor(database).supports.catalogs ? catalog || usual.catalog : null,
    schema: schema || usual.schema,
    name: table_name,
  }
}
