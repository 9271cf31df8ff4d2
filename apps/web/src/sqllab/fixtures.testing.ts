import type { Query, TableSchema } from './state.ts'
import { emptyMetadata } from './tables.ts'

/** A successful run without its rows. */
export const queryFixture = (part: Partial<Query> = {}): Query => ({
  id: 'query',
  dbId: 1,
  sql: 'select 1',
  sqlEditorId: 'tab',
  tab: 'Untitled Query 1',
  catalog: null,
  schema: 'main',
  runAsync: false,
  tempTable: null,
  ctas: false,
  ctas_method: null,
  templateParams: '{}',
  queryLimit: 1000,
  state: 'success',
  progress: 100,
  startDttm: 0,
  endDttm: 100,
  cached: false,
  isDataPreview: false,
  resultsKey: null,
  from: 0,
  rows: 1,
  error: null,
  view: null,
  results: null,
  ...part,
})

export const tableFixture = (part: Partial<TableSchema> = {}): TableSchema => ({
  id: 'table',
  dbId: 1,
  queryEditorId: 'tab',
  catalog: null,
  schema: 'main',
  name: 'orders',
  expanded: true,
  ...emptyMetadata,
  dataPreviewQueryId: null,
  isMetadataLoading: false,
  isExtraMetadataLoading: false,
  tableStateId: null,
  ...part,
})
