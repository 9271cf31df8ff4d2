import { AppError, type Described, type DescribedColumn } from '@parquetry/model'
import { isReadOnly, tablesRead } from '@parquetry/sql'
import type { CatalogueContext } from '../database/catalogue.ts'
import { describeTable } from '../database/metadata.ts'
import { homeSchema, sourceOf, type DatabaseRow } from '../database/source.ts'
import { unreadableTable } from '../security/table-access.ts'
import { withoutTemplates } from './without-templates.ts'

/** A complaint about a dataset's source: the field at fault and a sentence. */
export class SourceComplaint extends Error {
  readonly field: 'table_name' | 'sql'
  constructor(field: 'table_name' | 'sql', sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.field = field
  }
}

/** @throws SourceComplaint unless the SQL is one reading statement over tables that the principal may read */
async function checkSql(
  context: CatalogueContext,
  database: DatabaseRow,
  schema: string | null,
  sql: string,
): Promise<void> {
  const { deps, db, principal, signal } = context
  const inspection = await deps.runners.inspect(sql, await sourceOf(deps, database, schema), signal)
  if (inspection.error) throw new SourceComplaint('sql', inspection.error.message)
  if (inspection.statements.length !== 1) throw new SourceComplaint('sql', 'Only single queries supported')
  if (!isReadOnly(inspection)) throw new SourceComplaint('sql', 'Only `SELECT` statements are allowed')
  const unreadable = await unreadableTable(
    db,
    principal,
    database,
    tablesRead(inspection),
    schema ?? homeSchema(database),
  )
  if (unreadable) throw new SourceComplaint('sql', `You need access to the following tables: ${unreadable.name}`)
}

/**
 * Columns of a dataset's table or SQL as the source has them.
 * @throws SourceComplaint for a table or SQL that cannot be read; other failures of the source as they are
 */
export async function sourceColumns(
  context: CatalogueContext,
  database: DatabaseRow,
  { schema, table_name, sql }: { schema: string | null; table_name: string; sql: string | null },
): Promise<DescribedColumn[]> {
  if (!sql) {
    try {
      return (await describeTable(context, database, { catalog: null, schema, table: table_name })).columns
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
      const sentence = `Table [${table_name}] could not be found, please double check your database connection, schema, and table name`
      throw new SourceComplaint('table_name', sentence, error)
    }
  }
  const text = withoutTemplates(sql).trim().replace(/;\s*$/, '')
  await checkSql(context, database, schema, text)
  const { deps, signal } = context
  try {
    const what = { what: 'columns', sql: text } as const
    const found = await deps.runners.describe(await sourceOf(deps, database, schema), what, signal)
    return (found as Extract<Described, { what: 'columns' }>).columns
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw new SourceComplaint('sql', error.message, error)
    throw error
  }
}
