import type { PlannerDataset, QueryObject } from '@parquetry/model'
import { mayVouch, type OwnText, ownTextsOf, problemsOf, refusedText } from '../dataset/judge-own-texts.ts'
import { readsAll } from '../sql-access/table-access.ts'
import { readOnce } from '../store/kept-reads.ts'
import { type Question, resultTypeOf } from './question.ts'

/** Several questions wait for one answer, so none of them may take it away from the others. */
const judgeMs = 10_000

/**
 * The dataset of a question without those of its owners' expressions that may not run. What was stored before it was judged
 * when saved is judged here, and so is what a template became.
 * @throws AppError `sql_not_allowed` for one that the query asks for
 */
export async function judgeDataset(
  { dataset, stored, database, source, principal, context, deps }: Question,
  query: QueryObject,
): Promise<PlannerDataset> {
  const mayCallForeign = () => readsAll(principal, database) || mayVouch(deps, stored.row.expressions_by_fk, database)
  const problems = await readOnce(deps.db, dataset, 'problems', () => {
    const signal = AbortSignal.timeout(judgeMs)
    return problemsOf(ownTextsOf(dataset), { deps, database, source, mayCallForeign, signal })
  })
  if (problems.length === 0) return dataset
  const type = resultTypeOf(context, query)
  const isWhole = type === 'samples' || type === 'drill_detail'
  const named = textsIn([query, dataset.main_dttm_col])
  const isAsked = ({ field, name }: OwnText): boolean =>
    name === null ? query.apply_fetch_values_predicate === true : named.has(name) || (isWhole && field === 'columns')
  const asked = problems.find(isAsked)
  if (asked) throw refusedText(asked)
  const mayRun = (kind: OwnText['field'], own: string | null): boolean =>
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
