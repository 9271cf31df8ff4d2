import { AppError, type QueryObject } from '@parquetry/model'
import { checkMetricsExist, describeColumns, listTimeGrains } from '@parquetry/query'
import { engineFor } from '../connection/source.ts'
import { planContext } from '../dataset/plan-context.ts'
import { fetchAnnotationData } from './annotations.ts'
import { joinEntries, buildEntryShape, withData, type ResultEntry } from './envelope.ts'
import { prepareQuery } from './prepare-query.ts'
import { compilePlan, resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { runQuery } from './run-query.ts'

/** Returns `{"result":[...]}` of all queries in order; the first failure fails the whole call. */
export async function buildJsonResponse(question: ResolvedQuery, signal: AbortSignal): Promise<Buffer> {
  return joinEntries(await Promise.all(question.context.queries.map((query) => buildEntry(question, query, signal))))
}

async function buildEntry(question: ResolvedQuery, query: QueryObject, signal: AbortSignal): Promise<Buffer> {
  const type = resultTypeOf(question.context, query)
  checkMetricsExist(query, question.dataset)
  if (type === 'columns') return json({ data: describeColumns(question.dataset) })
  if (type === 'timegrains') return json({ data: listTimeGrains(engineFor(question.database).dialect) })
  if (type === 'query') return json(await compileQueryText(question, query, signal))
  const [{ run, ...said }, annotation_data] = await Promise.all([
    runQuery(question, query, { as: 'rows', times: 'ms' }, type, signal),
    type === 'results' ? {} : fetchAnnotationData(question, query, signal),
  ])
  const { header, body } = run
  const shape = buildEntryShape(header, question.dataset)
  if (type === 'results') {
    const { colnames, coltypes, rowcount, sql_rowcount } = shape
    return withData({ colnames, coltypes, rowcount, sql_rowcount }, body)
  }
  const entry: ResultEntry = {
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

/** Returns the SQL without running it. Errors of the query are returned with it instead of failing the call. */
export async function compileQueryText(
  given: ResolvedQuery,
  asked: QueryObject,
  signal: AbortSignal,
): Promise<{ query?: string; language: 'sql'; error?: string }> {
  try {
    const { question, query } = await prepareQuery(given, asked, signal)
    return {
      query: compilePlan(question, query, planContext(question, { as: 'rows', times: 'ms' }, 'query')).queryText,
      language: 'sql',
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith('Request is incorrect')) throw error
    return { error: error.message, language: 'sql' }
  }
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))
