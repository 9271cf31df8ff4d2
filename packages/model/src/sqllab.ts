import Type, { type Static } from 'typebox'
import { answer, body, maybe, Ok, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Body of `sqllab/execute`. `json` and `expand_data` are taken and change nothing. */
export const ExecuteRequest = body({
  database_id: Type.Integer(),
  sql: Type.String(),
  client_id: maybe(text(0, 11)),
  schema: maybe(text()),
  catalog: maybe(text()),
  queryLimit: maybe(Type.Integer()),
  sql_editor_id: maybe(text()),
  tab: maybe(text()),
  runAsync: maybe(Type.Boolean()),
  select_as_cta: maybe(Type.Boolean()),
  ctas_method: maybe(text()),
  tmp_table_name: maybe(text()),
  templateParams: maybe(text()),
  expand_data: maybe(Type.Boolean()),
  json: maybe(Type.Boolean()),
})
export type ExecuteRequest = Static<typeof ExecuteRequest>

/** The query as clients know it. Times are milliseconds since 1970. */
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

/** The answer without its rows; `data` follows it in JSON, frame messages follow it for a client that accepts them. */
export interface ExecuteAnswer {
  query_id: number
  status: 'success'
  columns: ResultColumn[]
  selected_columns: ResultColumn[]
  expanded_columns: ResultColumn[]
  query: QueryView
  displayLimitReached?: true
}

/** First message of a framed answer; the frames of the rows follow, then `done` or `error`. */
export interface ExecuteHead {
  type: 'answer'
  answer: ExecuteAnswer
}

export const sqllabExecute = defineRoute({
  method: 'POST',
  path: '/api/v1/sqllab/execute/',
  summary: 'Runs SQL and answers with its last result',
  body: ExecuteRequest,
  reply: answer({ query_id: Type.Integer(), status: Type.String() }),
  can: ['can_execute_sql_query', 'SQLLab'],
  object: 'the database, or every table that the text reads',
  rate: 'query',
  audit: 'sqllab.execute',
  csrf: 'token',
  csrfFirst: true,
  errors: 'typed',
  fails: [
    'query_access',
    'dml_not_allowed',
    'syntax_error',
    'query_failed',
    'query_timeout',
    'query_stopped',
    'result_too_large',
  ],
})

export const sqllabResults = defineRoute({
  method: 'GET',
  path: '/api/v1/sqllab/results/',
  summary: 'The kept answer of a run; `rows` cuts it',
  rison: Type.Object({ key: Type.String() }),
  body: 'none',
  reply: 'bytes',
  can: ['can_get_results', 'SQLLab'],
  object: 'own runs, as long as every table that they read may be read',
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
  reply: Ok,
  can: ['can_read', 'Query'],
  object: 'own queries only',
  rate: 'write',
  audit: 'query.stop',
  csrf: 'token',
  errors: 'plain',
  fails: ['not_found'],
})
