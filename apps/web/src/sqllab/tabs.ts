import type { Frame } from '@parquetry/frame'
import type { ExecuteAnswer, QueryView } from '@parquetry/model'
import type { TypedError } from '../shared/errors.ts'

/*
 * The state of SQL Lab: tabs, their table panels and their queries, and pure functions over it.
 *
 * The parts of the page get what they show as properties and change it by `SqlLabActions` only:
 *   results/  ResultPane     { tab, queries, tables, actions }   queries of the tab, newest first, previews too
 *   browser/  SchemaBrowser  { tab, databases, tables, actions } panels of the tab, newest first
 *   history/  HistoryPane    { tab, queries, actions }
 * Keeping (browser, server) and running are no matter of theirs: the keeper sees every change of tabs and panels, and a query's
 * row is changed by the runner alone. `browser/use-schema.ts` also feeds the completion with `useTables(...).known` and `want`.
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
export interface TableKey {
  name: string | null
  column_names: string[]
  type: string
  options?: Record<string, unknown>
  referred_columns?: string[]
  referred_schema?: string | null
  referred_table?: string
}
export interface TableColumn {
  name: string
  type: string
  longType: string
  keys: TableKey[]
  comment: string | null
}

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
  line: number | null
  column: number | null
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
  results: { answer: ExecuteAnswer; frame: Frame } | null
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

/** What is run: by default with the tab's database, schema, limit and parameters. */
export interface RunRequest {
  sql: string
  /** Where it begins in the tab's text. */
  from?: number
  queryLimit?: number
  schema?: string | null
  catalog?: string | null
  ctas?: { method: 'TABLE' | 'VIEW'; name: string }
  batch?: string
  /** A data preview of this panel; it neither becomes the tab's latest query nor stops one. */
  preview?: TableSchema
}

/** What the parts of the page may do. */
export interface SqlLabActions {
  change(tabId: string, part: Partial<Omit<QueryEditor, 'id'>>): void
  /** A new tab in front. */
  open(part: Partial<Omit<QueryEditor, 'id'>>): string
  /** Into the text of the active tab at the cursor; replaces the untouched text of a new tab. */
  insert(text: string): void
  /** Selects a piece of the active tab's text and goes there. */
  select(from: number, to: number): void
  /** @returns the client id */
  run(tabId: string, request: RunRequest): string
  stop(queryId: string): void
  /** Runs a query again as it was, in its tab. */
  rerun(queryId: string, part?: Pick<RunRequest, 'queryLimit'>): void
  /** Fetches kept results of a finished query again (`resultsKey`). */
  fetchResults(queryId: string): void
  clearResults(queryId: string): void
  /** Out of the tab's history, here and on the server. */
  removeQuery(queryId: string): void
  /** A panel on top with metadata loading; one that is there is only opened. @returns its id */
  addTable(tabId: string, table: { catalog: string | null; schema: string | null; name: string }): string
  changeTable(tableId: string, part: Partial<Omit<TableSchema, 'id' | 'queryEditorId'>>): void
  removeTable(tableId: string): void
  /** Explore on the query at once. */
  createChart(queryId: string): void
  saveDataset(queryId: string): void
}

/** SQL-118. */
export const limitChoices = [10, 50, 100, 250, 500, 1000, 5000, 10_000, 50_000] as const

/** SQL-040. */
export const untouchedSql = 'SELECT ...'

/** Untouched text of a new tab, which cannot be run. */
export const isUntouched = (sql: string): boolean => {
  const bare = sql.replace(/^(?:\s*--[^\n]*(?:\n|$))*/, '').trim()
  return bare === '' || bare === untouchedSql
}

/** SQL-023, SQL-024: one past the highest number. */
export function nextName(editors: readonly Pick<QueryEditor, 'name'>[]): string {
  const numbers = editors.map(({ name }) => Number(/^Untitled Query (\d+)$/.exec(name)?.[1] ?? 0))
  return `Untitled Query ${Math.max(0, ...numbers) + 1}`
}

/** SQL-037 to SQL-039: the current database, else the default one, else the one with the lowest id. */
export function chooseDatabase(
  current: number | null,
  usual: number | null,
  databases: readonly { id: number }[],
): number | null {
  const there = (id: number | null) => (databases.some((database) => database.id === id) ? id : null)
  return (
    there(current) ??
    there(usual) ??
    databases.reduce<number | null>((least, { id }) => (least === null || id < least ? id : least), null)
  )
}

export interface NewTab {
  id: string
  queryLimit: number
  maxRow: number
}

export const newEditor = (
  { id, queryLimit, maxRow }: NewTab,
  part: Partial<Omit<QueryEditor, 'id'>> = {},
): QueryEditor => ({
  id,
  name: 'Untitled Query 1',
  dbId: null,
  catalog: null,
  schema: null,
  sql: untouchedSql,
  selectedText: null,
  queryLimit,
  templateParams: '{}',
  autorun: false,
  latestQueryId: null,
  remoteId: null,
  loaded: true,
  hideLeftBar: false,
  validationResult: { id: '', errors: [], completed: true },
  functionNames: [],
  maxRow,
  tabStateId: null,
  savedSql: null,
  description: '',
  ...part,
})

export const activeOf = (state: SqlLabState): QueryEditor | undefined =>
  state.queryEditors.find(({ id }) => id === state.activeId)

/** SQL-063: at the end and in front. */
export const addTab = (state: SqlLabState, editor: QueryEditor): SqlLabState => ({
  ...state,
  queryEditors: [...state.queryEditors, editor],
  activeId: editor.id,
})

export const activate = (state: SqlLabState, id: string): SqlLabState =>
  state.queryEditors.some((editor) => editor.id === id) ? { ...state, activeId: id } : state

export const changeTab = (state: SqlLabState, id: string, part: Partial<Omit<QueryEditor, 'id'>>): SqlLabState => ({
  ...state,
  queryEditors: state.queryEditors.map((editor) => (editor.id === id ? { ...editor, ...part } : editor)),
})

/** SQL-034: right beside it, with its panels but without its past; a copy belongs to no saved query. */
export function cloneTab(state: SqlLabState, id: string, copyId: string): SqlLabState {
  const at = state.queryEditors.findIndex((editor) => editor.id === id)
  const editor = state.queryEditors[at]
  if (!editor) return state
  const copy: QueryEditor = {
    ...editor,
    id: copyId,
    name: `Copy of ${editor.name}`,
    latestQueryId: null,
    remoteId: null,
    savedSql: null,
    tabStateId: null,
  }
  const tables = state.tables.filter(({ queryEditorId }) => queryEditorId === id)
  return {
    ...state,
    queryEditors: state.queryEditors.toSpliced(at + 1, 0, copy),
    activeId: copyId,
    tables: [
      ...tables.map((table) => ({
        ...table,
        id: `${copyId}.${table.id}`,
        queryEditorId: copyId,
        tableStateId: null,
        dataPreviewQueryId: null,
      })),
      ...state.tables,
    ],
  }
}

const closedKept = 20

/** SQL-035, SQL-067. Its neighbour comes to the front. Its queries go too, and with them their results. */
export function closeTab(state: SqlLabState, id: string, now: number): SqlLabState {
  const at = state.queryEditors.findIndex((editor) => editor.id === id)
  const editor = state.queryEditors[at]
  if (!editor) return state
  const queryEditors = state.queryEditors.toSpliced(at, 1)
  return {
    queryEditors,
    activeId: state.activeId === id ? ((queryEditors[at] ?? queryEditors[at - 1])?.id ?? '') : state.activeId,
    tables: state.tables.filter(({ queryEditorId }) => queryEditorId !== id),
    queries: Object.fromEntries(Object.entries(state.queries).filter(([, { sqlEditorId }]) => sqlEditorId !== id)),
    closed: [
      ...state.closed,
      { editor, tables: state.tables.filter(({ queryEditorId }) => queryEditorId === id), at: now },
    ].slice(-closedKept),
  }
}

/** SQL-036. */
export const closeOthers = (state: SqlLabState, id: string, now: number): SqlLabState => ({
  ...state.queryEditors
    .filter((editor) => editor.id !== id)
    .reduce((rest, editor) => closeTab(rest, editor.id, now), state),
  activeId: id,
})

/** The tab closed last, or the one named, as it was; its server row is gone, so that it gets a new one. */
export function restoreTab(state: SqlLabState, id?: string): SqlLabState {
  const at = id === undefined ? state.closed.length - 1 : state.closed.findLastIndex(({ editor }) => editor.id === id)
  const found = state.closed[at]
  if (!found) return state
  return {
    ...state,
    queryEditors: [...state.queryEditors, { ...found.editor, tabStateId: null }],
    activeId: found.editor.id,
    tables: [...found.tables.map((table) => ({ ...table, tableStateId: null })), ...state.tables],
    closed: state.closed.toSpliced(at, 1),
  }
}

/** To another place in the row, counted without itself. */
export function moveTab(state: SqlLabState, id: string, to: number): SqlLabState {
  const editor = state.queryEditors.find((other) => other.id === id)
  if (!editor) return state
  const others = state.queryEditors.filter((other) => other.id !== id)
  return { ...state, queryEditors: others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, editor) }
}

/** Whether it says something else than its saved query. */
export const differs = ({ remoteId, savedSql, sql }: QueryEditor): boolean =>
  remoteId === null ? !isUntouched(sql) : savedSql !== null && savedSql !== sql

export const tablesOf = (state: SqlLabState, tabId: string): TableSchema[] =>
  state.tables.filter(({ queryEditorId }) => queryEditorId === tabId)

/** Queries of a tab, newest first. */
export const queriesOf = (state: SqlLabState, tabId: string): Query[] =>
  Object.values(state.queries)
    .filter(({ sqlEditorId }) => sqlEditorId === tabId)
    .toSorted((a, b) => b.startDttm - a.startDttm)

export const isLive = ({ state }: Pick<Query, 'state'>): boolean =>
  state === 'pending' || state === 'running' || state === 'fetching'

/** SQL-070: on top, open, with its metadata still to come. One that is there already is opened. */
export function addTable(
  state: SqlLabState,
  table: Pick<TableSchema, 'id' | 'dbId' | 'queryEditorId' | 'catalog' | 'schema' | 'name'>,
): SqlLabState {
  const there = state.tables.find(
    ({ queryEditorId, dbId, catalog, schema, name }) =>
      queryEditorId === table.queryEditorId &&
      dbId === table.dbId &&
      catalog === table.catalog &&
      schema === table.schema &&
      name === table.name,
  )
  if (there) return changeTable(state, there.id, { expanded: true })
  return {
    ...state,
    tables: [
      {
        ...table,
        expanded: true,
        columns: [],
        selectStar: null,
        primaryKey: null,
        foreignKeys: [],
        indexes: [],
        comment: null,
        dataPreviewQueryId: null,
        isMetadataLoading: true,
        isExtraMetadataLoading: true,
        extra: null,
        tableStateId: null,
      },
      ...state.tables,
    ],
  }
}

export const changeTable = (
  state: SqlLabState,
  id: string,
  part: Partial<Omit<TableSchema, 'id' | 'queryEditorId'>>,
): SqlLabState => ({
  ...state,
  tables: state.tables.map((table) => (table.id === id ? { ...table, ...part } : table)),
})

export const removeTable = (state: SqlLabState, id: string): SqlLabState => ({
  ...state,
  tables: state.tables.filter((table) => table.id !== id),
})

/** SQL-054 to SQL-056. */
export const startQuery = (state: SqlLabState, query: Query): SqlLabState => {
  const queries = { ...state.queries, [query.id]: query }
  return query.isDataPreview
    ? { ...state, queries }
    : { ...changeTab(state, query.sqlEditorId, { latestQueryId: query.id }), queries }
}

/** A row of a tab that is closed meanwhile is not brought back. */
export function changeQuery(state: SqlLabState, id: string, part: Partial<Omit<Query, 'id'>>): SqlLabState {
  const query = state.queries[id]
  return query ? { ...state, queries: { ...state.queries, [id]: { ...query, ...part } } } : state
}

export function removeQuery(state: SqlLabState, id: string): SqlLabState {
  const { [id]: gone, ...queries } = state.queries
  if (!gone) return state
  const rest = { ...state, queries }
  const newest = queriesOf(rest, gone.sqlEditorId).find(({ isDataPreview }) => !isDataPreview)
  return {
    ...rest,
    queryEditors: state.queryEditors.map((editor) =>
      editor.latestQueryId === id ? { ...editor, latestQueryId: newest?.id ?? null } : editor,
    ),
  }
}
