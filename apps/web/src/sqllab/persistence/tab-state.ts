import type { QueryView, TabChange, TabStateView } from '@parquetry/model'
import { queryError } from '../run/query-error.ts'
import type { Query, QueryEditor, QueryError, TableSchema } from '../state.ts'
import { emptyMetadata } from '../tables.ts'
import { newEditor, type NewTab } from '../tabs.ts'
import type { SyncedField } from './local-tabs.ts'

/** Server names of the fields (SQL-043). */
const fieldNames: Readonly<Record<SyncedField, keyof TabChange>> = {
  latestQueryId: 'latest_query_id',
  hideLeftBar: 'hide_left_bar',
  dbId: 'database_id',
  catalog: 'catalog',
  schema: 'schema',
  autorun: 'autorun',
  name: 'label',
  sql: 'sql',
  queryLimit: 'query_limit',
  templateParams: 'template_params',
  remoteId: 'saved_query_id',
}

export const syncedFields = Object.keys(fieldNames) as SyncedField[]

/** The body of `PUT /tabstateview/{id}`: each value as JSON text. */
export function tabForm(editor: QueryEditor, fields: readonly SyncedField[], version: number | null): FormData {
  const form = new FormData()
  for (const field of fields) form.append(fieldNames[field], JSON.stringify(editor[field] ?? null))
  if (version !== null) form.append('version', JSON.stringify(version))
  return form
}

/** The `queryEditor` of `POST /tabstateview/`. */
export const newTabForm = (editor: QueryEditor): FormData => {
  const form = new FormData()
  const { id, name, dbId, catalog, schema, sql, queryLimit, hideLeftBar, autorun, templateParams, remoteId } = editor
  form.append(
    'queryEditor',
    JSON.stringify({
      id,
      clientKey: id,
      name,
      title: name,
      dbId,
      catalog,
      schema,
      sql,
      queryLimit,
      hideLeftBar,
      autorun,
      templateParams,
      remoteId,
    }),
  )
  return form
}

/** Converts a server tab for the page. */
export function toQueryEditor(state: TabStateView, tab: NewTab): QueryEditor {
  return newEditor(tab, {
    name: state.label ?? 'Untitled Query',
    dbId: state.database_id,
    catalog: state.catalog,
    schema: state.schema,
    sql: state.sql ?? '',
    queryLimit: state.query_limit ?? tab.queryLimit,
    templateParams: state.template_params ?? '{}',
    autorun: state.autorun,
    latestQueryId: state.latest_query?.id ?? null,
    remoteId: state.saved_query?.id ?? null,
    hideLeftBar: state.hide_left_bar,
    tabStateId: state.id,
  })
}

export const toTableSchemas = (state: TabStateView, tabId: string): TableSchema[] =>
  state.table_schemas.map(({ id, database_id, catalog, schema, table, description, expanded }) => ({
    ...emptyMetadata,
    ...description,
    id: `${tabId}.${id}`,
    dbId: database_id,
    queryEditorId: tabId,
    catalog,
    schema,
    name: table,
    expanded,
    dataPreviewQueryId: null,
    isMetadataLoading: description === null,
    isExtraMetadataLoading: description === null,
    tableStateId: id,
  }))

/** Converts a run of the server for its tab. */
export function toQuery(view: QueryView, known?: Query): Query {
  const failed = view.state === 'failed' || view.state === 'timed_out'
  return {
    dbId: view.dbId,
    sql: view.sql,
    sqlEditorId: view.sqlEditorId ?? '',
    tab: view.tab ?? '',
    catalog: view.catalog,
    schema: view.schema,
    runAsync: true,
    ctas: view.ctas,
    ctas_method: null,
    templateParams: '{}',
    queryLimit: view.limit ?? 0,
    cached: false,
    isDataPreview: false,
    from: 0,
    results: null,
    ...known,
    id: view.id,
    tempTable: view.tempTable,
    state: view.state as Query['state'],
    progress: view.progress,
    startDttm: view.startDttm ?? known?.startDttm ?? 0,
    endDttm: view.endDttm,
    resultsKey: view.resultsKey ?? known?.resultsKey ?? null,
    rows: view.rows ?? known?.rows ?? null,
    error: failed ? toQueryError(view) : null,
    view,
  }
}

function toQueryError({ errorMessage, extra }: QueryView): QueryError {
  const errors = Array.isArray(extra['errors']) ? (extra['errors'] as QueryError['errors']) : []
  const link = typeof extra['link'] === 'string' ? extra['link'] : errors[0]?.extra?.link
  return queryError(errorMessage ?? errors[0]?.message ?? '', errors, link)
}
