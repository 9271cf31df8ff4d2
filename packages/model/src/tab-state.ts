import Type, { type Static } from 'typebox'
import type { QueryView } from './sqllab.ts'
import { openObject, nullish, text } from './fields.ts'
import { ById } from './resource.ts'
import { jsonField, jsonForm } from './form.ts'
import { defineRoute } from './route.ts'

const label = () => text(0, 256)
const name = () => text(0, 256)

/**
 * Fields of a tab that a PUT may change. In the form each value is JSON text; unknown fields are ignored, because newer clients
 * send more.
 */
export const TabChange = openObject({
  label: nullish(label()),
  database_id: nullish(Type.Integer()),
  catalog: nullish(name()),
  schema: nullish(name()),
  sql: nullish(Type.String()),
  query_limit: nullish(Type.Integer()),
  template_params: nullish(Type.String()),
  autorun: nullish(Type.Boolean()),
  hide_left_bar: nullish(Type.Boolean()),
  /** Client id of the query. */
  latest_query_id: nullish(Type.String()),
  saved_query_id: nullish(Type.Integer()),
  /** Version last seen by the caller, like `If-Match`: a later change by another user is not overwritten but leads to 409. */
  version: nullish(Type.Integer()),
})
export type TabChange = Static<typeof TabChange>

/** A new tab in the browser's format. */
export const QueryEditor = openObject({
  dbId: nullish(Type.Integer()),
  name: nullish(label()),
  title: nullish(label()),
  catalog: nullish(name()),
  schema: nullish(name()),
  sql: nullish(Type.String()),
  queryLimit: nullish(Type.Integer()),
  hideLeftBar: nullish(Type.Boolean()),
  autorun: nullish(Type.Boolean()),
  templateParams: nullish(Type.String()),
  /** Id of the saved query of the tab. */
  remoteId: nullish(Type.Integer()),
  /**
   * Parquetry extension: key created by the client. A second POST with the key of an existing tab changes nothing and returns
   * that tab's id with `existed`.
   */
  clientKey: nullish(text(1, 64)),
})
export type QueryEditor = Static<typeof QueryEditor>

/** A table panel in the browser's format; the whole object is stored. */
export const EditorTable = openObject({
  queryEditorId: Type.Unsafe<number | string>({ anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  dbId: Type.Integer(),
  catalog: nullish(name()),
  schema: nullish(name()),
  name: Type.String({ minLength: 1, maxLength: 256 }),
})
export type EditorTable = Static<typeof EditorTable>

export interface TableSchemaView {
  id: number
  tab_state_id: number
  database_id: number
  catalog: string | null
  schema: string | null
  table: string
  /** The posted object. */
  description: Record<string, unknown> | null
  expanded: boolean
}

export interface TabStateView {
  id: number
  user_id: number
  label: string | null
  active: boolean
  database_id: number | null
  catalog: string | null
  schema: string | null
  table_schemas: TableSchemaView[]
  sql: string | null
  query_limit: number | null
  latest_query: QueryView | null
  autorun: boolean
  template_params: string | null
  hide_left_bar: boolean
  saved_query: { id: number } | null
  extra_json: Record<string, unknown>
  /** Parquetry extension: increases with each change by a user; also the `ETag` of GET, POST and PUT. */
  version: number
  /** Parquetry extension: ISO text in UTC without a zone. */
  changed_on: string
}

/** Body of a 409: the tab with the other user's changes. */
export interface TabConflict {
  message: string
  tab_state: TabStateView
}

/** SQL of a tab is form-encoded, which can triple its size. */
const bodyLimit = 4 << 20

const own = {
  params: ById,
  body: 'form',
  rate: 'write',
  csrf: 'token',
  errors: 'legacy',
  emptyErrors: [403, 404],
  object: 'the caller’s own tab; missing tabs and tabs of other users look the same',
} as const

/**
 * `/tabstateview/` and `/tableschemaview/`, with SQLLAB_BACKEND_PERSISTENCE; without it they do not exist. Bodies are multipart
 * or urlencoded forms with JSON text as values. Missing objects and those of other users are 403 with an empty body, as recorded,
 * or 404 for `activate`. Clients treat both as a deleted tab.
 */
export const tabStateRoutes = {
  create: defineRoute({
    ...own,
    method: 'POST',
    path: '/tabstateview/',
    summary: 'Creates a tab and activates it; repeating a `clientKey` returns the existing tab',
    form: Type.Object({ queryEditor: jsonField(QueryEditor) }),
    params: Type.Object({}),
    reply: openObject({ id: Type.Integer(), existed: Type.Optional(Type.Literal(true)) }),
    can: ['can_post', 'TabStateView'],
    object: 'none: a database that the caller may not see is left out',
    audit: 'tab_state.create',
    bodyLimit,
    fails: ['bad_request'],
  }),
  item: defineRoute({
    ...own,
    method: 'GET',
    path: '/tabstateview/:id',
    summary: 'Returns a tab with its table panels and latest query',
    body: 'none',
    reply: Type.Unsafe<TabStateView>(openObject({ id: Type.Integer() })),
    can: ['can_get', 'TabStateView'],
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    fails: ['forbidden'],
  }),
  update: defineRoute({
    ...own,
    method: 'PUT',
    path: '/tabstateview/:id',
    summary: 'Updates the given fields of a tab; `If-Match` or `version` prevents overwriting newer changes',
    form: jsonForm(TabChange),
    reply: Type.Integer(),
    can: ['can_put', 'TabStateView'],
    audit: 'none',
    bodyLimit,
    fails: ['bad_request', 'forbidden', 'conflict'],
  }),
  remove: defineRoute({
    ...own,
    method: 'DELETE',
    path: '/tabstateview/:id',
    summary: 'Deletes a tab and its table panels',
    body: 'none',
    reply: Type.String(),
    can: ['can_delete', 'TabStateView'],
    audit: 'tab_state.delete',
    fails: ['forbidden'],
  }),
  activate: defineRoute({
    ...own,
    method: 'POST',
    path: '/tabstateview/:id/activate',
    summary: 'Activates a tab',
    body: 'none',
    reply: Type.Integer(),
    can: ['can_activate', 'TabStateView'],
    audit: 'none',
    fails: ['not_found'],
  }),
  removeQuery: defineRoute({
    ...own,
    method: 'DELETE',
    path: '/tabstateview/:id/query/:client_id',
    summary: 'Deletes a query of the caller from the history and updates the latest query of the tab',
    params: Type.Object({ id: Type.Integer(), client_id: Type.String() }),
    body: 'none',
    reply: Type.String(),
    can: ['can_delete_query', 'TabStateView'],
    audit: 'query.delete',
    fails: ['forbidden', 'unprocessable'],
  }),
  migrateQuery: defineRoute({
    ...own,
    method: 'POST',
    path: '/tabstateview/:id/migrate_query',
    summary: 'Moves a query of the caller to a tab (form field `queryId`)',
    form: Type.Object({ queryId: jsonField(Type.String()) }),
    reply: Type.Integer(),
    can: ['can_migrate_query', 'TabStateView'],
    audit: 'none',
    fails: ['bad_request', 'forbidden'],
  }),
}

export const tableSchemaRoutes = {
  create: defineRoute({
    ...own,
    method: 'POST',
    path: '/tableschemaview/',
    summary: 'Saves a table panel of a tab and replaces an existing panel for the same table',
    form: Type.Object({ table: jsonField(EditorTable) }),
    params: Type.Object({}),
    reply: openObject({ id: Type.Integer() }),
    can: ['can_post', 'TableSchemaView'],
    audit: 'none',
    bodyLimit,
    fails: ['bad_request', 'forbidden'],
  }),
  expanded: defineRoute({
    ...own,
    method: 'POST',
    path: '/tableschemaview/:id/expanded',
    summary: 'Expands or collapses a table panel (form field `expanded`)',
    form: Type.Object({ expanded: jsonField(Type.Boolean()) }),
    reply: openObject({ id: Type.Integer(), expanded: Type.Boolean() }),
    can: ['can_expanded', 'TableSchemaView'],
    audit: 'none',
    fails: ['bad_request', 'forbidden'],
  }),
  remove: defineRoute({
    ...own,
    method: 'DELETE',
    path: '/tableschemaview/:id',
    summary: 'Deletes a table panel',
    body: 'none',
    reply: Type.String(),
    can: ['can_delete', 'TableSchemaView'],
    audit: 'none',
    fails: ['forbidden'],
  }),
}
