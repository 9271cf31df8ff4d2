import { AppError, type Encoding, type QueryObject, type ResultType } from '@parquetry/model'
import type { Planned } from '@parquetry/query'
import type { CachedRun } from '../cache/run-cached.ts'
import type { RunStream } from '../runners/runners.ts'
import type { RenderedQuestion } from './render-question.ts'
import { planContext } from '../dataset/plan-context.ts'
import { askExpressions } from './ask-expressions.ts'
import { prepareQuestion } from './prepare-question.ts'
import { planOf, runPlan, type Question } from './question.ts'

export interface QueryRun extends Omit<Planned, 'plan'> {
  /** Columns whose filters a template read. */
  applied_template_filters: string[]
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
  const { plan, ...said } = await plannedQuery(question, query, encode, resultType, signal)
  const run = await runPlan(question, plan, signal).catch((error: unknown) => {
    throw asAnswered(error)
  })
  return { ...said, run }
}

/** The rows of one query as they come, for downloads: asked anew and not kept, since they may be larger than what is. */
export async function streamQuery(
  question: Question,
  query: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<RunStream> {
  const { plan } = await plannedQuery(question, query, encode, resultType, signal)
  return question.deps.runners.stream(plan, signal).catch((error: unknown) => {
    throw asAnswered(error)
  })
}

async function plannedQuery(
  given: Question,
  asked: QueryObject,
  encode: Encoding,
  resultType: ResultType,
  signal: AbortSignal,
): Promise<Planned & Pick<RenderedQuestion, 'applied_template_filters'>> {
  const { question, query, applied_template_filters } = await prepareQuestion(given, asked, signal)
  const context = planContext(question, encode, resultType)
  const expressions = await askExpressions(question, query, context, signal)
  return { ...planOf(question, query, { ...context, expressions }), applied_template_filters }
}

/** The API puts "Error: " before what a database says of a chart's query; the status is 400 whatever it was. */
function asAnswered(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === 'query_stopped' || error.code === 'query_timeout') return error
  const isDatabases = [
    'query_failed',
    'syntax_error',
    'column_missing',
    'table_missing',
    'schema_missing',
    'sql_not_allowed',
  ].includes(error.code)
  return isDatabases
    ? new AppError(error.code, {
        message: `Error: ${error.message}`,
        details: error.details,
        status: 400,
        cause: error,
      })
    : error
}
