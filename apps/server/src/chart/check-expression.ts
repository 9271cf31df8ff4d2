import { AppError, message, type QueryObject } from '@parquetry/model'
import { findClauseProblem } from '@parquetry/query'
import { localizeError } from '../settings/messages.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import { planQuery, runPlannedQuery } from './run-query.ts'

/** An error in an expression; lines and columns count from 1, null when the position is not known. */
export interface ExpressionDiagnostic {
  line_number: number | null
  start_column: number | null
  end_column: number | null
  message: string
}

/** Errors in the user's text, which are part of the result; all others determine the status of the response. */
const userErrorCodes = new Set([
  'query_failed',
  'syntax_error',
  'column_missing',
  'table_missing',
  'invalid_query',
  'unsupported',
])
const notAllowed = new Set(['adhoc_subquery', 'sql_not_allowed', 'template_invalid', 'template_missing'])

/**
 * Errors of an expression, found by running a query that contains it; empty when it is valid. The message is that of the database
 * for users who may read it.
 * @param resolved  authorized for the caller
 * @param query  contains the expression, and should read no rows
 * @throws AppError for failures that say nothing about the expression, such as `connection_failed`
 */
export async function checkExpression(
  resolved: ResolvedQuery,
  query: QueryObject,
  expression: string,
  signal: AbortSignal,
): Promise<ExpressionDiagnostic[]> {
  const problem = findClauseProblem(expression, resolved.source.engine)
  if (problem !== null) return [withoutPosition(problem)]
  let sql = ''
  try {
    const planned = await planQuery(resolved, query, { as: 'rows', times: 'ms' }, 'results', signal)
    sql = planned.plan.statements[0]?.text ?? ''
    await runPlannedQuery(resolved, planned, signal)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || !(userErrorCodes.has(error.code) || notAllowed.has(error.code))) throw error
    const text = localizeError(error, resolved.deps.settings).message.replace(/^Error: /, '')
    // The position of an error inside the user's own text may be shown to all users.
    const { details } = error.cause instanceof AppError ? error.cause : error
    const diagnostic = locateError(expression, sql, text, details)
    return [isAtEnd(expression, diagnostic) ? { ...diagnostic, message: endsEarly(resolved) } : diagnostic]
  }
}

/** The SQL after the expression is not the user's, so the database's message about it would be confusing. */
function isAtEnd(expression: string, { line_number, start_column }: ExpressionDiagnostic): boolean {
  const lines = expression.trimEnd().split('\n')
  return line_number === lines.length && start_column !== null && start_column > (lines.at(-1) ?? '').length
}

const endsEarly = ({ deps }: ResolvedQuery): string =>
  localizeError(
    new AppError('syntax_error', {
      message: message('errors.chart.endsEarly', 'The SQL ends before the expression is complete.'),
    }),
    deps.settings,
  ).message

const withoutPosition = (message: string): ExpressionDiagnostic => ({
  line_number: null,
  start_column: null,
  end_column: null,
  message,
})

/** Converts a position in the statement to one in the expression, if it is inside of it. */
function locateError(
  expression: string,
  sql: string,
  message: string,
  details: Record<string, unknown>,
): ExpressionDiagnostic {
  const { offset } = details as { offset?: number }
  // The statement contains the text several times if it is also grouped by, or if the dataset's own SQL contains it.
  const start = offset === undefined ? -1 : sql.lastIndexOf(expression, offset)
  if (offset === undefined || start < 0 || offset > start + expression.length) return withoutPosition(message)
  const before = expression.slice(0, offset - start).split('\n')
  const column = (before.at(-1) ?? '').length + 1
  const wordLength = /^\w+|^"[^"]*"|^`[^`]*`/.exec(expression.slice(offset - start))?.[0].length ?? 1
  return { line_number: before.length, start_column: column, end_column: column + wordLength, message }
}
