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
import { localizeError } from '../settings/messages.ts'
import { type DatabaseRow, engineFor, resolveSource } from '../connection/source.ts'

/** Errors about the SQL itself, not about the connection or the state of the engine. */
const statementErrorCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...databaseMessageCodes,
  'sql_not_allowed',
  'template_missing',
  'template_invalid',
])

const dialectOf = (database: DatabaseRow): string => engineFor(database).dialect.name

/** Length from a position to the end of its token, so that a marker has an end; null when there is no token. */
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

/** True when the engine may check the SQL: its errors reveal tables, so all of them must be readable. */
async function canAskEngine(
  context: ConnectionContext,
  database: DatabaseRow,
  { sql, inspection }: { sql: string; inspection: Inspection },
  namespace: Namespace,
): Promise<boolean> {
  if (!isReadOnly(inspection)) return false
  try {
    await authorizeSql(sql, inspection, database, context, namespace)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Asks the engine about each query in turn, until one is wrong. */
async function validateWithEngine(
  context: ConnectionContext,
  database: DatabaseRow,
  { sql, inspection }: { sql: string; inspection: Inspection },
  namespace: Namespace,
): Promise<SqlDiagnostic[]> {
  for (const [index, { kind, span }] of inspection.statements.entries()) {
    if (kind !== 'select') continue
    try {
      const request = { what: 'columns', sql: sql.slice(...span) } as const
      await describeSource(context, database, request, { ...namespace, force: true })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unsupported') continue
      if (!statementErrorCodes.has(error.code)) throw error
      const { code, sentence, details } = error
      const statementError = new AppError(code, { message: sentence, details: { ...details, statement: index + 1 } })
      const found = relocateError(sql, inspection, statementError) as AppError
      const text = localizeError(found, context.deps.settings).message
      return [toSqlMark({ sql, dialect: dialectOf(database) }, text, found.details)]
    }
  }
  return []
}

/** True when an administrator has disabled validation for this engine (SQL_VALIDATORS_BY_ENGINE). */
const isValidationDisabled = ({ deps }: ConnectionContext, { backend }: DatabaseRow): boolean =>
  !deps.settings.config.SQL_VALIDATORS_BY_ENGINE[backend]

/**
 * Finds errors in SQL, in the engine's dialect and, where allowed, with the engine itself; nothing is run.
 * @throws AppError `validator_missing` when validation is disabled, `validation_failed` when it could not be done
 */
export async function validateSql(
  context: ConnectionContext,
  database: DatabaseRow,
  { sql: requestSql, schema = null, catalog = null, template_params }: ValidateSql,
): Promise<SqlDiagnostic[]> {
  if (isValidationDisabled(context, database)) throw new AppError('validator_missing')
  const { deps, principal, signal: requestSignal } = context
  const seconds = deps.settings.config.SQLLAB_VALIDATION_TIMEOUT
  const timeout = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([requestSignal, timeout])
  try {
    const templateParams = template_params ? JSON.stringify(template_params) : null
    const namespace = resolveNamespace(context, database, { schema, catalog })
    const sql = await renderSql(deps, principal, database, { sql: requestSql, templateParams, name: '', ...namespace })
    const source = await resolveSource(deps, database, principal, namespace.schema, namespace.catalog)
    const inspection = await deps.runners.inspect(sql, source, signal)
    if (inspection.error)
      return [toSqlMark({ sql, dialect: dialectOf(database) }, inspection.error.message, { ...inspection.error })]
    if (!(await canAskEngine(context, database, { sql, inspection }, namespace))) return []
    return await validateWithEngine({ ...context, signal }, database, { sql, inspection }, namespace)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (timeout.aborted)
      throw new AppError('validation_failed', {
        message: message(
          'errors.sqllab.checkTimeout',
          'The SQL check did not finish within {seconds, plural, one {# second} other {# seconds}}.',
          { seconds },
        ),
        cause: error,
      })
    if (error.code === 'template_missing' || error.code === 'template_invalid') {
      const text = localizeError(error, deps.settings).message
      return [{ line_number: 1, start_column: null, end_column: null, message: text }]
    }
    throw new AppError('validation_failed', { message: error.sentence, cause: error })
  }
}
