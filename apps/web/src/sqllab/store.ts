import { createStore, type StoreApi } from 'zustand'
import { boot } from '../shared/boot.ts'
import { emptyState, type QueryEditor, type SqlLabState } from './state.ts'
import { limitChoices, newEditor, nextTabName, type NewTab } from './tabs.ts'

const setting = (name: string): number | null => {
  const value = boot.common.conf[name]
  return typeof value === 'number' ? value : null
}

/** SQL-117: a new tab has the server's limit. */
export const sqlLabSettings = {
  queryLimit: setting('DEFAULT_SQLLAB_LIMIT') ?? 1000,
  maxRow: setting('SQL_MAX_ROW') ?? Math.max(...limitChoices),
  usualDatabase: setting('SQLLAB_DEFAULT_DBID'),
  isPersistent: boot.common.feature_flags['SQLLAB_BACKEND_PERSISTENCE'] === true,
  isAlwaysAsync: boot.common.feature_flags['SQLLAB_FORCE_RUN_ASYNC'] === true,
  mayEstimate: boot.common.feature_flags['ESTIMATE_QUERY_COST'] === true,
  hasTemplates: boot.common.feature_flags['ENABLE_TEMPLATE_PROCESSING'] === true,
} as const

/** Initial values of a tab, with a new id. */
export const newTab = (): NewTab => ({
  id: crypto.randomUUID().replaceAll('-', '').slice(0, 12),
  queryLimit: sqlLabSettings.queryLimit,
  maxRow: sqlLabSettings.maxRow,
})

/** SQL-041. */
const withNote = (sql: string, note: string | null): string => (note === null ? sql : `${note}\n${sql}`)

/** Creates a tab named after the highest number, on the database of the active tab. */
export const nextEditor = (
  state: SqlLabState,
  note: string | null,
  part: Partial<Omit<QueryEditor, 'id'>> = {},
): QueryEditor => {
  const current = state.queryEditors.find(({ id }) => id === state.activeId)
  const editor = newEditor(newTab(), {
    name: nextTabName(state.queryEditors),
    dbId: current?.dbId ?? null,
    catalog: current?.catalog ?? null,
    schema: current?.schema ?? null,
    ...part,
  })
  return part.sql === undefined ? { ...editor, sql: withNote(editor.sql, note) } : editor
}

export const createSqlLabStore = (): StoreApi<SqlLabState> => createStore<SqlLabState>(() => emptyState)
