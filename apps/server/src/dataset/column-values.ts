import { AppError, type QueryContext } from '@parquetry/model'
import { openQuestion } from '../chart/open-question.ts'
import { runQuery } from '../chart/run-query.ts'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'

/**
 * Distinct values of a column, up to FILTER_SELECT_ROW_LIMIT; the dataset's row rules and its predicate for such lists hold.
 * @throws AppError `bad_request` for a kind of source that is no dataset
 */
export async function columnValues(
  deps: Deps,
  principal: Principal,
  { type, id, column }: { type: string; id: number; column: string },
  signal: AbortSignal,
): Promise<unknown[]> {
  if (type !== 'table' && type !== 'dataset')
    throw new AppError('bad_request', { message: `Invalid datasource type: ${type}` })
  const query = {
    columns: [column],
    metrics: [],
    row_limit: deps.settings.config.FILTER_SELECT_ROW_LIMIT,
    apply_fetch_values_predicate: true,
  }
  const context: QueryContext = { datasource: { id, type: 'table' }, queries: [query] }
  const question = await openQuestion(context, deps, principal)
  const { run } = await runQuery(question, query, { as: 'rows', times: 'ms' }, 'results', signal)
  const rows = JSON.parse(run.body.toString()) as Record<string, unknown>[]
  return rows.map((row) => row[column] ?? null)
}
