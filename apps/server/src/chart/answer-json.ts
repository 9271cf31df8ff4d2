import { AppError, type QueryObject } from '@parquetry/model'
import { checkMetricsExist, describeColumns, timeGrains } from '@parquetry/query'
import { engineFor } from '../connection/source.ts'
import { planContext } from '../dataset/plan-context.ts'
import { annotationData } from './annotations.ts'
import { resultOf, shapeOf, withData, type Entry } from './envelope.ts'
import { prepareQuestion } from './prepare-question.ts'
import { planOf, resultTypeOf, type Question } from './question.ts'
import { runQuery } from './run-query.ts'

/** `{"result":[...]}` of all queries, in their order; the first failure fails the whole call. */
export async function answerJson(question: Question, signal: AbortSignal): Promise<Buffer> {
  return resultOf(await Promise.all(question.context.queries.map((query) => entryOf(question, query, signal))))
}

async function entryOf(question: Question, query: QueryObject, signal: AbortSignal): Promise<Buffer> {
  const type = resultTypeOf(question.context, query)
  checkMetricsExist(query, question.dataset)
  if (type === 'columns') return json({ data: describeColumns(question.dataset) })
  if (type === 'timegrains') return json({ data: timeGrains(engineFor(question.database).dialect) })
  if (type === 'query') return json(await queryText(question, query, signal))
  const [{ run, ...said }, annotation_data] = await Promise.all([
    runQuery(question, query, { as: 'rows', times: 'ms' }, type, signal),
    type === 'results' ? {} : annotationData(question, query, signal),
  ])
  const { header, body } = run
  const shape = shapeOf(header, question.dataset)
  if (type === 'results') {
    const { colnames, coltypes, rowcount, sql_rowcount } = shape
    return withData({ colnames, coltypes, rowcount, sql_rowcount }, body)
  }
  const entry: Entry = {
    cache_key: run.key,
    cached_dttm: run.isCached ? run.cachedAt : null,
    cache_timeout: question.cacheTimeout,
    applied_template_filters: said.applied_template_filters,
    annotation_data,
    error: header.stepError === null ? null : '',
    is_cached: run.isCached ? true : null,
    query: said.queryText,
    status: header.stepError === null ? 'success' : 'failed',
    stacktrace: null,
    ...shape,
    from_dttm: said.from_dttm,
    to_dttm: said.to_dttm,
    result_format: question.context.result_format ?? 'json',
    applied_filters: header.stepError === null ? said.applied_filters : [],
    rejected_filters: header.stepError === null ? said.rejected_filters : [],
  }
  return withData(entry, body)
}

/** The SQL without running it; what is wrong with the question stands beside it instead of failing the call. */
export async function queryText(
  given: Question,
  asked: QueryObject,
  signal: AbortSignal,
): Promise<{ query?: string; language: 'sql'; error?: string }> {
  try {
    const { question, query } = await prepareQuestion(given, asked, signal)
    return {
      query: planOf(question, query, planContext(question, { as: 'rows', times: 'ms' }, 'query')).queryText,
      language: 'sql',
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith('Request is incorrect')) throw error
    return { error: error.message, language: 'sql' }
  }
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))
