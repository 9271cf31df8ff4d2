import Type, { type Static } from 'typebox'
import { openObject, body, nullish, text } from './fields.ts'
import { defineRoute } from './route.ts'
import type { QueryView } from './sqllab.ts'
import type { TabStateView } from './tab-state.ts'
import { jsonField } from './form.ts'

/** A database in the initial data of SQL Lab. */
export interface EditorDatabase {
  id: number
  database_name: string
  backend: string
  allow_ctas: boolean
  allow_cvas: boolean
  allow_dml: boolean
  allow_file_upload: boolean
  allow_run_async: boolean
  allows_subquery: boolean
  /** Parquetry extension: the engine can estimate costs, and an administrator has enabled it. */
  allows_cost_estimate: boolean
  expose_in_sqllab: boolean
  force_ctas_schema: string | null
  disable_data_preview: boolean
  disable_drill_to_detail: boolean
  allow_multi_catalog: boolean
}

/** Initial data of SQL Lab. Without SQLLAB_BACKEND_PERSISTENCE it contains no tabs and no queries. */
export interface SqllabBootstrap {
  /** `clientKey` is present for a tab that was created with one. */
  tab_state_ids: { id: number; label: string | null; clientKey?: string }[]
  /** The active tab, else the last one; other tabs are loaded when they are opened. */
  active_tab: TabStateView | null
  databases: Record<string, EditorDatabase>
  /** The newest queries of the tabs, by client id. */
  queries: Record<string, QueryView>
}

/**
 * Content of a form posted to the SQL Lab page (SQL-021), in the page's boot data as `common.requested_query`. The key is
 * `<id>__<type>` of a dataset.
 */
export interface RequestedQuery {
  datasourceKey?: string
  sql?: string
  [key: string]: unknown
}

export const SqllabPermalink = body({
  dbId: Type.Integer(),
  name: text(1, 256),
  sql: Type.String(),
  catalog: nullish(text(0, 256)),
  schema: nullish(text(0, 256)),
  autorun: nullish(Type.Boolean()),
  templateParams: nullish(Type.String()),
})
export type SqllabPermalink = Static<typeof SqllabPermalink>

export const FormatSql = body({
  sql: Type.String(),
  engine: nullish(text()),
  database_id: nullish(Type.Integer()),
  catalog: nullish(text()),
  schema: nullish(text()),
  template_params: nullish(Type.String()),
})
export type FormatSql = Static<typeof FormatSql>

export const EstimateRequest = body({
  database_id: Type.Integer(),
  sql: Type.String(),
  catalog: nullish(text()),
  schema: nullish(text()),
  template_params: nullish(Type.Record(Type.String(), Type.Unknown())),
})
export type EstimateRequest = Static<typeof EstimateRequest>

const Costs = Type.Array(Type.Record(Type.String(), Type.String()))
const estimate = {
  method: 'POST',
  can: ['can_estimate_query_cost', 'SQLLab'],
  object: 'the database, and every table that the SQL reads',
  rate: 'query',
  audit: 'sqllab.estimate',
  csrf: 'token',
} as const
const estimateFails = [
  'not_found',
  'gone',
  'unsupported',
  'query_access',
  'syntax_error',
  'query_timeout',
  'query_failed',
] as const

/** Allows a text of one megabyte as JSON. */
const bodyLimit = 4 << 20

const EstimateForm = Type.Object({
  sql: jsonField(Type.String()),
  templateParams: Type.Optional(jsonField(Type.Object({}, { additionalProperties: true }))),
})

/** Calls of SQL Lab besides running SQL. */
export const sqllabTools = {
  bootstrap: defineRoute({
    method: 'GET',
    path: '/api/v1/sqllab/',
    summary: 'Returns the initial state of SQL Lab',
    body: 'none',
    reply: openObject({ result: Type.Unsafe<SqllabBootstrap>({ type: 'object' }) }),
    can: ['can_read', 'SQLLab'],
    object: 'the caller’s own tabs and queries; visible databases',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'typed',
    fails: [],
  }),
  format: defineRoute({
    method: 'POST',
    path: '/api/v1/sqllab/format_sql/',
    summary: 'Formats SQL without changing its meaning',
    body: FormatSql,
    reply: openObject({ result: Type.String() }),
    can: ['can_read', 'SQLLab'],
    object: 'the database must be visible if one is given; only its engine is used',
    rate: 'read',
    audit: 'none',
    csrf: 'token',
    errors: 'plain',
    bodyLimit,
    fails: ['invalid_payload', 'bad_request'],
  }),
  estimate: defineRoute({
    ...estimate,
    path: '/api/v1/sqllab/estimate/',
    summary: 'Estimates the cost of each SQL statement without running it',
    body: EstimateRequest,
    reply: openObject({ result: Costs }),
    errors: 'typed',
    fails: [...estimateFails, 'invalid_payload'],
  }),
  olderEstimate: defineRoute({
    ...estimate,
    path: '/superset/estimate_query_cost/:database_id/',
    summary: 'Estimates the cost of each SQL statement (form fields `sql` and `templateParams`, both JSON)',
    params: Type.Object({ database_id: Type.Integer() }),
    body: 'form',
    form: EstimateForm,
    reply: Costs,
    errors: 'legacy',
    fails: [...estimateFails, 'bad_request'],
  }),
  olderEstimateOfSchema: defineRoute({
    ...estimate,
    path: '/superset/estimate_query_cost/:database_id/:schema/',
    summary: 'Estimates the cost of each SQL statement (form fields `sql` and `templateParams`, both JSON)',
    params: Type.Object({ database_id: Type.Integer(), schema: Type.String() }),
    body: 'form',
    form: EstimateForm,
    reply: Costs,
    errors: 'legacy',
    fails: [...estimateFails, 'bad_request'],
  }),
  createPermalink: defineRoute({
    method: 'POST',
    path: '/api/v1/sqllab/permalink',
    success: [201],
    summary: 'Creates a permalink to unsaved SQL',
    body: SqllabPermalink,
    reply: openObject({ key: Type.String(), url: Type.String() }),
    can: ['can_write', 'SqlLabPermalinkRestApi'],
    object: 'the database must be visible',
    rate: 'write',
    audit: 'sqllab.permalink',
    csrf: 'token',
    errors: 'plain',
    bodyLimit,
    fails: ['invalid_payload', 'forbidden'],
  }),
  permalink: defineRoute({
    method: 'GET',
    path: '/api/v1/sqllab/permalink/:key',
    summary: 'Returns the SQL of a permalink',
    params: Type.Object({ key: Type.String() }),
    body: 'none',
    reply: SqllabPermalink,
    can: ['can_read', 'SqlLabPermalinkRestApi'],
    object: 'callers who have the key and may see the database',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
}

const posted = {
  method: 'POST',
  summary: 'Opens SQL Lab with a query (form fields `datasourceKey` and `sql`, or both in `form_data`)',
  body: 'form',
  reply: 'page',
  can: ['can_sqllab', 'Superset'],
  object: 'none: the page loads its content with API requests',
  rate: 'read',
  audit: 'none',
  csrf: 'token',
  errors: 'legacy',
  bodyLimit,
  fails: ['bad_request'],
} as const

/** The SQL Lab page as a target of forms. */
export const sqllabPages = {
  posted: defineRoute({ ...posted, path: '/sqllab/' }),
  olderPosted: defineRoute({ ...posted, path: '/superset/sqllab/' }),
}
