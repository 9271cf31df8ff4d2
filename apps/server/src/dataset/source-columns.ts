import { AppError, saidByDatabase, type Described, type DescribedColumn } from '@parquetry/model'
import { isReadOnly } from '@parquetry/sql'
import { isTemplate } from '@parquetry/templates'
import type { CatalogueContext } from '../connection/catalogue.ts'
import { describeTable } from '../database/metadata.ts'
import { sourceOf, type DatabaseRow } from '../connection/source.ts'
import { type Place, readsAll } from '../sql-access/table-access.ts'
import { judge, placeOf, refuseSecrets } from '../sql-access/judge.ts'
import { toldTo } from '../sql-access/told-to.ts'
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
async function checkSql(context: CatalogueContext, database: DatabaseRow, place: Place, sql: string): Promise<void> {
  const { deps, db, principal, signal } = context
  const source = await sourceOf(deps, database, { onlyReads: principal }, place.schema)
  const inspection = await deps.runners.inspect(sql, source, signal)
  if (inspection.error) throw new SourceComplaint('sql', inspection.error.message)
  if (inspection.statements.length !== 1) throw new SourceComplaint('sql', 'Only single queries supported')
  if (!isReadOnly(inspection)) throw new SourceComplaint('sql', 'Only `SELECT` statements are allowed')
  try {
    await judge(sql, inspection, database, { db, principal }, place)
  } catch (error) {
    if (error instanceof AppError) throw new SourceComplaint('sql', error.message, error)
    throw error
  }
}

/**
 * Columns of a dataset's table or SQL as the source has them.
 * @throws SourceComplaint for a table or SQL that cannot be read; other failures of the source as the principal may read them
 */
export async function sourceColumns(
  context: CatalogueContext,
  database: DatabaseRow,
  { schema, table_name, sql }: { schema: string | null; table_name: string; sql: string | null },
): Promise<DescribedColumn[]> {
  if (!sql) {
    try {
      refuseSecrets([{ catalog: null, schema, name: table_name }], database, context.principal, {
        schema,
        catalog: null,
      })
    } catch (error) {
      if (error instanceof AppError) throw new SourceComplaint('table_name', error.message, error)
      throw error
    }
    try {
      return (await describeTable(context, database, { catalog: null, schema, table: table_name })).columns
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw toldTo(error, context.principal, database)
      const sentence = `Table [${table_name}] could not be found, please double check your database connection, schema, and table name`
      throw new SourceComplaint('table_name', sentence, error)
    }
  }
  // What a template becomes is known when it is carried out, by others and later.
  if (isTemplate(sql) && !readsAll(context.principal, database))
    throw new SourceComplaint(
      'sql',
      'You have access to only some tables of this database, so the SQL cannot contain templates.',
    )
  const text = withoutTemplates(sql).trim().replace(/;\s*$/, '')
  const place = placeOf(context, database, { schema, catalog: null })
  await checkSql(context, database, place, text)
  const { deps, principal, signal } = context
  try {
    const what = { what: 'columns', sql: text } as const
    const found = await deps.runners.describe(await sourceOf(deps, database, principal, place.schema), what, signal)
    return (found as Extract<Described, { what: 'columns' }>).columns
  } catch (error) {
    // Of the SQL its writer reads all; of the connection what others do.
    const told =
      error instanceof AppError && saidByDatabase.has(error.code) ? error : toldTo(error, principal, database)
    if (told instanceof AppError && told.status < 500) throw new SourceComplaint('sql', told.message, error)
    throw told
  }
}

/** The same for somebody who reads a dataset; who may not read all of its database did not write its SQL and reads less of what is wrong. */
export async function columnsForReader(
  context: CatalogueContext,
  database: DatabaseRow,
  source: Parameters<typeof sourceColumns>[2],
): Promise<DescribedColumn[]> {
  try {
    return await sourceColumns(context, database, source)
  } catch (error) {
    if (!(error instanceof SourceComplaint) || !source.sql || readsAll(context.principal, database)) throw error
    throw new SourceComplaint(
      'sql',
      'The database rejected the SQL of this dataset. Ask an owner of the dataset to fix it.',
      error,
    )
  }
}
