import { AppError, type QueryObject } from '@parquetry/model'
import { findClauseProblem, readQueryContext } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { datasetNotFound } from '../dataset/resolve-dataset.ts'
import { planQuery, runPlannedQuery } from '../chart/run-query.ts'

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

/** A query that holds the expression where it will stand, and for which no row is read. */
function buildProbeQuery({ expression, expression_type }: ExpressionRequest): QueryObject {
  const own = { expressionType: 'SQL', sqlExpression: expression, label: 'checked' } as const
  const none = { where: '1 = 0' }
  if (expression_type === 'column') return { columns: [own], metrics: [], extras: none }
  if (expression_type === 'metric') return { columns: [], metrics: [own], extras: none }
  if (expression_type === 'having') return { columns: [], metrics: [count], extras: { ...none, having: expression } }
  return { columns: [], metrics: [count], extras: { where: `(${expression}\n) AND (1 = 0)` } }
}

/** What people may write wrong; all else is said by the status of the call. */
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
 * What is wrong with an expression on a dataset, by the database's own words for who may read them; nothing where it fits.
 * @throws AppError `dataset_not_found`, also of one that may not be read
 */
export async function validateExpression(
  deps: ChartDeps,
  principal: Principal,
  { type, id }: { type: string; id: number },
  asked: ExpressionRequest,
  signal: AbortSignal,
): Promise<ExpressionDiagnostic[]> {
  const context = readQueryContext({ datasource: { id, type }, queries: [buildProbeQuery(asked)] })
  const question = await resolveQuery(context, deps, principal).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'dataset_access' ? datasetNotFound() : error
  })
  const { expression } = asked
  const problem = findClauseProblem(expression, question.source.engine)
  if (problem !== null) return [plain(problem)]
  let sql = ''
  try {
    const [query] = context.queries as [QueryObject]
    const planned = await planQuery(question, query, { as: 'rows', times: 'ms' }, 'results', signal)
    sql = planned.plan.statements[0]?.text ?? ''
    await runPlannedQuery(question, planned, signal)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || !(userErrorCodes.has(error.code) || notAllowed.has(error.code))) throw error
    const message = error.message.replace(/^Error: /, '')
    // Where it is wrong may be told to everybody, if it is in what they wrote.
    const { details } = error.cause instanceof AppError ? error.cause : error
    return [locateError(expression, sql, message, details)]
  }
}

const plain = (message: string): ExpressionDiagnostic => ({
  line_number: null,
  start_column: null,
  end_column: null,
  message,
})

/** The place in the statement as one in the expression, where it lies in there. */
function locateError(
  expression: string,
  sql: string,
  message: string,
  details: Record<string, unknown>,
): ExpressionDiagnostic {
  const { offset } = details as { offset?: number }
  // It stands there more than once where it is grouped by, or where the dataset's own SQL holds the same words.
  const start = offset === undefined ? -1 : sql.lastIndexOf(expression, offset)
  if (offset === undefined || start < 0 || offset > start + expression.length) return plain(message)
  const before = expression.slice(0, offset - start).split('\n')
  const column = (before.at(-1) ?? '').length + 1
  const word = /^\w+|^"[^"]*"|^`[^`]*`/.exec(expression.slice(offset - start))?.[0].length ?? 1
  return { line_number: before.length, start_column: column, end_column: column + word, message }
}
