import { AppError, type QueryContext, type QueryObject } from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import { buildJsonResponse } from '../chart/json-response.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { runQuery } from '../chart/run-query.ts'
import type { Principal } from '../access/principal.ts'

export interface SamplesQuery {
  datasource_type?: string
  datasource_id?: string
  force?: string
  page?: number
  per_page?: number
}

const fieldError = (field: string, text: string): AppError =>
  new AppError('bad_request', { message: `{'${field}': ['${text}']}` })

/** Page number and size; unless both are given, the first page with the maximum number of samples. */
function readPage({ page, per_page }: SamplesQuery, max: number): { page: number; perPage: number } {
  if (page !== undefined && page < 1) throw fieldError('page', 'Must be greater than or equal to 1.')
  if (per_page !== undefined && (per_page < 1 || per_page > max))
    throw fieldError('per_page', `Must be greater than or equal to 1 and less than or equal to ${max}.`)
  return page === undefined || per_page === undefined ? { page: 1, perPage: max } : { page, perPage: per_page }
}

/**
 * `POST /datasource/samples`: one entry of chart data with unaggregated rows, and the total number of rows.
 * @param body  filters of the chart that was drilled into; empty for plain samples
 */
export async function fetchSamples(
  deps: ChartDeps,
  principal: Principal,
  query: SamplesQuery,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Buffer> {
  if (query.datasource_id === undefined) throw fieldError('datasource_id', 'Missing data for required field.')
  if (query.datasource_type === undefined) throw fieldError('datasource_type', 'Missing data for required field.')
  const { page, perPage } = readPage(query, deps.settings.config.SAMPLES_ROW_LIMIT)
  const { filters, granularity, time_range, extras } = body
  const commonFields = { filters, granularity, time_range, extras }
  const isDrill = Object.keys(body).length > 0
  const context: QueryContext = readQueryContext({
    datasource: { id: query.datasource_id, type: query.datasource_type },
    force: query.force === 'true',
    result_type: isDrill ? 'drill_detail' : 'samples',
    result_format: 'json',
    queries: [
      { ...commonFields, row_limit: perPage, row_offset: (page - 1) * perPage },
      { ...commonFields, columns: [], metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }] },
    ],
  })
  const resolved = { ...(await resolveQuery(context, deps, principal)), asFound: true }
  const [rowsQuery, countQuery] = context.queries as [QueryObject, QueryObject]
  const [response, { run }] = await Promise.all([
    buildJsonResponse({ ...resolved, context: { ...context, queries: [rowsQuery] } }, signal),
    runQuery(resolved, countQuery, { as: 'rows', times: 'ms' }, 'results', signal),
  ])
  const [{ n: total_count = 0 } = {}] = JSON.parse(run.body.toString()) as { n?: number }[]
  const entry = response.subarray(response.indexOf('[') + 1, response.length - ']}'.length)
  const more = JSON.stringify({ page, per_page: perPage, total_count }).slice(1)
  return Buffer.concat([Buffer.from('{"result":'), entry.subarray(0, -1), Buffer.from(`,${more}}`)])
}
