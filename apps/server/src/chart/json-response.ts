import { AppError, type QueryObject } from '@parquetry/model'
import { checkMetricsExist, describeColumns, listTimeGrains } from '@parquetry/query'
import { engineFor } from '../connection/source.ts'
import { planContext } from '../dataset/plan-context.ts'
import { localizeError } from '../settings/messages.ts'
import { fetchAnnotationData } from './annotations.ts'
import { joinEntries, buildEntryShape, entryPieces, type ResultEntry } from './envelope.ts'
import { prepareQuery } from './prepare-query.ts'
import { canReadQueryText, compilePlan, resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { runQuery } from './run-query.ts'
import { authorizeViewerQuery } from './viewer-queries/authorize-viewer-query.ts'

/** Returns `{"result":[...]}` of all queries in order; the first failure fails the whole call. */
export async function buildJsonResponse(resolved: ResolvedQuery, signal: AbortSignal): Promise<Buffer> {
  return joinEntries(await Promise.all(resolved.context.queries.map((query) => buildEntry(resolved, query, signal))))
}

async function buildEntry(resolved: ResolvedQuery, query: QueryObject, signal: AbortSignal): Promise<Buffer[]> {
  const type = resultTypeOf(resolved.context, query)
  await authorizeViewerQuery(resolved, query, type)
  checkMetricsExist(query, resolved.dataset)
  if (type === 'columns') return json({ data: describeColumns(resolved.dataset) })
  if (type === 'timegrains') return json({ data: listTimeGrains(engineFor(resolved.database).dialect) })
  if (type === 'query') return json(await compileQueryText(resolved, query, signal))
  const [{ run, ...metadata }, annotation_data] = await Promise.all([
    runQuery(resolved, query, { as: 'rows', times: 'ms' }, type, signal),
    type === 'results' ? {} : fetchAnnotationData(resolved, query, signal),
  ])
  const { header, body } = run
  const shape = buildEntryShape(header, resolved.dataset)
  if (type === 'results') {
    const { colnames, coltypes, rowcount, sql_rowcount } = shape
    return entryPieces({ colnames, coltypes, rowcount, sql_rowcount }, body)
  }
  const entry: ResultEntry = {
    cache_key: run.key,
    cached_dttm: run.isCached ? run.cachedAt : null,
    cache_timeout: resolved.cacheTimeout,
    applied_template_filters: metadata.applied_template_filters,
    annotation_data,
    error: header.stepError === null ? null : '',
    is_cached: run.isCached ? true : null,
    query: canReadQueryText(resolved) ? metadata.queryText : '',
    status: header.stepError === null ? 'success' : 'failed',
    stacktrace: null,
    ...shape,
    from_dttm: metadata.from_dttm,
    to_dttm: metadata.to_dttm,
    result_format: resolved.context.result_format ?? 'json',
    applied_filters: header.stepError === null ? metadata.applied_filters : [],
    rejected_filters: header.stepError === null ? metadata.rejected_filters : [],
  }
  return entryPieces(entry, body)
}

/** Returns the SQL without running it, and the bounds of its time range if it has a start. Errors of the query are returned with it instead of failing the call. @throws AppError `forbidden` */
export async function compileQueryText(
  resolved: ResolvedQuery,
  requestedQuery: QueryObject,
  signal: AbortSignal,
): Promise<{ query?: string; language: 'sql'; error?: string; from_dttm?: number | null; to_dttm?: number | null }> {
  if (!canReadQueryText(resolved)) throw new AppError('forbidden')
  try {
    const { resolved: prepared, query } = await prepareQuery(resolved, requestedQuery, 'query', signal)
    const { queryText, from_dttm, to_dttm } = compilePlan(
      prepared,
      query,
      planContext(prepared, { as: 'rows', times: 'ms' }, 'query'),
    )
    // Without a start, the end is that of every query: today.
    return { query: queryText, language: 'sql', ...(from_dttm !== null && { from_dttm, to_dttm }) }
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith('Request is incorrect')) throw error
    return { error: localizeError(error, resolved.deps.settings).message, language: 'sql' }
  }
}

const json = (value: object): Buffer[] => [Buffer.from(JSON.stringify(value))]
