import { AppError, message, type Encoding, type QueryObject, type ResultType } from '@parquetry/model'
import type { QueryPlan } from '@parquetry/query'
import type { CachedRun, PlanExecutor } from '../cache/run-cached.ts'
import type { RunStream } from '../runners/runners.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { planContext } from '../dataset/plan-context.ts'
import { toChartError } from './chart-error.ts'
import { probeExpressions } from './probe-expressions.ts'
import { prepareQuery } from './prepare-query.ts'
import { compilePlan, runPlan, type ResolvedQuery } from './resolved-query.ts'

/** One query of a question, ready to be asked. */
export interface PlannedQuery extends QueryPlan {
  /** Columns whose filters a template read. */
  applied_template_filters: string[]
  /** What it was planned on, once everything was judged. */
  prepared: Pick<ResolvedQuery, 'dataset' | 'rlsRules'>
  /** The same with the clock at another instant. */
  planAt(now: Date): QueryPlan
}

export interface QueryRun extends Omit<PlannedQuery, 'plan' | 'prepared' | 'plannedAt'> {
  run: CachedRun
}

/** One query of a question: planned, and answered from the cache or by a runner. */
export async function runQuery(
  question: ResolvedQuery,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<QueryRun> {
  return runPlannedQuery(question, await planQuery(question, query, encode, resultType, signal), signal)
}

/** @param how  an answer that is not kept is made; else a runner is asked */
export async function runPlannedQuery(
  question: ResolvedQuery,
  planned: PlannedQuery,
  signal: AbortSignal,
  how?: PlanExecutor,
): Promise<QueryRun> {
  const run = await runPlan(question, planned.plan, signal, how).catch((error: unknown) => {
    throw toChartError(error, question)
  })
  question.recordedRuns?.push({ planned, run })
  return { ...planned, run }
}

/** The rows of one query as they come, for downloads: asked anew and not kept, since they may be larger than what is. */
export async function streamQuery(
  question: ResolvedQuery,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<RunStream> {
  const { plan } = await planQuery(question, query, encode, resultType, signal)
  return question.deps.runners.stream(plan, signal).catch((error: unknown) => {
    throw toChartError(error, question)
  })
}

/** One call may plan a hundred questions: parts of a chart, layers, charts of a dashboard. Together they do not hold the loop. */
const planYielder = new EventLoopYielder()

/** As many as a call may give a query; layers and dashboards lay more over it. */
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

/** Templates, judges and what the database says of expressions; nothing is asked of its rows. */
export async function planQuery(
  given: ResolvedQuery,
  asked: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<PlannedQuery> {
  checkFilters(asked)
  await planYielder.yieldIfDue()
  const { question, query, applied_template_filters } = await prepareQuery(given, asked, signal)
  const context = planContext(question, encode, resultType)
  const expressions = await probeExpressions(question, query, context, signal)
  await planYielder.yieldIfDue()
  return {
    ...compilePlan(question, query, { ...context, expressions }),
    applied_template_filters,
    prepared: question,
    planAt(now) {
      const then = { ...question, deps: { ...question.deps, now: () => now } }
      return compilePlan(then, query, { ...planContext(then, encode, resultType), expressions })
    },
  }
}
