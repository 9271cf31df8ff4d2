import { AppError, message, type DescribedKey, type TablesQuery } from '@parquetry/model'
import { findForbiddenFunctions } from '@parquetry/sql'
import { type ReadableTable, readableTables, canReadAll } from '../sql-access/table-access.ts'
import {
  describeSource,
  type DescribeOptions,
  type ConnectionContext,
  type DescribedAs,
} from '../connection/describe-source.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import { selectStar } from '../connection/sql-text.ts'
import { parseObject } from '../http/json-body.ts'
import { restrictedTables } from '../row-level-security/load-rules.ts'

/** A table as named in a request. */
export interface TableRef {
  catalog: string | null
  schema: string | null
  table: string
}

/** Catalogs of a database in which the principal may read anything; empty when the engine has no catalogs. */
export async function listCatalogs(
  context: ConnectionContext,
  database: DatabaseRow,
  options: DescribeOptions,
): Promise<string[]> {
  if (!engineFor(database).supports.catalogs) return []
  const { catalogs } = await describeSource(context, database, { what: 'catalogs' }, options)
  if (canReadAll(context.principal, database)) return catalogs
  const connectionCatalog = connectionCatalogOf(database)
  const readableCatalogs = new Set(
    (await readableTables(context.db, context.principal, database)).map(({ catalog }) => catalog ?? connectionCatalog),
  )
  return catalogs.filter((catalog) => readableCatalogs.has(catalog))
}

const isSame = (a: string | null | undefined, b: string | null | undefined): boolean => (a ?? '') === (b ?? '')

/** Default catalog of a connection; null for engines without catalogs. */
function connectionCatalogOf({ settings }: DatabaseRow): string | null {
  const { catalog } = JSON.parse(settings) as { catalog?: unknown }
  return typeof catalog === 'string' ? catalog : null
}

/** A grant on a schema applies only to the default catalog, not to a schema of the same name in another catalog. */
function canReadSchema(
  { principal }: ConnectionContext,
  database: DatabaseRow,
  { catalog, schema }: { catalog?: string | null | undefined; schema?: string | null | undefined },
): boolean {
  if (canReadAll(principal, database)) return true
  const isHome = !catalog || catalog === connectionCatalogOf(database)
  return isHome && canReadAll(principal, database, schema)
}

/** Readable tables of one catalog. */
async function listReadableTables(
  { db, principal }: ConnectionContext,
  database: DatabaseRow,
  catalog: string | null | undefined,
): Promise<ReadableTable[]> {
  const connectionCatalog = connectionCatalogOf(database)
  const tables = await readableTables(db, principal, database)
  return tables.filter((table) => isSame(table.catalog ?? connectionCatalog, catalog ?? connectionCatalog))
}

/** Schemas of a database in which the principal may read anything. */
export async function listSchemas(
  context: ConnectionContext,
  database: DatabaseRow,
  options: DescribeOptions,
): Promise<string[]> {
  const { catalog } = options
  const { schemas } = await describeSource(context, database, { what: 'schemas' }, options)
  if (canReadAll(context.principal, database)) return schemas
  const readableSchemas = new Set((await listReadableTables(context, database, catalog)).map(({ schema }) => schema))
  return schemas.filter(
    (schema) => readableSchemas.has(schema) || canReadSchema(context, database, { catalog, schema }),
  )
}

/** Certification and warning of a table's dataset; null when it has neither. */
function readTableHint({ extra }: ReadableTable): object | null {
  const { certification, warning_markdown } = parseObject(extra)
  const hint = { ...(certification ? { certification } : {}), ...(warning_markdown ? { warning_markdown } : {}) }
  return Object.keys(hint).length > 0 ? hint : null
}

export interface ListedTable {
  value: string
  type: 'table' | 'view'
  extra: object | null
  /**
   * Extension, only with `page_size`: approximate number of rows from the engine's statistics; null without statistics, and for
   * tables with row-level security rules for the caller.
   */
  rows?: number | null
}

type Named = DescribedAs<'tables'>['tables'][number]

/** Tables whose name contains the text, ignoring case; names that begin with it come first, otherwise the order is unchanged. */
function search(tables: readonly Named[], text: string): Named[] {
  const lowerText = text.toLowerCase()
  const found = tables.filter(({ name }) => name.toLowerCase().includes(lowerText))
  const isPrefixMatch = ({ name }: Named) => name.toLowerCase().startsWith(lowerText)
  return [...found.filter(isPrefixMatch), ...found.filter((table) => !isPrefixMatch(table))]
}

/** Tables and views of a schema that the principal may read, by name, and their number on all pages. */
export async function listTables(
  context: ConnectionContext,
  database: DatabaseRow,
  { schema, search: text, page = 0, page_size, ...options }: Omit<TablesQuery, 'schema_name'> & DescribeOptions,
): Promise<{ count: number; result: ListedTable[] }> {
  const { catalog = null, force = false } = options
  const request = { what: 'tables', schema: schema ?? null } as const
  const { tables } = await describeSource(context, database, request, { catalog, force })
  const datasets = (await listReadableTables(context, database, catalog)).filter((table) =>
    isSame(table.schema, schema),
  )
  const datasetByTable = new Map(datasets.map((dataset) => [dataset.table_name, dataset]))
  const isAll = canReadSchema(context, database, { catalog, schema })
  const readable = isAll ? tables : tables.filter(({ name }) => datasetByTable.has(name))
  const found = text ? search(readable, text) : readable
  const from = page_size === undefined ? 0 : Math.max(0, page) * page_size
  const pageTables = page_size === undefined ? found : found.slice(from, from + page_size)
  const isRestricted = await restrictedTables(context.db, context.principal, database)
  return {
    count: found.length,
    result: pageTables.map(({ name, type, rows = null }) => {
      const dataset = datasetByTable.get(name)
      const entry = { value: name, type, extra: dataset ? readTableHint(dataset) : null }
      if (page_size === undefined) return entry
      return { ...entry, rows: isRestricted({ catalog, schema: schema ?? null, table_name: name }) ? null : rows }
    }),
  }
}

/** Checks read access by database, schema or dataset. @throws the error made by `missing` */
async function checkTableAccess(
  context: ConnectionContext,
  database: DatabaseRow,
  tableRef: TableRef,
  missing: () => AppError,
): Promise<void> {
  if (canReadSchema(context, database, tableRef)) return
  const readable = await listReadableTables(context, database, tableRef.catalog)
  if (!readable.some((each) => each.table_name === tableRef.table && isSame(each.schema, tableRef.schema)))
    throw missing()
}

const tableNotFound = (): AppError =>
  new AppError('not_found', {
    message: message('errors.database.tableNotFound', 'Table not found in the database'),
  })

/**
 * Columns and keys of a table, read from the source.
 * @param unreadable  makes the error for a table that may not be read
 * @param missing     makes the error for a missing table, for users who may read the whole schema
 */
export async function describeTable(
  context: ConnectionContext,
  database: DatabaseRow,
  tableRef: TableRef,
  { unreadable = tableNotFound, missing = unreadable }: { unreadable?: () => AppError; missing?: () => AppError } = {},
): Promise<DescribedAs<'table'>> {
  await checkTableAccess(context, database, tableRef, unreadable)
  const { catalog, schema, table } = tableRef
  try {
    // Opening a table shows its current state, so the cache is bypassed.
    const found = await describeSource(context, database, { what: 'table', schema, table }, { catalog, force: true })
    if (found.columns.length > 0) {
      const isRestricted = await restrictedTables(context.db, context.principal, database)
      const { rows, ...rest } = found
      return rows === undefined || isRestricted({ catalog, schema, table_name: table }) ? rest : found
    }
  } catch (error) {
    if (!(error instanceof AppError && ['table_missing', 'schema_missing'].includes(error.code))) throw error
  }
  throw missing()
}

const toKey = ({ name, column_names, type, referred_schema, referred_table, referred_columns }: DescribedKey) => ({
  name,
  column_names,
  type,
  ...(type === 'fk' && { options: {}, referred_schema, referred_table, referred_columns }),
})

/** Spelling of a type in the API: one word, without its time zone. */
const formatType = (type: string): string =>
  type
    .replace(/^(TIME|TIMESTAMP)(\(\d+\))?( WITH(OUT)? (LOCAL )?TIME ZONE)$/, '$1')
    .replace(/^DOUBLE PRECISION$/, 'DOUBLE_PRECISION')

/** Value that the API returns for a table without a primary key. */
const noPrimaryKey = { constrained_columns: [], name: null, column_names: [], type: 'pk' }

/**
 * `table/...` and `table_metadata/`: `indexes`, and the `keys` of a column, contain keys of all kinds. `rows` is our extension.
 */
export function tableMetadata(
  database: DatabaseRow,
  { schema, table }: TableRef,
  { columns, keys, comment, rows }: DescribedAs<'table'>,
) {
  const all = keys.map(toKey)
  const names = columns.map(({ name }) => name)
  return {
    name: table,
    columns: columns.map((column) => ({
      name: column.name,
      type: formatType(column.type).split('(')[0] ?? column.type,
      longType: formatType(column.type),
      keys: all.filter(({ column_names }) => column_names.includes(column.name)),
      comment: column.comment,
    })),
    selectStar: selectStar(engineFor(database), schema, table, names),
    primaryKey: all.find(({ type }) => type === 'pk') ?? noPrimaryKey,
    foreignKeys: all.filter(({ type }) => type === 'fk'),
    indexes: all,
    comment,
    ...(rows !== undefined && { rows }),
  }
}

/** `table_extra/...`: partitions and view definition, for tables that have them. */
export const tableExtra = ({ partitions, view }: DescribedAs<'table'>) => ({
  ...(partitions && { partitions }),
  ...(view !== undefined && { view }),
})

/** SQL that selects all columns of a table. */
export const buildTableSelect = (
  database: DatabaseRow,
  { schema, table }: TableRef,
  { columns }: DescribedAs<'table'>,
): string =>
  selectStar(
    engineFor(database),
    schema,
    table,
    columns.map(({ name }) => name),
  )

/** Functions that users may call, for completion; empty when the engine does not list them. */
export async function listFunctionNames(context: ConnectionContext, database: DatabaseRow): Promise<string[]> {
  try {
    const { names } = await describeSource(context, database, { what: 'functions' })
    const forbidden = new Set(findForbiddenFunctions({ functions: names, tableFunctions: [] }, database.backend))
    return names.filter((name) => !forbidden.has(name))
  } catch (error) {
    if (error instanceof AppError && ['unsupported', 'engine_unsupported'].includes(error.code)) return []
    throw error
  }
}
