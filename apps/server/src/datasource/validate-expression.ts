import { AppError, type QueryObject } from '@parquetry/model'
import { findClauseProblem, readQueryContext } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { datasetNotFound } from '../dataset/resolve-dataset.ts'
import { planQuery, runPlannedQuery } from '../chart/run-query.ts'
import { localizeError } from '../settings/messages.ts'

interface ExpressionRequest {
  expression: string
  expression_type: 'column' | 'metric' | 'where' | 'having'
}

interface ExpressionDiagnostic {
  line_number: number | null
  start_column: number | null
  end_column: number | null
  message: string
}

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' } as const

/** A query with the expression in its future clause that reads no rows. */
function buildProbeQuery({ expression, expression_type }: ExpressionRequest): QueryObject {
  const expressionObject = { expressionType: 'SQL', sqlExpression: expression, label: 'checked' } as const
  const noRows = { where: '1 = 0' }
  if (expression_type === 'column') return { columns: [expressionObject], metrics: [], extras: noRows }
  if (expression_type === 'metric') return { columns: [], metrics: [expressionObject], extras: noRows }
  if (expression_type === 'having') return { columns: [], metrics: [count], extras: { ...noRows, having: expression } }
  return { columns: [], metrics: [count], extras: { where: `(${expression}\n) AND (1 = 0)` } }
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
 * Errors of an expression on a dataset, with the message of the database for users who may read it; empty when it is valid.
 * @throws AppError `dataset_not_found`, also for a dataset that the principal may not read
 */
export async function validateExpression(
  deps: ChartDeps,
  principal: Principal,
  { type, id }: { type: string; id: number },
  request: ExpressionRequest,
  signal: AbortSignal,
): Promise<ExpressionDiagnostic[]> {
  const context = readQueryContext({ datasource: { id, type }, queries: [buildProbeQuery(request)] })
  const resolved = await resolveQuery(context, deps, principal).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'dataset_access' ? datasetNotFound() : error
  })
  const { expression } = request
  const problem = findClauseProblem(expression, resolved.source.engine)
  if (problem !== null) return [withoutPosition(problem)]
  let sql = ''
  try {
    const [query] = context.queries as [QueryObject]
    const planned = await planQuery(resolved, query, { as: 'rows', times: 'ms' }, 'results', signal)
    sql = planned.plan.statements[0]?.text ?? ''
    await runPlannedQuery(resolved, planned, signal)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || !(userErrorCodes.has(error.code) || notAllowed.has(error.code))) throw error
    const message = localizeError(error, deps.settings).message.replace(/^Error: /, '')
    // The position of an error inside the user's own text may be shown to all users.
    const { details } = error.cause instanceof AppError ? error.cause : error
    return [locateError(expression, sql, message, details)]
  }
}

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
