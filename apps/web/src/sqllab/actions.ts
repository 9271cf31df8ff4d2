import { toastError } from '@parquetry/ui'
import { messageOf } from '../shared/errors.ts'
import { t } from '../shared/intl.ts'
import { serverTabs } from './persistence/server-tabs.ts'
import { dialectOf, quoteName } from './editor/dialects.ts'
import { findDatabase, type Lab } from './lab.ts'
import type { RunRequest } from './run/query-runner.ts'
import type { QueryEditor, TableSchema } from './state.ts'
import { createdTableName, removeQuery, changeQuery } from './queries.ts'
import { addTable, changeTable, removeTable } from './tables.ts'
import { changeTab, isUntouchedSql } from './tabs.ts'

/** Actions available to the parts of the page. */
export interface SqlLabActions {
  change(tabId: string, part: Partial<Omit<QueryEditor, 'id'>>): void
  /** Opens a new active tab. */
  open(part: Partial<Omit<QueryEditor, 'id'>>): string
  /** Inserts at the cursor of the active tab; replaces the untouched text of a new tab. */
  insert(text: string): void
  /** Selects a range of the active tab's text and scrolls to it. */
  select(from: number, to: number): void
  /** @returns the client id */
  run(tabId: string, request: RunRequest): string
  stop(queryId: string): void
  /** Repeats a run now that the server has refused and that waits for its next try. */
  tryNow(queryId: string): void
  /** Runs a query again as it was, in its tab. */
  rerun(queryId: string, part?: Pick<RunRequest, 'queryLimit'>): void
  /** Fetches the stored results of a finished query again (`resultsKey`). */
  fetchResults(queryId: string): void
  clearResults(queryId: string): void
  /** Removes a query from the tab's history, here and on the server. */
  removeQuery(queryId: string): void
  /** Adds a panel on top with loading metadata, or expands an existing one. @returns its id */
  addTable(tabId: string, table: { catalog: string | null; schema: string | null; name: string }): string
  changeTable(tableId: string, part: Partial<Omit<TableSchema, 'id' | 'queryEditorId'>>): void
  removeTable(tableId: string): void
  /** Opens a tab that selects from the table or view which a query has created, and runs it. */
  queryCreatedTable(queryId: string): void
  /** Opens Explore on the query. */
  createChart(queryId: string): void
  /** Opens Explore on the table or view which a query has created. */
  createTableChart(queryId: string): void
  saveDataset(queryId: string): void
}

/** Actions that only the page can provide. */
export interface PageActions {
  createChart(queryId: string): void
  createTableChart(queryId: string): void
  saveDataset(queryId: string): void
}

export function createSqlLabActions(lab: Lab, page: PageActions): SqlLabActions {
  const { store, runner } = lab
  return {
    change: (tabId, part) => store.setState((state) => changeTab(state, tabId, part)),
    open: (part) => lab.open(part),
    insert: (text) => {
      const active = store.getState().queryEditors.find(({ id }) => id === store.getState().activeId)
      if (!active) return
      if (isUntouchedSql(active.sql)) lab.editor.current?.replace(text)
      else lab.editor.current?.insert(text)
    },
    select: (from, to) => lab.editor.current?.select(from, to),
    run: (tabId, request) => {
      const id = runner.run(tabId, request)
      if (request.preview)
        store.setState((state) => changeTable(state, request.preview?.id ?? '', { dataPreviewQueryId: id }))
      return id
    },
    stop: (queryId) => runner.stop(queryId),
    tryNow: (queryId) => runner.tryNow(queryId),
    rerun: (queryId, part) => {
      const query = store.getState().queries[queryId]
      if (!query) return
      const { sql, from, schema, catalog, queryLimit, isDataPreview, ctas_method, tempTable } = query
      const preview = isDataPreview
        ? store.getState().tables.find(({ dataPreviewQueryId }) => dataPreviewQueryId === queryId)
        : undefined
      if (isDataPreview && !preview) return
      const id = runner.run(query.sqlEditorId, {
        sql,
        from,
        schema,
        catalog,
        queryLimit: part?.queryLimit ?? queryLimit,
        ...(query.ctas && ctas_method && { ctas: { method: ctas_method, name: tempTable ?? '' } }),
        ...(preview && { preview }),
      })
      if (preview) store.setState((state) => changeTable(state, preview.id, { dataPreviewQueryId: id }))
    },
    fetchResults: (queryId) => runner.fetchResults(queryId),
    clearResults: (queryId) => store.setState((state) => changeQuery(state, queryId, { results: null })),
    removeQuery: (queryId) => {
      const query = store.getState().queries[queryId]
      const tab = store.getState().queryEditors.find(({ id }) => id === query?.sqlEditorId)
      store.setState((state) => removeQuery(state, queryId))
      if (tab?.tabStateId != null && lab.sync)
        serverTabs
          .removeQuery(tab.tabStateId, queryId)
          .catch((error: unknown) =>
            toastError(`${t('sqllab.query.notRemoved', 'Could not remove the query')}: ${messageOf(error)}`),
          )
    },
    addTable: (tabId, { catalog, schema, name }) => {
      const dbId = store.getState().queryEditors.find(({ id }) => id === tabId)?.dbId
      if (dbId == null) return ''
      const id = crypto.randomUUID()
      store.setState((state) => addTable(state, { id, dbId, queryEditorId: tabId, catalog, schema, name }))
      const found = store
        .getState()
        .tables.find(
          (table) =>
            table.queryEditorId === tabId &&
            table.name === name &&
            table.schema === schema &&
            table.catalog === catalog,
        )
      return found?.id ?? id
    },
    changeTable: (tableId, part) => store.setState((state) => changeTable(state, tableId, part)),
    queryCreatedTable: (queryId) => {
      const query = store.getState().queries[queryId]
      if (!query) return
      const { dbId, catalog, schema, view } = query
      const dialect = dialectOf(findDatabase(dbId)?.backend ?? null)
      const name = createdTableName(query)
      const path = [view?.tempSchema ?? null, name].filter((part) => part !== null)
      const sql = `SELECT *\nFROM ${path.map((part) => quoteName(part, dialect)).join('.')}`
      runner.run(lab.open({ name, dbId, catalog, schema, sql }), { sql })
    },
    removeTable: (tableId) => store.setState((state) => removeTable(state, tableId)),
    ...page,
  }
}
