import { AppError, message, type Encoding, type QueryObject, type ResultType } from '@parquetry/model'
import type { Planned } from '@parquetry/query'
import type { CachedRun, Run } from '../cache/run-cached.ts'
import type { RunStream } from '../runners/runners.ts'
import { Rests } from '../concurrency/rests.ts'
import { planContext } from '../dataset/plan-context.ts'
import { asAnswered } from './as-answered.ts'
import { askExpressions } from './ask-expressions.ts'
import { prepareQuestion } from './prepare-question.ts'
import { planOf, runPlan, type Question } from './question.ts'

/** One query of a question, ready to be asked. */
export interface PlannedQuery extends Planned {
  /** Columns whose filters a template read. */
  applied_template_filters: string[]
  /** What it was planned on, once everything was judged. */
  prepared: Pick<Question, 'dataset' | 'rowRules'>
  /** The same with the clock at another instant. */
  plannedAt(now: Date): Planned
}

export interface QueryRun extends Omit<PlannedQuery, 'plan' | 'prepared' | 'plannedAt'> {
  run: CachedRun
}

/** One query of a question: planned, and answered from the cache or by a runner. */
export async function runQuery(
  question: Question,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<QueryRun> {
  return runPlanned(question, await planQuery(question, query, encode, resultType, signal), signal)
}

/** @param how  an answer that is not kept is made; else a runner is asked */
export async function runPlanned(
  question: Question,
  planned: PlannedQuery,
  signal: AbortSignal,
  how?: Run,
): Promise<QueryRun> {
  const run = await runPlan(question, planned.plan, signal, how).catch((error: unknown) => {
    throw asAnswered(error, question)
  })
  question.answeredBy?.push({ planned, run })
  return { ...planned, run }
}

/** The rows of one query as they come, for downloads: asked anew and not kept, since they may be larger than what is. */
export async function streamQuery(
  question: Question,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<RunStream> {
  const { plan } = await planQuery(question, query, encode, resultType, signal)
  return question.deps.runners.stream(plan, signal).catch((error: unknown) => {
    throw asAnswered(error, question)
  })
}

/** One call may plan a hundred questions: parts of a chart, layers, charts of a dashboard. Together they do not hold the loop. */
const plans = new Rests()

/** As many as a call may give a query; layers and dashboards lay more over it. */
const mostFilters = 1000

function checkFilters({ filters }: QueryObject): void {
  if (filters && filters.length > mostFilters)
    throw new AppError('invalid_query', {
      message: message('errors.chart.tooManyFilters', 'A query can have up to {max, number} filters.', {
        max: mostFilters,
      }),
      status: 400,
    })
}

/** Templates, judges and what the database says of expressions; nothing is asked of its rows. */
export async function planQuery(
  given: Question,
  asked: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<PlannedQuery> {
  checkFilters(asked)
  await plans.rest()
  const { question, query, applied_template_filters } = await prepareQuestion(given, asked, signal)
  const context = planContext(question, encode, resultType)
  const expressions = await askExpressions(question, query, context, signal)
  await plans.rest()
  return {
    ...planOf(question, query, { ...context, expressions }),
    applied_template_filters,
    prepared: question,
    plannedAt(now) {
      const then = { ...question, deps: { ...question.deps, now: () => now } }
      return planOf(then, query, { ...planContext(then, encode, resultType), expressions })
    },
  }
}
