import {
  resultTypes,
  type Plan,
  type PlannerDataset,
  type QueryContext,
  type QueryObject,
  type ResultType,
  type Source,
} from '@parquetry/model'
import { plan, restrict, type PlanContext, type Planned, type RowRule } from '@parquetry/query'
import type { StoredDataset } from '../dataset/describe.ts'
import { runCached, type Asked, type CachedRun, type Run } from '../cache/run-cached.ts'
import type { DatabaseRow } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from './deps.ts'
import type { PlannedQuery } from './run-query.ts'

/** A query context whose rights are checked, with everything that its queries need. */
export interface Question {
  context: QueryContext
  dataset: PlannerDataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  principal: Principal
  rowRules: RowRule[]
  /** Seconds that an answer may be kept. */
  cacheTimeout: number
  /** No database is asked for what is not kept. */
  onlyCached?: boolean
  /** Pages of it are in no order, as those of the API's samples. */
  asFound?: boolean
  /** Is told what each of its queries was answered by. */
  answeredBy?: { planned: PlannedQuery; run: CachedRun }[]
  deps: ChartDeps
}

/** The plan of one of the question's queries. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export const planOf = ({ dataset, rowRules }: Question, query: QueryObject, context: PlanContext): Planned =>
  plan(restrict(query, dataset, { rowRules }), dataset, context)

/** How the answers to the question's plans are kept. */
export const askedOf = ({ database, dataset, cacheTimeout, context, onlyCached = false }: Question): Asked => ({
  dataset: dataset.id,
  connectionVersion: database.version,
  timeoutSeconds: cacheTimeout,
  force: context.force === true,
  onlyCached,
})

/** The answer to one of the question's plans, from the cache where it may come from there. @throws AppError `not_cached` */
export const runPlan = (question: Question, asked: Plan, signal: AbortSignal, run?: Run): Promise<CachedRun> =>
  runCached(asked, question.deps, { ...askedOf(question), signal }, run)

/** A query's own result type, else the context's. */
export const resultTypeOf = (context: QueryContext, query: QueryObject): ResultType =>
  resultTypes.find((type) => type === (query.result_type ?? context.result_type)) ?? 'full'
