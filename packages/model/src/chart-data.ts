import Type from 'typebox'
import { openObject, AnyObject, optional, nullish } from './fields.ts'
import { QueryContext } from './query-context.ts'
import { defineRoute } from './route.ts'

/** Response of one query: its rows or, depending on `result_type`, its SQL; `error` replaces SQL that cannot be generated. */
const QueryResult = openObject({
  data: optional(Type.Array(AnyObject)),
  colnames: optional(Type.Array(Type.String())),
  coltypes: optional(Type.Array(Type.Integer())),
  query: optional(Type.String()),
  /** Bounds of the time range, in milliseconds since 1970 UTC. */
  from_dttm: nullish(Type.Number()),
  to_dttm: nullish(Type.Number()),
  error: nullish(Type.String()),
})
const ChartDataReply = openObject({ result: Type.Array(QueryResult) })
export const chartDataFails = [
  'dataset_not_found',
  'dataset_access',
  'invalid_query',
  'query_failed',
  'query_timeout',
  'query_stopped',
  'result_too_large',
] as const

/**
 * The main data call of all clients. `readQueryContext` parses the body, including lenient spellings. With the header
 * `Cache-Control: only-if-cached` no database is queried, and the status is 204 when nothing is cached.
 */
export const chartData = defineRoute({
  method: 'POST',
  path: '/api/v1/chart/data',
  success: [200, 202, 204],
  summary: 'Runs the queries of a query context',
  body: Type.Unknown(),
  documentedBody: QueryContext,
  formField: 'form_data',
  reply: ChartDataReply,
  can: ['can_read', 'Chart'],
  object: 'the dataset of the query context, or the dashboard that shows the chart of its form data',
  rate: 'query',
  audit: 'ChartDataRestApi.data',
  csrf: 'same-origin',
  errors: 'plain',
  fails: chartDataFails,
})

export const chartDataById = defineRoute({
  method: 'GET',
  path: '/api/v1/chart/:id/data/',
  success: [200, 202, 204],
  summary: 'Runs the saved query context of a chart',
  params: Type.Object({ id: Type.Integer() }),
  query: Type.Object(
    { format: Type.Optional(Type.String()), type: Type.Optional(Type.String()), force: Type.Optional(Type.String()) },
    { additionalProperties: true },
  ),
  body: 'none',
  reply: ChartDataReply,
  can: ['can_read', 'Chart'],
  object: 'the chart, and its dataset',
  rate: 'query',
  audit: 'ChartDataRestApi.get_data',
  csrf: 'none',
  errors: 'plain',
  fails: [...chartDataFails, 'not_found', 'bad_request'],
})

/** Returns the result of a background query. */
export const chartDataByKey = defineRoute({
  method: 'GET',
  path: '/api/v1/chart/data/:cache_key',
  summary: 'Returns the result of a query context that ran in the background',
  params: Type.Object({ cache_key: Type.String() }),
  body: 'none',
  reply: ChartDataReply,
  can: ['can_read', 'Chart'],
  object: 'the dataset of the query context',
  rate: 'read',
  audit: 'ChartDataRestApi.data_from_cache',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_found'],
})
