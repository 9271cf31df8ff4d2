import type { LayeredType } from '@parquetry/charts/legacy'
import { AppError, databaseMessageCodes } from '@parquetry/model'
import { readForm, type ChartForm } from '@parquetry/charts'
import { fetchAnnotations, fetchAnnotationData } from '../chart/annotations.ts'
import { buildEntryShape, withData } from '../chart/envelope.ts'
import { canReadQueryText } from '../chart/resolved-query.ts'
import type { QueryRun } from '../chart/run-query.ts'
import { runQuery } from '../chart/run-query.ts'
import { typedError } from '../http/errors.ts'
import { errorTranslator } from '../settings/messages.ts'
import { toResponseForm } from './legacy-form.ts'
import type { ResolvedLegacyQuery, LegacyQueryPart } from './legacy-query.ts'

/** Response without `data`, in the field order of the API. */
interface Payload {
  cache_key: string | null
  cached_dttm: string | null
  cache_timeout: number
  errors: object[]
  form_data: ChartForm
  is_cached: boolean
  query: string
  from_dttm: number | null
  to_dttm: number | null
  status: 'success' | 'failed'
  stacktrace: null
  rowcount: number
  colnames: (string | readonly unknown[])[] | null
  coltypes: number[] | null
  applied_filters: { column: string }[]
  rejected_filters: { column: string; reason: string }[]
  annotation_data?: Record<string, unknown>
}

export interface LegacyResponse {
  status: 200 | 400
  body: Buffer
}

/** Query errors that are reported in the response body; all others fail the request. */
const isReportedError = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.code !== 'query_timeout' && error.code !== 'query_stopped'

/** Response of the legacy route for a form; reported errors are responses with status 400. */
export async function runLegacyQuery(resolved: ResolvedLegacyQuery, signal: AbortSignal): Promise<LegacyResponse> {
  try {
    return { status: 200, body: await computeBody(resolved, signal) }
  } catch (error) {
    if (!isReportedError(error)) throw error
    return {
      status: 400,
      body: Buffer.from(
        JSON.stringify({ ...emptyPayload(resolved), status: 'failed', errors: [formatErrorEntry(error, resolved)] }),
      ),
    }
  }
}

const emptyPayload = ({ resolvedQuery, form }: ResolvedLegacyQuery): Payload => ({
  cache_key: null,
  cached_dttm: null,
  cache_timeout: resolvedQuery.cacheTimeout,
  errors: [],
  form_data: toResponseForm(form),
  is_cached: false,
  query: '',
  from_dttm: null,
  to_dttm: null,
  status: 'success',
  stacktrace: null,
  rowcount: 0,
  colnames: null,
  coltypes: null,
  applied_filters: [],
  rejected_filters: [],
})

/** Database errors keep their own type; all other query errors have the same type. */
function formatErrorEntry(error: AppError, { resolvedQuery }: ResolvedLegacyQuery): object {
  const entry = typedError(error, errorTranslator(resolvedQuery.deps.settings))
  const message = entry.message.replace(/^Error: /, '').replace(/^(Columns missing in) dataset/, '$1 datasource')
  return databaseMessageCodes.has(error.code)
    ? { ...entry, message }
    : { message, error_type: 'VIZ_GET_DF_ERROR', level: 'error', extra: null }
}

async function computeBody(resolved: ResolvedLegacyQuery, signal: AbortSignal): Promise<Buffer> {
  const { resolvedQuery, type, parts } = resolved
  const [first] = parts
  if ('dataFromLayers' in type) return computeLayersBody(resolved, type, signal)
  const run = ({ query, encode }: LegacyQueryPart) => runQuery(resolvedQuery, query, encode, 'full', signal)
  if (parts.length === 1 && first?.name === null) {
    const [result, annotation_data] = await Promise.all([
      run(first),
      fetchAnnotationData(resolvedQuery, first.query, signal),
    ])
    const hasLayers = Object.keys(annotation_data).length > 0
    return withData({ ...buildPayload(resolved, result), ...(hasLayers && { annotation_data }) }, result.run.body)
  }
  const runs = await Promise.all(parts.map(async (part) => ({ name: part.name ?? '', ...(await run(part)) })))
  const query = canReadQueryText(resolvedQuery) ? runs.map(({ queryText }) => queryText).join('\n\n') : ''
  return withData({ ...emptyPayload(resolved), query }, joinParts(runs))
}

/**
 * Data of a type that overlays other charts. The charts are annotation layers of the query, so they are fetched like annotations;
 * errors of single charts are listed in `errors`.
 */
async function computeLayersBody(
  resolved: ResolvedLegacyQuery,
  type: LayeredType,
  signal: AbortSignal,
): Promise<Buffer> {
  const { resolvedQuery, form, parts } = resolved
  const { data = {}, errors = {} } = (await fetchAnnotations(resolvedQuery, parts[0]!.query, signal)) ?? {}
  const errorEntries = Object.values(errors).map((message) => ({
    message,
    error_type: 'VIZ_GET_DF_ERROR',
    level: 'error',
    extra: null,
  }))
  const json = JSON.stringify(type.dataFromLayers(data, readForm(form)))
  return withData({ ...emptyPayload(resolved), errors: errorEntries }, Buffer.from(json))
}

/** Builds `{"name":part,...}` from serialized parts. */
function joinParts(runs: readonly { name: string; run: { body: Buffer } }[]): Buffer {
  const pieces = runs.flatMap(({ name, run }, index) => [
    Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`),
    run.body,
  ])
  return Buffer.concat([Buffer.from('{'), ...pieces, Buffer.from('}')])
}

function buildPayload(resolved: ResolvedLegacyQuery, { run, queryText, ...metadata }: QueryRun): Payload {
  const { rowcount, colnames, coltypes } = buildEntryShape(run.header, resolved.resolvedQuery.dataset)
  return {
    ...emptyPayload(resolved),
    cache_key: run.key,
    cached_dttm: run.isCached ? run.cachedAt : null,
    is_cached: run.isCached,
    query: canReadQueryText(resolved.resolvedQuery) ? queryText : '',
    from_dttm: metadata.from_dttm,
    to_dttm: metadata.to_dttm,
    rowcount,
    colnames: rowcount === 0 ? [] : colnames,
    coltypes,
    applied_filters: metadata.applied_filters,
    rejected_filters: metadata.rejected_filters,
  }
}
