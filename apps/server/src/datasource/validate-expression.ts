import { AppError, type QueryObject } from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import { checkExpression, type ExpressionDiagnostic } from '../chart/check-expression.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { datasetNotFound } from '../dataset/resolve-dataset.ts'

interface ExpressionRequest {
  expression: string
  expression_type: 'column' | 'metric' | 'where' | 'having'
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
  const [query] = context.queries as [QueryObject]
  return checkExpression(resolved, query, request.expression, signal)
}
