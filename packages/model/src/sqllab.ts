import Type, { type Static } from 'typebox'
import { openObject, body, nullish, OkBody, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Body of `sqllab/execute`. `json` and `expand_data` are accepted and ignored. */
export const ExecuteRequest = body({
  /** Scripts also send the digits as text; see `databaseIdOf`. */
  database_id: Type.Unsafe<number | string>({ type: ['integer', 'string'], pattern: '^\\d{1,15}$' }),
  sql: Type.String(),
  client_id: nullish(text(0, 11)),
  schema: nullish(text()),
  catalog: nullish(text()),
  queryLimit: nullish(Type.Integer()),
  sql_editor_id: nullish(text()),
  tab: nullish(text()),
  runAsync: nullish(Type.Boolean()),
  select_as_cta: nullish(Type.Boolean()),
  ctas_method: nullish(text()),
  tmp_table_name: nullish(text()),
  templateParams: nullish(text()),
  expand_data: nullish(Type.Boolean()),
  json: nullish(Type.Boolean()),
})
export type ExecuteBody = Static<typeof ExecuteRequest>
export type ExecuteRequest = Omit<ExecuteBody, 'database_id'> & { database_id: number }

export const readExecuteRequest = (sent: ExecuteBody): ExecuteRequest => ({
  ...sent,
  database_id: Number(sent.database_id),
})

/** The query as returned to clients. Times are milliseconds since 1970. */
export interface QueryView {
  id: string
  queryId: number
  serverId: number
  dbId: number
  db: string | null
  catalog: string | null
  schema: string | null
  sql: string
  executedSql: string | null
  sqlEditorId: string | null
  tab: string | null
  state: string
  progress: number
  rows: number | null
  limit: number | null
  limitingFactor: string
  ctas: boolean
  tempTable: string | null
  tempSchema: string | null
  resultsKey: string | null
  startDttm: number | null
  endDttm: number | null
  changedOn: string
  changed_on: string
  errorMessage: string | null
  trackingUrl: string | null
  userId: number
  user: string
  extra: Record<string, unknown>
}

export interface ResultColumn {
  name: string
  column_name: string
  type: string | null
  type_generic: 0 | 1 | 2 | 3
  is_dttm: boolean
}

/** The response without its rows. They follow as `data` in JSON, or as frame messages if the client accepts them. */
export interface ExecuteMetadata {
  query_id: number
  status: 'success'
  columns: ResultColumn[]
  selected_columns: ResultColumn[]
  expanded_columns: ResultColumn[]
  query: QueryView
  displayLimitReached?: true
}

/**
 * First message of a framed response, followed by the frames of the rows and `end`. A long result is streamed: its first head
 * contains only the columns, and a second head after the rows contains the outcome. If the query fails after its first rows, the
 * last message is `error` (`{ error, errors }`). The last `answer` counts.
 */
export interface ExecuteHead {
  type: 'answer'
  answer: ExecuteMetadata
}

/** 202 for a background run, 200 for an earlier run that is still in progress. */
export interface ExecutePending {
  query: QueryView
}

const execute = {
  method: 'POST',
  success: [200, 202],
  summary: 'Runs SQL and returns its last result, or the query if it runs in the background',
  body: ExecuteRequest,
  reply: Type.Unsafe<ExecuteMetadata | ExecutePending>(openObject({ query: openObject({}) })),
  can: ['can_execute_sql_query', 'SQLLab'],
  object: 'the database, or every table that the SQL reads',
  rate: 'query',
  audit: 'sqllab.execute',
  csrf: 'token',
  csrfFirst: true,
  errors: 'typed',
  fails: [
    'database_not_found',
    'conflict',
    'query_access',
    'dml_not_allowed',
    'invalid_ctas',
    'invalid_cvas',
    'unsupported',
    'unprocessable',
    'syntax_error',
    'query_failed',
    'query_timeout',
    'query_stopped',
    'result_too_large',
  ],
} as const

export const sqllabExecute = defineRoute({ ...execute, path: '/api/v1/sqllab/execute/' })
/** Address used by legacy clients. */
export const sqlJson = defineRoute({ ...execute, path: '/superset/sql_json/' })

const exported = {
  body: 'none',
  reply: 'bytes',
  can: ['can_export_csv', 'SQLLab'],
  object: 'the caller’s own queries, as long as the caller may read every table in them',
  rate: 'query',
  audit: 'sqllab.export',
  csrf: 'none',
  errors: 'typed',
  fails: ['bad_request', 'result_gone', 'query_access', 'result_too_large', 'query_failed', 'query_timeout'],
} as const

const fileParams = Type.Object({ client_id: Type.String() })

/** Parquetry extension: other formats, and rows beyond the limit of the run. */
export const fileFormats = ['csv', 'xlsx', 'parquet'] as const
export type FileFormat = (typeof fileFormats)[number]

export const sqllabExport = defineRoute({
  ...exported,
  method: 'GET',
  path: '/api/v1/sqllab/export/:client_id/',
  summary: 'Exports the result of a query as CSV, XLSX or Parquet; `rows=all` ignores the limit of the query',
  params: fileParams,
  query: Type.Object({
    format: Type.Optional(Type.String()),
    rows: Type.Optional(Type.String()),
  }),
})

/** Address used by legacy clients. */
export const stopQuery = defineRoute({
  method: 'POST',
  path: '/superset/stop_query/',
  summary: 'Stops a running query of the caller (form field `client_id`)',
  body: 'form',
  form: Type.Object({ client_id: Type.String() }),
  reply: openObject({ result: Type.String() }),
  can: ['can_read', 'Query'],
  object: 'the caller’s own queries only',
  rate: 'write',
  audit: 'query.stop',
  csrf: 'token',
  errors: 'legacy',
  fails: ['not_found'],
})

/** Address used by legacy clients. */
export const sqllabCsv = defineRoute({
  ...exported,
  method: 'GET',
  path: '/superset/csv/:client_id',
  summary: 'Exports the result of a query as CSV',
  params: fileParams,
})

export const sqllabExportStreaming = defineRoute({
  ...exported,
  method: 'POST',
  path: '/api/v1/sqllab/export_streaming/',
  summary: 'Streams the result of a query as CSV (form fields `client_id` and `filename`)',
  body: 'form',
  form: Type.Object({ client_id: Type.String(), filename: Type.Optional(Type.String()) }),
  csrf: 'token',
})

export const sqllabResults = defineRoute({
  method: 'GET',
  path: '/api/v1/sqllab/results/',
  summary: 'Returns the stored result of a query; `rows` limits the number of rows',
  rison: Type.Object({ key: Type.String() }),
  body: 'none',
  reply: 'bytes',
  can: ['can_get_results', 'SQLLab'],
  object: 'the caller’s own queries, as long as the caller may read every table in them',
  rate: 'read',
  audit: 'sqllab.results',
  csrf: 'none',
  errors: 'typed',
  fails: ['bad_request', 'gone', 'query_access'],
})

export const queryStop = defineRoute({
  method: 'POST',
  path: '/api/v1/query/stop',
  summary: 'Stops a running query of the caller',
  body: body({ client_id: Type.String() }),
  reply: OkBody,
  can: ['can_read', 'Query'],
  object: 'the caller’s own queries only',
  rate: 'write',
  audit: 'query.stop',
  csrf: 'token',
  errors: 'plain',
  fails: ['not_found'],
})
