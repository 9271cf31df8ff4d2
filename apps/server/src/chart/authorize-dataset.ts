import type { PlannerDataset, QueryObject } from '@parquetry/model'
import {
  canAuthorReadDatabase,
  type DatasetExpression,
  listDatasetExpressions,
  findExpressionProblems,
  toExpressionError,
} from '../dataset/dataset-expressions.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { readCached } from '../store/read-cache.ts'
import { type ResolvedQuery, resultTypeOf } from './resolved-query.ts'

/** Several questions wait for one answer, so none of them may take it away from the others. */
const inspectTimeoutMs = 10_000

/**
 * The dataset of a question without those of its owners' expressions that may not run. What was stored before it was judged
 * when saved is judged here, and so is what a template became.
 * @throws AppError `sql_not_allowed` for one that the query asks for
 */
export async function authorizeDataset(
  { dataset, stored, database, source, principal, context, deps }: ResolvedQuery,
  query: QueryObject,
): Promise<PlannerDataset> {
  const mayCallForeign = () =>
    canReadAll(principal, database) || canAuthorReadDatabase(deps, stored.row.expressions_by_fk, database)
  const problems = await readCached(deps.db, dataset, 'problems', () => {
    const signal = AbortSignal.timeout(inspectTimeoutMs)
    return findExpressionProblems(listDatasetExpressions(dataset), {
      deps,
      database,
      source,
      canCallForeign: mayCallForeign,
      signal,
    })
  })
  if (problems.length === 0) return dataset
  const type = resultTypeOf(context, query)
  const isWhole = type === 'samples' || type === 'drill_detail'
  const named = textsIn([query, dataset.main_dttm_col])
  const isAsked = ({ field, name }: DatasetExpression): boolean =>
    name === null ? query.apply_fetch_values_predicate === true : named.has(name) || (isWhole && field === 'columns')
  const asked = problems.find(isAsked)
  if (asked) throw toExpressionError(asked)
  const mayRun = (kind: DatasetExpression['field'], own: string | null): boolean =>
    !problems.some(({ field, name }) => field === kind && name === own)
  return {
    ...dataset,
    columns: dataset.columns.filter(({ column_name }) => mayRun('columns', column_name)),
    metrics: dataset.metrics.filter(({ metric_name }) => mayRun('metrics', metric_name)),
    fetch_values_predicate: mayRun('fetch_values_predicate', null) ? dataset.fetch_values_predicate : null,
  }
}

/** Every text in a value: names of columns and metrics stand in a query in many places. */
function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value)
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) textsIn(inner, found)
  return found
}
