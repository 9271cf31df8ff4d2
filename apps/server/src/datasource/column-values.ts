import { AppError, message, type QueryContext } from '@parquetry/model'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { runQuery } from '../chart/run-query.ts'
import type { Principal } from '../access/principal.ts'

/**
 * Distinct values of a column, up to FILTER_SELECT_ROW_LIMIT, subject to the dataset's row-level security rules and its filter
 * value predicate.
 * @throws AppError `bad_request` for a source type other than a dataset
 */
export async function fetchColumnValues(
  deps: ChartDeps,
  principal: Principal,
  { type, id, column }: { type: string; id: number; column: string },
  signal: AbortSignal,
): Promise<unknown[]> {
  if (type !== 'table' && type !== 'dataset')
    throw new AppError('bad_request', {
      message: message('errors.datasource.type', 'Invalid datasource type: {type}', { type }),
    })
  const query = {
    columns: [column],
    metrics: [],
    row_limit: deps.settings.config.FILTER_SELECT_ROW_LIMIT,
    apply_fetch_values_predicate: true,
  }
  const context: QueryContext = { datasource: { id, type: 'table' }, queries: [query] }
  const resolved = await resolveQuery(context, deps, principal).catch((error: unknown) => {
    throw toDatasourceError(error)
  })
  const { run } = await runQuery(resolved, query, { as: 'rows', times: 'ms' }, 'results', signal)
  const rows = JSON.parse(run.body.toString()) as Record<string, unknown>[]
  return rows.map((row) => row[column] ?? null)
}

/** Errors for missing and forbidden datasets, with the status and message of this route. */
function toDatasourceError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  if (error.code === 'dataset_not_found')
    return new AppError('not_found', {
      message: message('errors.datasource.missing', 'Datasource does not exist'),
      cause: error,
    })
  return error.code === 'dataset_access' ? new AppError('forbidden', { message: error.sentence, cause: error }) : error
}
