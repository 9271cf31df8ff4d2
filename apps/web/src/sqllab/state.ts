import type { TypedError } from '@parquetry/client'
import type { Frame } from '@parquetry/frame'
import type { ExecuteMetadata, QueryView, TableKey, TableMetadata } from '@parquetry/model'
import type { ServerRefusal } from '../shared/refusal.ts'

/*
 * The state of SQL Lab: tabs, their table panels and their queries. `tabs.ts`, `tables.ts` and `queries.ts` contain the pure
 * functions on it; the parts of the page receive it as props and change it only through `SqlLabActions`. The keeper observes
 * every change of tabs and panels and stores it (browser, server); the runner updates the state of queries.
 */

/** Result of `database/{id}/validate_sql/`. `id` identifies the validated text. */
export interface ValidationResult {
  id: string
  errors: readonly ValidationError[]
  completed: boolean
}
export interface ValidationError {
  line_number: number | null
  start_column: number | null
  end_column: number | null
  message: string
}

/** A tab (SQL-042). */
export interface QueryEditor {
  /** Created in the browser; stays the same when the tab is stored on the server. */
  id: string
  name: string
  dbId: number | null
  catalog: string | null
  /** Null until the user or a link selects one; until then, the default schema of the database applies. */
  schema: string | null
  sql: string
  selectedText: string | null
  queryLimit: number
  /** JSON text, as sent to the server. */
  templateParams: string
  autorun: boolean
  latestQueryId: string | null
  /** The saved query of the tab. */
  remoteId: number | null
  /** False until the text and the server's state are loaded; until then, possibly only id and name are known. */
  loaded: boolean
  hideLeftBar: boolean
  validationResult: ValidationResult
  functionNames: readonly string[]
  maxRow: number
  /** Id of its server row; null when it is in this browser only. */
  tabStateId: number | null
  /** Text of the saved query, to detect changes; null when unknown. */
  savedSql: string | null
  description: string
}

/** Key or index of a table, from `table_metadata`. */
export type { TableKey }
export type TableColumn = TableMetadata['columns'][number]

/** A table panel (SQL-045). */
export interface TableSchema {
  id: string
  dbId: number
  queryEditorId: string
  catalog: string | null
  schema: string | null
  name: string
  expanded: boolean
  columns: readonly TableColumn[]
  selectStar: string | null
  primaryKey: TableKey | null
  foreignKeys: readonly TableKey[]
  indexes: readonly TableKey[]
  comment: string | null
  dataPreviewQueryId: string | null
  isMetadataLoading: boolean
  isExtraMetadataLoading: boolean
  /** `table_metadata/extra`, which depends on the engine. */
  extra: Record<string, unknown> | null
  /** Id of its server row. */
  tableStateId: number | null
}

export type QueryState =
  | 'pending'
  | 'running'
  | 'scheduled'
  | 'fetching'
  | 'success'
  | 'failed'
  | 'stopped'
  | 'timed_out'
  | 'offline'

/** SQL-059. Offsets count in `Query.sql`; null when the engine reports none. */
export interface QueryError {
  message: string
  link: string | null
  errors: readonly TypedError[]
  offset: number | null
}

/** A run (SQL-044). */
export interface Query {
  /** The client id. */
  id: string
  dbId: number
  sql: string
  sqlEditorId: string
  tab: string
  catalog: string | null
  schema: string | null
  runAsync: boolean
  tempTable: string | null
  ctas: boolean
  ctas_method: 'TABLE' | 'VIEW' | null
  templateParams: string
  queryLimit: number
  state: QueryState
  progress: number
  startDttm: number
  endDttm: number | null
  cached: boolean
  isDataPreview: boolean
  resultsKey: string | null
  /** Offset of `sql` in the tab's text, to show an error's location there. */
  from: number
  /** Shared by all statements of one "Run all"; undefined for a statement that ran alone. */
  batch?: string
  /** Rows received so far while it runs, then the total. */
  rows: number | null
  error: QueryError | null
  /** While a live run waits for its next try: why the server refused the last one. */
  refusal?: ServerRefusal | null
  /** The server row as last received; null until then. */
  view: QueryView | null
  /** In memory until the tab closes or the user clears them; null: fetch them by `resultsKey`. */
  results: { answer: ExecuteMetadata; frame: Frame } | null
}

export interface ClosedTab {
  editor: QueryEditor
  tables: readonly TableSchema[]
  at: number
}

export interface SqlLabState {
  queryEditors: readonly QueryEditor[]
  activeId: string
  tables: readonly TableSchema[]
  queries: Readonly<Record<string, Query>>
  /** Most recently closed last. */
  closed: readonly ClosedTab[]
}

export const emptyState: SqlLabState = { queryEditors: [], activeId: '', tables: [], queries: {}, closed: [] }
