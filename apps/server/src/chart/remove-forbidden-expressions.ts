import type { PlannerDataset, QueryObject, ResultType } from '@parquetry/model'
import {
  canAuthorReadDatabase,
  type DatasetExpression,
  listDatasetExpressions,
  findExpressionProblems,
  toExpressionError,
} from '../dataset/dataset-expressions.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { readCached } from '../store/read-cache.ts'
import type { ResolvedQuery } from './resolved-query.ts'

/** Timeout of the check. It does not use the signal of a query, because several queries share its result. */
const inspectTimeoutMs = 10_000

/**
 * Returns the dataset without those of its own expressions that may not run. They can exist because they were saved before saving
 * checked them, or because a template generates them.
 * @throws AppError `sql_not_allowed` for one that the query uses
 */
export async function removeForbiddenExpressions(
  { dataset, stored, database, source, principal, deps }: ResolvedQuery,
  query: QueryObject,
  type: ResultType,
): Promise<PlannerDataset> {
  const canCallForeign = () =>
    canReadAll(principal, database) || canAuthorReadDatabase(deps, stored.row.expressions_by_fk, database)
  const problems = await readCached(deps.db, dataset, 'problems', () => {
    const signal = AbortSignal.timeout(inspectTimeoutMs)
    return findExpressionProblems(listDatasetExpressions(dataset), {
      deps,
      database,
      source,
      canCallForeign: canCallForeign,
      signal,
    })
  })
  if (problems.length === 0) return dataset
  const readsAllColumns = type === 'samples' || type === 'drill_detail'
  const usedTexts = textsIn([query, dataset.main_dttm_col])
  const isUsed = ({ field, name }: DatasetExpression): boolean =>
    name === null
      ? query.apply_fetch_values_predicate === true
      : usedTexts.has(name) || (readsAllColumns && field === 'columns')
  const usedProblem = problems.find(isUsed)
  if (usedProblem) throw toExpressionError(usedProblem)
  const canRun = (kind: DatasetExpression['field'], expressionName: string | null): boolean =>
    !problems.some(({ field, name }) => field === kind && name === expressionName)
  return {
    ...dataset,
    columns: dataset.columns.filter(({ column_name }) => canRun('columns', column_name)),
    metrics: dataset.metrics.filter(({ metric_name }) => canRun('metrics', metric_name)),
    fetch_values_predicate: canRun('fetch_values_predicate', null) ? dataset.fetch_values_predicate : null,
  }
}

/** Collects all texts in a value, because names of columns and metrics occur in many places of a query. */
function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value)
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) textsIn(inner, found)
  return found
}
