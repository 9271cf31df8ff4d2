import type { SqlLabState, TableSchema } from './state.ts'

export const listTabTables = (state: SqlLabState, tabId: string): TableSchema[] =>
  state.tables.filter(({ queryEditorId }) => queryEditorId === tabId)

/** Metadata of a table before it is loaded. */
export const emptyMetadata = {
  columns: [],
  selectStar: null,
  primaryKey: null,
  foreignKeys: [],
  indexes: [],
  comment: null,
  extra: null,
} satisfies Partial<TableSchema>

/**
 * SQL-070: adds a panel on top, expanded, with loading metadata. An existing one is expanded, and loaded again if that failed
 * before.
 */
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
  if (there) {
    const toRead = there.selectStar === null && { isMetadataLoading: true, isExtraMetadataLoading: true }
    return changeTable(state, there.id, { expanded: true, ...toRead })
  }
  return {
    ...state,
    tables: [
      {
        ...emptyMetadata,
        ...table,
        expanded: true,
        dataPreviewQueryId: null,
        isMetadataLoading: true,
        isExtraMetadataLoading: true,
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
