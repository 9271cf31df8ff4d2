import type { QueryContext } from '@parquetry/model'
import { plannerDataset } from '../dataset/stored-dataset.ts'
import { resolveSource } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { buildQueryDataset } from '../sqllab/query-dataset.ts'
import { readCached } from '../store/read-cache.ts'
import {
  resolveDataset,
  datasetNotFound,
  type ResolvedDataset,
  type RequestOrigin,
} from '../dataset/resolve-dataset.ts'
import type { ChartDeps } from './deps.ts'
import type { ResolvedQuery } from './resolved-query.ts'

/** Timeout for parsing the SQL of a past query again. */
const inspectTimeoutMs = 10_000

/**
 * Resolves a query context for a principal: its dataset, the applicable row-level security rules, and its source.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export async function resolveQuery(
  context: QueryContext,
  deps: ChartDeps,
  principal: Principal,
): Promise<ResolvedQuery> {
  const { id, type = 'table' } = context.datasource
  if (type !== 'table' && type !== 'dataset' && type !== 'query') throw datasetNotFound()
  const origin = parseOrigin(context)
  const { chart, ...opened } =
    type === 'query'
      ? await resolveSqlLabQuery(deps, principal, Number(id))
      : await resolveDataset(deps, principal, id, origin)
  const cacheTimeout =
    context.custom_cache_timeout ??
    chart?.cache_timeout ??
    opened.stored.row.cache_timeout ??
    opened.database.cache_timeout ??
    deps.settings.config.CACHE_DEFAULT_TIMEOUT
  return { ...opened, context, principal, cacheTimeout, deps }
}

/** Resolves a past SQL Lab query, whose SQL already includes the row-level security rules. */
const resolveSqlLabQuery = (deps: ChartDeps, principal: Principal, id: number): Promise<ResolvedDataset> =>
  readCached(deps.db, principal, JSON.stringify(['query', id]), async () => {
    const stored = await buildQueryDataset(deps, { principal, signal: AbortSignal.timeout(inspectTimeoutMs) }, id)
    const { database, row } = stored
    const source = await resolveSource(deps, database, principal, row.schema, row.catalog)
    return { dataset: plannerDataset(stored), database, stored, source, rlsRules: [], via: null, chart: undefined }
  })

/** Returns the dashboard and its chart or native filter that a request names in its form data. */
export function parseOrigin({ form_data }: Pick<QueryContext, 'form_data'>): RequestOrigin {
  const dashboardId = number(form_data?.['dashboardId'])
  const sliceId = number(form_data?.['slice_id'])
  const filterId = form_data?.['native_filter_id']
  if (form_data?.['type'] === 'NATIVE_FILTER' && typeof filterId === 'string' && dashboardId !== null)
    return { via: { dashboardId, filterId }, sliceId: null }
  return { via: sliceId === null ? null : { dashboardId, sliceId }, sliceId }
}

const number = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
