import type { Query, SqlLabState } from './state.ts'
import { changeTab } from './tabs.ts'

/** Queries of a tab, newest first. */
export const listTabQueries = (state: SqlLabState, tabId: string): Query[] =>
  Object.values(state.queries)
    .filter(({ sqlEditorId }) => sqlEditorId === tabId)
    .toSorted((a, b) => b.startDttm - a.startDttm)

/** Returns whether a query has not ended; `offline` is a run with a lost connection, whose end is polled from the server. */
export const isLive = ({ state }: Pick<Query, 'state'>): boolean =>
  state === 'pending' || state === 'running' || state === 'fetching' || state === 'offline'

/** SQL-054 to SQL-056. */
export const startQuery = (state: SqlLabState, query: Query): SqlLabState => {
  const queries = { ...state.queries, [query.id]: query }
  return query.isDataPreview
    ? { ...state, queries }
    : { ...changeTab(state, query.sqlEditorId, { latestQueryId: query.id }), queries }
}

/** A query whose tab was closed meanwhile is not restored. */
export function changeQuery(state: SqlLabState, id: string, part: Partial<Omit<Query, 'id'>>): SqlLabState {
  const query = state.queries[id]
  return query ? { ...state, queries: { ...state.queries, [id]: { ...query, ...part } } } : state
}

export function removeQuery(state: SqlLabState, id: string): SqlLabState {
  const { [id]: removed, ...queries } = state.queries
  if (!removed) return state
  const rest = { ...state, queries }
  const newest = listTabQueries(rest, removed.sqlEditorId).find(({ isDataPreview }) => !isDataPreview)
  return {
    ...rest,
    queryEditors: state.queryEditors.map((editor) =>
      editor.latestQueryId === id ? { ...editor, latestQueryId: newest?.id ?? null } : editor,
    ),
  }
}

/** Name of the table or view that a query has created; the server chooses it if the user does not. */
export const createdTableName = ({ tempTable, view }: Pick<Query, 'tempTable' | 'view'>): string =>
  view?.tempTable ?? tempTable ?? ''
