import { AppError, message, type Encoding, type QueryObject, type ResultType } from '@parquetry/model'
import type { QueryPlan } from '@parquetry/query'
import type { CachedRun, PlanExecutor } from '../cache/run-cached.ts'
import type { RunStream } from '../runners/runners.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { planContext } from '../dataset/plan-context.ts'
import { toChartError } from './chart-error.ts'
import { probeExpressions } from './probe-expressions.ts'
import { prepareQuery } from './prepare-query.ts'
import { compilePlan, runPlan, type PreparedQuery, type ResolvedQuery } from './resolved-query.ts'

/** One query, ready to run. */
export interface PlannedQuery extends QueryPlan {
  /** Columns whose filters were read by a template. */
  applied_template_filters: string[]
  /** Dataset and rules it was planned with, after all checks. */
  prepared: PreparedQuery
  /** Plans the query for another time. */
  planAt(now: Date): QueryPlan
}

export interface QueryRun extends Omit<PlannedQuery, 'plan' | 'prepared' | 'plannedAt'> {
  run: CachedRun
}

/** Plans one query and runs it, from the cache or by a runner. */
export async function runQuery(
  resolved: ResolvedQuery,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<QueryRun> {
  return runPlannedQuery(resolved, await planQuery(resolved, query, encode, resultType, signal), signal)
}

/** @param execute  runs a plan that is not cached; defaults to a runner */
export async function runPlannedQuery(
  resolved: ResolvedQuery,
  planned: PlannedQuery,
  signal: AbortSignal,
  execute?: PlanExecutor,
): Promise<QueryRun> {
  const run = await runPlan(resolved, planned.plan, signal, execute).catch((error: unknown) => {
    throw toChartError(error, resolved)
  })
  resolved.recordedRuns?.push({ planned, run })
  return { ...planned, run }
}

/** Streams the rows of one query for downloads. They bypass the cache, because they may exceed its limits. */
export async function streamQuery(
  resolved: ResolvedQuery,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<RunStream> {
  const { plan } = await planQuery(resolved, query, encode, resultType, signal)
  return resolved.deps.runners.stream(plan, signal).catch((error: unknown) => {
    throw toChartError(error, resolved)
  })
}

/**
 * One call may plan a hundred queries (parts of a chart, layers, charts of a dashboard), which must not block the event loop
 * together.
 */
const planYielder = new EventLoopYielder()

/** Same limit as for a query in a request; layers and dashboards add more filters to it. */
const maxFilters = 1000

function checkFilters({ filters }: QueryObject): void {
  if (filters && filters.length > maxFilters)
    throw new AppError('invalid_query', {
      message: message('errors.chart.tooManyFilters', 'A query can have up to {max, number} filters.', {
        max: maxFilters,
      }),
      status: 400,
    })
}

/** Renders templates, runs all checks and learns the types of expressions from the database; reads no rows. */
export async function planQuery(
  resolved: ResolvedQuery,
  requestedQuery: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<PlannedQuery> {
  checkFilters(requestedQuery)
  await planYielder.yieldIfDue()
  const {
    resolved: prepared,
    query,
    applied_template_filters,
  } = await prepareQuery(resolved, requestedQuery, resultType, signal)
  const context = planContext(prepared, encode, resultType)
  const expressions = await probeExpressions(prepared, query, context, signal)
  await planYielder.yieldIfDue()
  return {
    ...compilePlan(prepared, query, { ...context, expressions }),
    applied_template_filters,
    prepared,
    planAt(now) {
      const shifted = { ...prepared, deps: { ...prepared.deps, now: () => now } }
      return compilePlan(shifted, query, { ...planContext(shifted, encode, resultType), expressions })
    },
  }
}
