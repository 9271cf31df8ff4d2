import {
  AppError,
  databaseMessageCodes,
  type DescribeResult,
  type DescribedColumn,
  message,
  type Message,
  MessageError,
} from '@parquetry/model'
import { isReadOnly } from '@parquetry/sql'
import { isTemplate } from '@parquetry/templates'
import type { ConnectionContext } from '../connection/describe-source.ts'
import { describeTable } from '../database/metadata.ts'
import { resolveSource, type DatabaseRow } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { type Namespace, canReadAll, unreadableTables } from '../sql-access/table-access.ts'
import { authorizeSql, resolveNamespace, refuseSecrets } from '../sql-access/authorize-sql.ts'
import { redactDatabaseError } from '../sql-access/redact-database-error.ts'
import { stripTemplates } from './strip-templates.ts'

/** An error in the source of a dataset: the field and a message. */
export class SourceError extends MessageError {
  readonly field: 'table_name' | 'sql'
  constructor(field: 'table_name' | 'sql', text: string | Message, cause?: unknown) {
    super(text, { cause })
    this.field = field
  }
}

/** @throws SourceComplaint unless the SQL is a single read-only statement over tables that the principal may read */
async function checkSql(
  context: ConnectionContext,
  database: DatabaseRow,
  namespace: Namespace,
  sql: string,
): Promise<void> {
  const { deps, db, principal, signal } = context
  const source = await resolveSource(deps, database, { onlyReads: principal }, namespace.schema)
  const inspection = await deps.runners.inspect(sql, source, signal)
  if (inspection.error) throw new SourceError('sql', inspection.error.message)
  if (inspection.statements.length !== 1)
    throw new SourceError('sql', message('errors.dataset.singleQuery', 'Only single queries supported'))
  if (!isReadOnly(inspection))
    throw new SourceError('sql', message('errors.dataset.onlySelect', 'Only `SELECT` statements are allowed'))
  try {
    await authorizeSql(sql, inspection, database, { db, principal }, namespace)
  } catch (error) {
    if (error instanceof AppError) throw new SourceError('sql', error.sentence, error)
    throw error
  }
}

/** The output of a template is known only when it is rendered, later and for other users. */
const templateNotAllowed = message(
  'errors.dataset.templateNotAllowed',
  'You have access to only some tables of this database, so the SQL cannot contain templates.',
)

const tableNotAllowed = (name: string): Message =>
  message('errors.dataset.tableNotAllowed', 'You do not have access to the table {name}. Ask for access to it first.', {
    name,
  })

/**
 * Checks that the principal may own a dataset of this table or SQL, whose owners read all of its data. The database is not asked.
 * SQL of principals who may read the whole database is checked when it runs.
 * @throws SourceError
 */
export async function authorizeDatasetSource(
  context: ConnectionContext,
  database: DatabaseRow,
  { schema, catalog, table_name, sql }: Namespace & { table_name: string; sql: string | null },
): Promise<void> {
  const { db, principal } = context
  if (!sql) {
    const table = { catalog, schema, name: table_name }
    refuseProtectedTable(principal, database, table)
    const unreadable = await unreadableTables(db, principal, database, [table], { schema, catalog })
    if (unreadable.length > 0) throw new SourceError('table_name', tableNotAllowed(table_name))
    return
  }
  if (canReadAll(principal, database)) return
  if (isTemplate(sql)) throw new SourceError('sql', templateNotAllowed)
  await checkSql(context, database, resolveNamespace(context, database, { schema, catalog }), sql)
}

/** @throws SourceError for a table of the engine that is reserved for administrators */
function refuseProtectedTable(principal: Principal, database: DatabaseRow, table: Namespace & { name: string }): void {
  try {
    refuseSecrets([table], database, principal, table)
  } catch (error) {
    throw error instanceof AppError ? new SourceError('table_name', error.sentence, error) : error
  }
}

/**
 * Reads the columns of a dataset's table or SQL from the source.
 * @throws SourceComplaint for a table or SQL that cannot be read; other errors of the source, redacted for the principal
 */
export async function describeSourceColumns(
  context: ConnectionContext,
  database: DatabaseRow,
  { schema, table_name, sql }: { schema: string | null; table_name: string; sql: string | null },
): Promise<DescribedColumn[]> {
  if (!sql) {
    refuseProtectedTable(context.principal, database, { catalog: null, schema, name: table_name })
    try {
      return (await describeTable(context, database, { catalog: null, schema, table: table_name })).columns
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found'))
        throw redactDatabaseError(error, context.principal, database)
      const errorText = message(
        'errors.dataset.noTable',
        'Table [{table}] could not be found, please double check your database connection, schema, and table name',
        { table: table_name },
      )
      throw new SourceError('table_name', errorText, error)
    }
  }
  if (isTemplate(sql) && !canReadAll(context.principal, database)) throw new SourceError('sql', templateNotAllowed)
  const text = stripTemplates(sql).trim().replace(/;\s*$/, '')
  const namespace = resolveNamespace(context, database, { schema, catalog: null })
  await checkSql(context, database, namespace, text)
  const { deps, principal, signal } = context
  try {
    const request = { what: 'columns', sql: text } as const
    const found = await deps.runners.describe(
      await resolveSource(deps, database, principal, namespace.schema),
      request,
      signal,
    )
    return requireUniqueNames((found as Extract<DescribeResult, { what: 'columns' }>).columns)
  } catch (error) {
    if (error instanceof SourceError) throw error
    // The author of the SQL sees all of its errors, but connection errors are redacted as for other users.
    const redacted =
      error instanceof AppError && databaseMessageCodes.has(error.code)
        ? error
        : redactDatabaseError(error, principal, database)
    if (redacted instanceof AppError && redacted.status < 500) throw new SourceError('sql', redacted.sentence, error)
    throw redacted
  }
}

/** @throws SourceError when two columns have the same name, which a dataset could not distinguish */
function requireUniqueNames(columns: DescribedColumn[]): DescribedColumn[] {
  const names = columns.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated === undefined) return columns
  throw new SourceError(
    'sql',
    message(
      'errors.dataset.repeatedColumn',
      'The query returns several columns named {name}. Give each of them its own name with AS.',
      { name: repeated },
    ),
  )
}

/**
 * Does the same for a user who reads a dataset. Without access to the whole database the user is not the author of its SQL and
 * sees a generic error.
 */
export async function describeColumnsForReader(
  context: ConnectionContext,
  database: DatabaseRow,
  source: Parameters<typeof describeSourceColumns>[2],
): Promise<DescribedColumn[]> {
  try {
    return await describeSourceColumns(context, database, source)
  } catch (error) {
    if (!(error instanceof SourceError) || !source.sql || canReadAll(context.principal, database)) throw error
    throw new SourceError(
      'sql',
      message(
        'errors.dataset.sqlRejected',
        'The database rejected the SQL of this dataset. Ask an owner of the dataset to fix it.',
      ),
      error,
    )
  }
}
