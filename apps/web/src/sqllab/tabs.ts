import type { QueryEditor, SqlLabState } from './state.ts'

/** SQL-118. */
export const limitChoices = [10, 50, 100, 250, 500, 1000, 5000, 10_000, 50_000] as const

/** SQL-040: what the editor shows in a tab without text. It is not part of the text. */
export const sqlPlaceholder = 'SELECT ...'

/** Comments before the first statement, such as the note of SQL-041. */
const leadingComments = /^(?:\s*(?:--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/))*/

/** Returns whether a text consists of nothing but blanks and comments, which cannot be run. */
export const isUntouchedSql = (sql: string): boolean => {
  const bare = sql.replace(leadingComments, '').trim()
  return bare === '' || bare === sqlPlaceholder
}

/** Removes the placeholder, which other clients store as the text of an untouched tab. */
export const dropPlaceholder = (sql: string): string =>
  isUntouchedSql(sql) && sql.trimEnd().endsWith(sqlPlaceholder) ? sql.trimEnd().slice(0, -sqlPlaceholder.length) : sql

/** SQL-023, SQL-024: one past the highest number. */
export function nextTabName(editors: readonly Pick<QueryEditor, 'name'>[]): string {
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
    databases.reduce<number | null>((lowest, { id }) => (lowest === null || id < lowest ? id : lowest), null)
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
  sql: '',
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

export const findActiveTab = (state: SqlLabState): QueryEditor | undefined =>
  state.queryEditors.find(({ id }) => id === state.activeId)

/** SQL-063: appends a tab and activates it. */
export const addTab = (state: SqlLabState, editor: QueryEditor): SqlLabState => ({
  ...state,
  queryEditors: [...state.queryEditors, editor],
  activeId: editor.id,
})

export const activateTab = (state: SqlLabState, id: string): SqlLabState =>
  state.queryEditors.some((editor) => editor.id === id) ? { ...state, activeId: id } : state

export const changeTab = (state: SqlLabState, id: string, part: Partial<Omit<QueryEditor, 'id'>>): SqlLabState => ({
  ...state,
  queryEditors: state.queryEditors.map((editor) => (editor.id === id ? { ...editor, ...part } : editor)),
})

/** SQL-034: clones a tab beside the original, with its panels but without its history; a copy has no saved query. */
export function cloneTab(state: SqlLabState, id: string, copyId: string): SqlLabState {
  const index = state.queryEditors.findIndex((editor) => editor.id === id)
  const editor = state.queryEditors[index]
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
    queryEditors: state.queryEditors.toSpliced(index + 1, 0, copy),
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

const closedTabLimit = 20

/** SQL-035, SQL-067. Activates the neighbor; removes the queries of the tab with their results. */
export function closeTab(state: SqlLabState, id: string, now: number): SqlLabState {
  const index = state.queryEditors.findIndex((editor) => editor.id === id)
  const editor = state.queryEditors[index]
  if (!editor) return state
  const queryEditors = state.queryEditors.toSpliced(index, 1)
  return {
    queryEditors,
    activeId: state.activeId === id ? ((queryEditors[index] ?? queryEditors[index - 1])?.id ?? '') : state.activeId,
    tables: state.tables.filter(({ queryEditorId }) => queryEditorId !== id),
    queries: Object.fromEntries(Object.entries(state.queries).filter(([, { sqlEditorId }]) => sqlEditorId !== id)),
    closed: [
      ...state.closed,
      { editor, tables: state.tables.filter(({ queryEditorId }) => queryEditorId === id), at: now },
    ].slice(-closedTabLimit),
  }
}

/** SQL-036. */
export const closeOthers = (state: SqlLabState, id: string, now: number): SqlLabState => ({
  ...state.queryEditors
    .filter((editor) => editor.id !== id)
    .reduce((rest, editor) => closeTab(rest, editor.id, now), state),
  activeId: id,
})

/** Restores the tab closed last, or the given one, unchanged; its server row was deleted, so that it gets a new one. */
export function restoreTab(state: SqlLabState, id?: string): SqlLabState {
  const index =
    id === undefined ? state.closed.length - 1 : state.closed.findLastIndex(({ editor }) => editor.id === id)
  const found = state.closed[index]
  if (!found) return state
  return {
    ...state,
    queryEditors: [...state.queryEditors, { ...found.editor, tabStateId: null }],
    activeId: found.editor.id,
    tables: [...found.tables.map((table) => ({ ...table, tableStateId: null })), ...state.tables],
    closed: state.closed.toSpliced(index, 1),
  }
}

/** Moves a tab to an index, counted without the tab itself. */
export function moveTab(state: SqlLabState, id: string, to: number): SqlLabState {
  const editor = state.queryEditors.find((other) => other.id === id)
  if (!editor) return state
  const others = state.queryEditors.filter((other) => other.id !== id)
  return { ...state, queryEditors: others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, editor) }
}

/** Returns whether the tab differs from its saved query. */
export const hasUnsavedSql = ({ remoteId, savedSql, sql }: QueryEditor): boolean =>
  remoteId === null ? !isUntouchedSql(sql) : savedSql !== null && savedSql !== sql
