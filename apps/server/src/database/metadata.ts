import { AppError, type Described, type DescribedKey } from '@parquetry/model'
import type { Deps } from '../deps.ts'
import type { AccessContext } from '../security/access.ts'
import { type ReadableTable, readableTables, readsAll } from '../security/table-access.ts'
import { type DatabaseRow, engineFor, sourceOf } from './source.ts'
import { selectStar } from './sql-text.ts'

type Of<W extends Described['what']> = Extract<Described, { what: W }>

/** What the catalogue calls need besides the database. */
export interface CatalogueContext extends AccessContext {
  deps: Deps
  signal: AbortSignal
}

async function describe<W extends Described['what']>(
  { deps, signal }: CatalogueContext,
  database: DatabaseRow,
  what: Parameters<Deps['runners']['describe']>[1] & { what: W },
): Promise<Of<W>> {
  return (await deps.runners.describe(await sourceOf(deps, database), what, signal)) as Of<W>
}

/** Schemas of a database in which the principal may read something. */
export async function schemasOf(context: CatalogueContext, database: DatabaseRow): Promise<string[]> {
  const { schemas } = await describe(context, database, { what: 'schemas' })
  const sorted = schemas.toSorted()
  if (readsAll(context.principal, database)) return sorted
  const known = new Set((await readableTables(context.db, context.principal, database)).map(({ schema }) => schema))
  return sorted.filter((schema) => known.has(schema) || readsAll(context.principal, database, schema))
}

/** What a dataset says of its table to those who look for one: certification and warning, null when it says nothing. */
function hintOf({ extra }: ReadableTable): object | null {
  try {
    const { certification, warning_markdown } = JSON.parse(extra ?? '{}') as Record<string, unknown>
    const hint = { ...(certification ? { certification } : {}), ...(warning_markdown ? { warning_markdown } : {}) }
    return Object.keys(hint).length > 0 ? hint : null
  } catch {
    return null
  }
}

/** Tables and views of a schema that the principal may read, by name. */
export async function tablesOf(
  context: CatalogueContext,
  database: DatabaseRow,
  schema: string | null,
): Promise<{ value: string; type: 'table' | 'view'; extra: object | null }[]> {
  const { tables } = await describe(context, database, { what: 'tables', schema })
  const datasets = (await readableTables(context.db, context.principal, database)).filter(
    (table) => (table.schema ?? '') === (schema ?? ''),
  )
  const known = new Map(datasets.map((dataset) => [dataset.table_name, dataset]))
  const isAll = readsAll(context.principal, database, schema)
  return tables
    .filter(({ name }) => isAll || known.has(name))
    .map(({ name, type }) => {
      const dataset = known.get(name)
      return { value: name, type, extra: dataset ? hintOf(dataset) : null }
    })
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))
}

/** May this table be looked at: by database, schema or dataset. @throws AppError `not_found`, as for a missing table */
async function mustReadTable(
  context: CatalogueContext,
  database: DatabaseRow,
  schema: string | null,
  table: string,
): Promise<void> {
  if (readsAll(context.principal, database, schema)) return
  const readable = await readableTables(context.db, context.principal, database)
  if (!readable.some((each) => each.table_name === table && (each.schema ?? '') === (schema ?? '')))
    throw tableNotFound()
}

const tableNotFound = (): AppError => new AppError('not_found', { message: 'Table not found in the database' })

/**
 * Columns and keys of a table as the source has them.
 * @param missing  what a missing table is, for those who may read the whole schema; the others get `not_found` as for an
 *   unreadable one
 */
export async function describeTable(
  context: CatalogueContext,
  database: DatabaseRow,
  schema: string | null,
  table: string,
  missing = tableNotFound,
): Promise<Of<'table'>> {
  await mustReadTable(context, database, schema, table)
  try {
    const found = await describe(context, database, { what: 'table', schema, table })
    if (found.columns.length > 0) return found
  } catch (error) {
    if (!(error instanceof AppError && ['table_missing', 'schema_missing'].includes(error.code))) throw error
  }
  throw missing()
}

const keyOf = ({ name, column_names, type, referred_schema, referred_table, referred_columns }: DescribedKey) => ({
  name,
  column_names,
  type,
  ...(type === 'fk' && { options: {}, referred_schema, referred_table, referred_columns }),
})

/** `GET /api/v1/database/{id}/table/...`: `indexes`, and the `keys` of a column, hold keys of all kinds. */
export async function tableMetadata(
  context: CatalogueContext,
  database: DatabaseRow,
  schema: string | null,
  table: string,
) {
  const { columns, keys, comment } = await describeTable(context, database, schema, table, () => {
    return new AppError('unprocessable', { message: table })
  })
  const all = keys.map(keyOf)
  const names = columns.map(({ name }) => name)
  return {
    name: table,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type.split('(')[0] ?? column.type,
      longType: column.type,
      keys: all.filter(({ column_names }) => column_names.includes(column.name)),
      comment: column.comment,
    })),
    selectStar: selectStar(engineFor(database), schema, table, names),
    primaryKey: all.find(({ type }) => type === 'pk') ?? { column_names: [], name: null, type: 'pk' },
    foreignKeys: all.filter(({ type }) => type === 'fk'),
    indexes: all,
    comment,
  }
}

/** SQL that shows all columns of a table. */
export async function selectStarOf(
  context: CatalogueContext,
  database: DatabaseRow,
  schema: string | null,
  table: string,
): Promise<string> {
  const { columns } = await describeTable(context, database, schema, table)
  const names = columns.map(({ name }) => name)
  return selectStar(engineFor(database), schema, table, names)
}
