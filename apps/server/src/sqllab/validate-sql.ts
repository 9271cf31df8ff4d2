import {
  AppError,
  message,
  databaseMessageCodes,
  type ErrorCode,
  type Inspection,
  type SqlDiagnostic,
  type ValidateSql,
} from '@parquetry/model'
import { lex } from '@parquetry/model/lex'
import { relocateError, isReadOnly } from '@parquetry/sql'
import { renderSql } from '../templates/render-sql.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { authorizeSql, resolveNamespace } from '../sql-access/authorize-sql.ts'
import { describeSource, type ConnectionContext } from '../connection/describe-source.ts'
import { type DatabaseRow, engineFor, resolveSource } from '../connection/source.ts'

/** What an engine says of a text as such, not of the connection or of its own state. */
const statementErrorCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...databaseMessageCodes,
  'sql_not_allowed',
  'template_missing',
  'template_invalid',
])

const dialectOf = (database: DatabaseRow): string => engineFor(database).dialect.name

/** How long the word is that stands at a place, so that a mark has an end; null when nothing stands there. */
function wordLengthAt(sql: string, offset: number, dialect: string): number | null {
  const token = lex(sql, dialect).find(({ start, text }) => start <= offset && offset < start + text.length)
  return token && token.kind !== 'unclosed' ? token.start + token.text.length - offset : null
}

function toSqlMark(
  { sql, dialect }: { sql: string; dialect: string },
  message: string,
  details: Record<string, unknown>,
): SqlDiagnostic {
  const { line, column, offset } = details as { line?: number; column?: number; offset?: number }
  const length = offset === undefined || column === undefined ? null : wordLengthAt(sql, offset, dialect)
  return {
    line_number: line ?? null,
    start_column: column ?? null,
    end_column: column !== undefined && length !== null ? column + length : null,
    message,
  }
}

/** Whether the engine may be asked about the text: what it says tells of tables, so only of those that may be read. */
async function canAskEngine(
  context: ConnectionContext,
  database: DatabaseRow,
  { sql, inspection }: { sql: string; inspection: Inspection },
  place: Namespace,
): Promise<boolean> {
  if (!isReadOnly(inspection)) return false
  try {
    await authorizeSql(sql, inspection, database, context, place)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** What the engine says of each query, one after the other, until one is not right. */
async function validateWithEngine(
  context: ConnectionContext,
  database: DatabaseRow,
  { sql, inspection }: { sql: string; inspection: Inspection },
  place: Namespace,
): Promise<SqlDiagnostic[]> {
  for (const [index, { kind, span }] of inspection.statements.entries()) {
    if (kind !== 'select') continue
    try {
      const what = { what: 'columns', sql: sql.slice(...span) } as const
      await describeSource(context, database, what, { ...place, force: true })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unsupported') continue
      if (!statementErrorCodes.has(error.code)) throw error
      const { code, message, details } = error
      const placed = new AppError(code, { message, details: { ...details, statement: index + 1 } })
      const found = relocateError(sql, inspection, placed) as AppError
      return [toSqlMark({ sql, dialect: dialectOf(database) }, found.message, found.details)]
    }
  }
  return []
}

/** Whether an administrator has switched checking off for this engine (SQL_VALIDATORS_BY_ENGINE). */
const isValidationDisabled = ({ deps }: ConnectionContext, { backend }: DatabaseRow): boolean =>
  !deps.settings.config.SQL_VALIDATORS_BY_ENGINE[backend]

/**
 * Says where a text is not right, in the engine's dialect and, where it may be asked, by the engine itself; nothing is run.
 * @throws AppError `unprocessable` when there is nobody to ask, or the asking failed
 */
export async function validateSql(
  context: ConnectionContext,
  database: DatabaseRow,
  { sql: written, schema = null, catalog = null, template_params }: ValidateSql,
): Promise<SqlDiagnostic[]> {
  if (isValidationDisabled(context, database)) throw new AppError('validator_missing')
  const { deps, principal, signal: asked } = context
  const seconds = deps.settings.config.SQLLAB_VALIDATION_TIMEOUT
  const late = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([asked, late])
  try {
    const templateParams = template_params ? JSON.stringify(template_params) : null
    const place = resolveNamespace(context, database, { schema, catalog })
    const sql = await renderSql(deps, principal, database, { sql: written, templateParams, name: '', ...place })
    const source = await resolveSource(deps, database, principal, place.schema, place.catalog)
    const inspection = await deps.runners.inspect(sql, source, signal)
    if (inspection.error)
      return [toSqlMark({ sql, dialect: dialectOf(database) }, inspection.error.message, { ...inspection.error })]
    if (!(await canAskEngine(context, database, { sql, inspection }, place))) return []
    return await validateWithEngine({ ...context, signal }, database, { sql, inspection }, place)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (late.aborted)
      throw new AppError('validation_failed', {
        message: message(
          'errors.sqllab.checkTimeout',
          'The SQL check did not finish within {seconds, plural, one {# second} other {# seconds}}.',
          { seconds },
        ),
        cause: error,
      })
    if (error.code === 'template_missing' || error.code === 'template_invalid')
      return [{ line_number: 1, start_column: null, end_column: null, message: error.message }]
    throw new AppError('validation_failed', { message: error.message, cause: error })
  }
}
