import {
  resultTypes,
  type Plan,
  type PlannerDataset,
  type QueryContext,
  type QueryObject,
  type ResultType,
  type Source,
} from '@parquetry/model'
import { plan, restrict, type PlanContext, type QueryPlan } from '@parquetry/query'
import type { StoredDataset } from '../dataset/stored-dataset.ts'
import { runCached, type CacheOptions, type CachedRun, type PlanExecutor } from '../cache/run-cached.ts'
import type { DatabaseRow } from '../connection/source.ts'
import type { AccessPath } from '../access/access.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import type { ApplicableRule } from '../row-level-security/load-rules.ts'
import type { RestrictedSql } from '../row-level-security/restrict-sql.ts'
import type { ChartDeps } from './deps.ts'
import type { PlannedQuery } from './run-query.ts'

/** An authorized query context with everything that its queries need. */
export interface ResolvedQuery {
  context: QueryContext
  dataset: PlannerDataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  principal: Principal
  /** See `ResolvedDataset`. */
  via: AccessPath | null
  rlsRules: ApplicableRule[]
  /** Cache timeout of results in seconds. */
  cacheTimeout: number
  /** A user waits for the result: it is refused when the database is too busy, instead of waiting for long. */
  isInteractive?: boolean
  /** Uses only cached results and queries no database. */
  onlyCached?: boolean
  /** Accepts only results whose run started at this time or later, see `CacheOptions`. */
  notBefore?: number
  /** Pages are unordered, as those of the API's samples. */
  asFound?: boolean
  /** Records the plan and result of each query. */
  recordedRuns?: { planned: PlannedQuery; run: CachedRun }[]
  deps: ChartDeps
}

/** A resolved query whose dataset reads only rows that the user may see. Only `prepareQuery` creates it. */
export interface PreparedQuery extends ResolvedQuery {
  dataset: PlannerDataset & { sql: RestrictedSql | null }
}

/** Plans one of the queries. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export const compilePlan = (
  { dataset, rlsRules }: PreparedQuery,
  query: QueryObject,
  context: PlanContext,
): QueryPlan => plan(restrict(query, dataset, { rlsRules }), dataset, context)

/** Cache options of the results. */
export const toCacheOptions = ({
  database,
  dataset,
  cacheTimeout,
  context,
  onlyCached = false,
  isInteractive = false,
  notBefore,
}: ResolvedQuery): CacheOptions => ({
  dataset: dataset.id,
  connectionVersion: database.version,
  timeoutSeconds: cacheTimeout,
  force: context.force === true,
  onlyCached,
  isInteractive,
  ...(notBefore !== undefined && { notBefore }),
})

/** Returns the result of one of the plans, from the cache where allowed. @throws AppError `not_cached` */
export const runPlan = (
  resolved: ResolvedQuery,
  queryPlan: Plan,
  signal: AbortSignal,
  run?: PlanExecutor,
): Promise<CachedRun> => runCached(queryPlan, resolved.deps, { ...toCacheOptions(resolved), signal }, run)

/** Result type of a query; defaults to that of the context. */
export const resultTypeOf = (context: QueryContext, query: QueryObject): ResultType =>
  resultTypes.find((type) => type === (query.result_type ?? context.result_type)) ?? 'full'

/** Tests whether the principal may read the SQL of queries, which names tables and columns that a dashboard does not show. */
export const canReadQueryText = ({ via, principal }: Pick<ResolvedQuery, 'via' | 'principal'>): boolean =>
  via === null || (principal.kind !== 'guest' && hasPermission(principal, ['can_view_query', 'Dashboard']))
