import {
  defaultLimits,
  resultTypes,
  type Dataset,
  type Encoding,
  type Plan,
  type QueryContext,
  type QueryObject,
  type ResultType,
  type Source,
} from '@parquetry/model'
import { localIso, plan, restrict, type PlanContext, type Planned, type RowRule } from '@parquetry/query'
import type { StoredDataset } from '../dataset/describe.ts'
import { runCached, type CachedRun } from '../cache/run-cached.ts'
import { engineFor, type DatabaseRow } from '../database/source.ts'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'

/** A query context whose rights are checked, with everything that its queries need. */
export interface Question {
  context: QueryContext
  dataset: Dataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  principal: Principal
  rowRules: RowRule[]
  /** Seconds that an answer may be kept. */
  cacheTimeout: number
  deps: Deps
}

/** The plan of one of the question's queries. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export const planOf = ({ dataset, rowRules }: Question, query: QueryObject, context: PlanContext): Planned =>
  plan(restrict(query, dataset, { rowRules }), dataset, context)

/** The answer to one of the question's plans, from the cache where it may come from there. */
export const runPlan = (
  { deps, database, cacheTimeout, context }: Question,
  asked: Plan,
  signal: AbortSignal,
): Promise<CachedRun> =>
  runCached(asked, deps, {
    connectionVersion: database.version,
    timeoutSeconds: cacheTimeout,
    force: context.force === true,
    signal,
  })

/** What planning needs besides the query: where and when it runs, how it is encoded, and within which limits. */
export function planContext(
  { source, database, deps, context: { form_data } }: Pick<Question, 'source' | 'database' | 'deps' | 'context'>,
  encode: Encoding,
  resultType: ResultType,
): PlanContext {
  const { config, flags, timeZone } = deps.settings
  return {
    now: localIso(deps.now().getTime(), timeZone),
    source,
    encode,
    limits: { ...defaultLimits, timeoutMs: config.SUPERSET_WEBSERVER_TIMEOUT * 1000 },
    dialect: engineFor(database).dialect,
    settings: {
      ROW_LIMIT: config.ROW_LIMIT,
      SQL_MAX_ROW: config.SQL_MAX_ROW,
      SAMPLES_ROW_LIMIT: config.SAMPLES_ROW_LIMIT,
      ALLOW_ADHOC_SUBQUERY: flags['ALLOW_ADHOC_SUBQUERY'] === true,
    },
    resultType,
    form: form_data ?? null,
  }
}

/** A query's own result type, else the context's. */
export const resultTypeOf = (context: QueryContext, query: QueryObject): ResultType =>
  resultTypes.find((type) => type === (query.result_type ?? context.result_type)) ?? 'full'
