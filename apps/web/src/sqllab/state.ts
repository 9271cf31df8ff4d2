import type { TypedError } from '@parquetry/client'
import type { Frame } from '@parquetry/frame'
import type { ExecuteMetadata, QueryView, TableKey, TableMetadata } from '@parquetry/model'

/*
 * The state of SQL Lab: tabs, their table panels and their queries. `tabs.ts`, `tables.ts` and `queries.ts` hold the pure
 * functions over it; the parts of the page get what they show as properties and change it by `SqlLabActions` only.
 * The keeper sees every change of tabs and panels and keeps it (browser, server); a query's row is changed by the runner alone.
 */

/** What `database/{id}/validate_sql/` found. `id` is that of the text that was asked about. */
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
  /** Made in the browser; stays the same when the tab goes to the server. */
  id: string
  name: string
  dbId: number | null
  catalog: string | null
  /** Null until the user or a link chose one: the usual schema of the database then. */
  schema: string | null
  sql: string
  selectedText: string | null
  queryLimit: number
  /** JSON text, as it goes to the server. */
  templateParams: string
  autorun: boolean
  latestQueryId: string | null
  /** The saved query that it belongs to. */
  remoteId: number | null
  /** False: only id and name are known, the rest is on the server. */
  loaded: boolean
  hideLeftBar: boolean
  validationResult: ValidationResult
  functionNames: readonly string[]
  maxRow: number
  /** Its row on the server; null when it is in this browser only. */
  tabStateId: number | null
  /** What the saved query holds, to tell whether this differs; null when that is not known. */
  savedSql: string | null
  description: string
}

/** Key or index of a table, as `table_metadata` tells it. */
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
  /** `table_metadata/extra`, whatever the engine says. */
  extra: Record<string, unknown> | null
  /** Its row on the server. */
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

/** SQL-059. Offsets count in `Query.sql`; null where the engine told none. */
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
  /** Where `sql` begins in the tab's text, so that an error's place can be shown there. */
  from: number
  /** The same for all statements of one "Run all"; none for a statement that ran alone. */
  batch?: string
  /** Rows received so far while it runs, then all. */
  rows: number | null
  error: QueryError | null
  /** The row on the server as it was last told; null until then. */
  view: QueryView | null
  /** Kept until the tab closes, they are cleared or there is no room; null: fetch them by `resultsKey`. */
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
  /** Last closed last. */
  closed: readonly ClosedTab[]
}

export const emptyState: SqlLabState = { queryEditors: [], activeId: '', tables: [], queries: {}, closed: [] }
