import {
  resultTypes,
  type Plan,
  type PlannerDataset,
  type QueryContext,
  type QueryObject,
  type ResultType,
  type Source,
} from '@parquetry/model'
import { plan, restrict, type PlanContext, type QueryPlan, type RowLevelSecurityRule } from '@parquetry/query'
import type { StoredDataset } from '../dataset/stored-dataset.ts'
import { runCached, type CacheOptions, type CachedRun, type PlanExecutor } from '../cache/run-cached.ts'
import type { DatabaseRow } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from './deps.ts'
import type { PlannedQuery } from './run-query.ts'

/** A query context whose rights are checked, with everything that its queries need. */
export interface ResolvedQuery {
  context: QueryContext
  dataset: PlannerDataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  principal: Principal
  rlsRules: RowLevelSecurityRule[]
  /** Seconds that an answer may be kept. */
  cacheTimeout: number
  /** No database is asked for what is not kept. */
  onlyCached?: boolean
  /** Pages of it are in no order, as those of the API's samples. */
  asFound?: boolean
  /** Is told what each of its queries was answered by. */
  recordedRuns?: { planned: PlannedQuery; run: CachedRun }[]
  deps: ChartDeps
}

/** The plan of one of the question's queries. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export const compilePlan = (
  { dataset, rlsRules }: ResolvedQuery,
  query: QueryObject,
  context: PlanContext,
): QueryPlan => plan(restrict(query, dataset, { rlsRules }), dataset, context)

/** How the answers to the question's plans are kept. */
export const toCacheOptions = ({
  database,
  dataset,
  cacheTimeout,
  context,
  onlyCached = false,
}: ResolvedQuery): CacheOptions => ({
  dataset: dataset.id,
  connectionVersion: database.version,
  timeoutSeconds: cacheTimeout,
  force: context.force === true,
  onlyCached,
})

/** The answer to one of the question's plans, from the cache where it may come from there. @throws AppError `not_cached` */
export const runPlan = (
  question: ResolvedQuery,
  asked: Plan,
  signal: AbortSignal,
  run?: PlanExecutor,
): Promise<CachedRun> => runCached(asked, question.deps, { ...toCacheOptions(question), signal }, run)

/** A query's own result type, else the context's. */
export const resultTypeOf = (context: QueryContext, query: QueryObject): ResultType =>
  resultTypes.find((type) => type === (query.result_type ?? context.result_type)) ?? 'full'
