import { describe, expect, it } from 'vitest'
import { changeQuery, listTabQueries, removeQuery, startQuery } from './queries.ts'
import type { Query, QueryEditor, SqlLabState } from './state.ts'
import { addTable, changeTable, removeTable, listTabTables } from './tables.ts'
import {
  activateTab,
  findActiveTab,
  addTab,
  changeTab,
  chooseDatabase,
  cloneTab,
  dropPlaceholder,
  closeOthers,
  closeTab,
  hasUnsavedSql,
  isUntouchedSql,
  limitChoices,
  moveTab,
  newEditor,
  nextTabName,
  restoreTab,
} from './tabs.ts'

const empty: SqlLabState = { queryEditors: [], activeId: '', tables: [], queries: {}, closed: [] }
const editor = (id: string, part: Partial<QueryEditor> = {}) =>
  newEditor({ id, queryLimit: 1000, maxRow: 100_000 }, { dbId: 1, ...part })
const withTabs = (...ids: string[]) => ids.reduce((state, id) => addTab(state, editor(id, { name: id })), empty)
const names = (state: SqlLabState) => state.queryEditors.map(({ name }) => name)
const query = (id: string, part: Partial<Query> = {}): Query => ({
  id,
  dbId: 1,
  sql: 'select 1',
  sqlEditorId: 'a',
  tab: 'a',
  catalog: null,
  schema: null,
  runAsync: false,
  tempTable: null,
  ctas: false,
  ctas_method: null,
  templateParams: '{}',
  queryLimit: 1000,
  state: 'running',
  progress: 0,
  startDttm: 1,
  endDttm: null,
  cached: false,
  isDataPreview: false,
  resultsKey: null,
  from: 0,
  rows: null,
  error: null,
  view: null,
  results: null,
  ...part,
})

describe('tabs', () => {
  it('SQL-023, SQL-024: a new tab is Untitled Query N, one past the highest number', () => {
    expect(nextTabName([])).toBe('Untitled Query 1')
    expect(nextTabName([{ name: 'Untitled Query 1' }, { name: 'Untitled Query 4' }, { name: 'Orders' }])).toBe(
      'Untitled Query 5',
    )
  })

  it('SQL-004, SQL-063, SQL-064: a new tab is active, and another one can be activated', () => {
    const state = withTabs('a', 'b')
    expect(findActiveTab(state)?.id).toBe('b')
    expect(findActiveTab(activateTab(state, 'a'))?.id).toBe('a')
    expect(activateTab(state, 'unknown')).toBe(state)
  })

  it('SQL-037, SQL-038, SQL-039: the current database, else the default one, else the lowest id', () => {
    const databases = [{ id: 3 }, { id: 2 }, { id: 7 }]
    expect(chooseDatabase(7, 3, databases)).toBe(7)
    expect(chooseDatabase(9, 3, databases)).toBe(3)
    expect(chooseDatabase(null, null, databases)).toBe(2)
    expect(chooseDatabase(null, null, [])).toBeNull()
  })

  it('SQL-040, SQL-041: a new tab has no text of its own, and comments alone count as untouched', () => {
    expect(editor('a').sql).toBe('')
    expect(isUntouchedSql('SELECT ...')).toBe(true)
    expect(isUntouchedSql('-- Tabs are kept in this browser only.\nSELECT ...')).toBe(true)
    expect(isUntouchedSql('  \n')).toBe(true)
    expect(isUntouchedSql('-- a note\n/* and\nanother */ -- end')).toBe(true)
    expect(isUntouchedSql('-- a note\nselect 1')).toBe(false)
    expect(isUntouchedSql('/* a note */ select 1')).toBe(false)
  })

  it('SQL-040: the placeholder that other clients store as a text is removed, and nothing else is', () => {
    expect(dropPlaceholder('SELECT ...')).toBe('')
    expect(dropPlaceholder('-- a note\nSELECT ...\n')).toBe('-- a note\n')
    for (const sql of ['', '-- a note\n', 'SELECT ... FROM t', 'SELECT 1; SELECT ...'])
      expect(dropPlaceholder(sql)).toBe(sql)
  })

  it('SQL-025 to SQL-030, SQL-042: a tab has the fields of a query editor, separate from other tabs', () => {
    const fields =
      'id name dbId schema sql selectedText queryLimit templateParams autorun latestQueryId remoteId loaded hideLeftBar validationResult functionNames maxRow'
    expect(Object.keys(editor('a'))).toEqual(expect.arrayContaining(fields.split(' ')))
    expect(Object.keys(editor('a').validationResult)).toEqual(['id', 'errors', 'completed'])
    const state = changeTab(withTabs('a', 'b'), 'a', {
      hideLeftBar: true,
      dbId: 5,
      schema: 'x',
      queryLimit: 10,
      templateParams: '{"a": 1}',
      autorun: true,
    })
    expect(state.queryEditors[0]).toMatchObject({
      hideLeftBar: true,
      dbId: 5,
      schema: 'x',
      queryLimit: 10,
      templateParams: '{"a": 1}',
      autorun: true,
    })
    expect(state.queryEditors[1]).toMatchObject({
      hideLeftBar: false,
      dbId: 1,
      schema: null,
      queryLimit: 1000,
      templateParams: '{}',
      autorun: false,
    })
  })

  it('SQL-034: a clone is Copy of {name}, beside the original, with its panels but without its history', () => {
    let state = changeTab(withTabs('a', 'b'), 'a', { remoteId: 4, latestQueryId: 'q', tabStateId: 9, sql: 'select 1' })
    state = addTable(state, { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' })
    state = cloneTab(state, 'a', 'c')
    expect(names(state)).toEqual(['a', 'Copy of a', 'b'])
    expect(findActiveTab(state)).toMatchObject({
      id: 'c',
      sql: 'select 1',
      remoteId: null,
      latestQueryId: null,
      tabStateId: null,
    })
    expect(listTabTables(state, 'c')).toMatchObject([{ name: 'orders', tableStateId: null }])
    expect(new Set(state.tables.map(({ id }) => id)).size).toBe(2)
  })

  it('SQL-035, SQL-067: closing removes panels and queries, and activates the neighbor', () => {
    let state = startQuery(withTabs('a', 'b', 'c'), query('q'))
    state = addTable(state, { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' })
    state = closeTab(activateTab(state, 'a'), 'a', 5)
    expect(names(state)).toEqual(['b', 'c'])
    expect(state.activeId).toBe('b')
    expect(state.tables).toEqual([])
    expect(state.queries).toEqual({})
    expect(closeTab(activateTab(state, 'c'), 'c', 6).activeId).toBe('b')
    expect(closeTab(closeTab(state, 'b', 6), 'c', 7).activeId).toBe('')
  })

  it('restores closed tabs unchanged, the last one first', () => {
    let state = addTable(withTabs('a', 'b'), {
      id: 't',
      dbId: 1,
      queryEditorId: 'a',
      catalog: null,
      schema: 's',
      name: 'orders',
    })
    state = closeTab(closeTab(changeTab(state, 'a', { sql: 'select 5', tabStateId: 3 }), 'a', 1), 'b', 2)
    expect(names(restoreTab(state))).toEqual(['b'])
    const restored = restoreTab(state, 'a')
    expect(findActiveTab(restored)).toMatchObject({ id: 'a', sql: 'select 5', tabStateId: null })
    expect(listTabTables(restored, 'a')).toHaveLength(1)
    expect(restored.closed.map(({ editor: { id } }) => id)).toEqual(['b'])
  })

  it('SQL-036: closes all other tabs, which can be restored', () => {
    const tabs = withTabs('a', 'b', 'c')
    expect(closeOthers(tabs, 'b', 1)).toMatchObject({
      queryEditors: [{ id: 'b' }],
      activeId: 'b',
      closed: [{ editor: { id: 'a' } }, { editor: { id: 'c' } }],
    })
    // An inactive tab at the end of the row.
    expect(closeOthers(activateTab(tabs, 'a'), 'c', 1).activeId).toBe('c')
  })

  it('moves tabs', () => {
    expect(names(moveTab(withTabs('a', 'b', 'c'), 'a', 2))).toEqual(['b', 'c', 'a'])
    expect(names(moveTab(withTabs('a', 'b', 'c'), 'c', 0))).toEqual(['c', 'a', 'b'])
    expect(names(moveTab(withTabs('a', 'b', 'c'), 'b', 99))).toEqual(['a', 'c', 'b'])
    expect(names(moveTab(withTabs('a', 'b', 'c'), 'b', -3))).toEqual(['b', 'a', 'c'])
  })

  it('SQL-069: a tab differs from its saved query while the texts differ', () => {
    expect(hasUnsavedSql(editor('a'))).toBe(false)
    expect(hasUnsavedSql(editor('a', { sql: 'select 1' }))).toBe(true)
    expect(hasUnsavedSql(editor('a', { sql: 'select 1', remoteId: 3, savedSql: 'select 1' }))).toBe(false)
    expect(hasUnsavedSql(editor('a', { sql: 'select 2', remoteId: 3, savedSql: 'select 1' }))).toBe(true)
  })

  it('SQL-118: offers these limits', () => {
    expect(limitChoices).toEqual([10, 50, 100, 250, 500, 1000, 5000, 10000, 50000])
  })
})

describe('table panels', () => {
  const table = { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' }

  it('SQL-031, SQL-045, SQL-070: adds a panel once, on top, with loading metadata', () => {
    let state = addTable(withTabs('a'), table)
    const fields =
      'id dbId queryEditorId schema name expanded columns selectStar primaryKey foreignKeys indexes dataPreviewQueryId isMetadataLoading isExtraMetadataLoading'
    expect(Object.keys(state.tables[0] ?? {})).toEqual(expect.arrayContaining(fields.split(' ')))
    expect(state.tables[0]).toMatchObject({ expanded: true, isMetadataLoading: true, isExtraMetadataLoading: true })
    state = addTable(changeTable(state, 't', { expanded: false }), { ...table, id: 'again' })
    expect(state.tables).toMatchObject([{ id: 't', expanded: true }])
    expect(addTable(state, { ...table, id: 'u', schema: 'other' }).tables.map(({ id }) => id)).toEqual(['u', 't'])
  })

  it('SQL-070: loads a reopened panel again only if nothing is known of it', () => {
    const failed = changeTable(addTable(withTabs('a'), table), 't', { isMetadataLoading: false })
    expect(addTable(failed, table).tables[0]?.isMetadataLoading).toBe(true)
    const known = changeTable(failed, 't', { selectStar: 'SELECT 1' })
    expect(addTable(known, table).tables[0]?.isMetadataLoading).toBe(false)
  })

  it('SQL-072, SQL-073: a panel is collapsed and removed', () => {
    const state = changeTable(addTable(withTabs('a'), table), 't', { expanded: false })
    expect(state.tables[0]?.expanded).toBe(false)
    expect(removeTable(state, 't').tables).toEqual([])
  })
})

describe('queries of a tab', () => {
  it('SQL-044, SQL-057: a started query has its fields and is the tab’s latest', () => {
    const state = startQuery(withTabs('a'), query('q'))
    const fields =
      'id dbId sql sqlEditorId tab schema runAsync tempTable ctas ctas_method templateParams queryLimit state progress startDttm cached isDataPreview resultsKey'
    expect(Object.keys(state.queries['q'] ?? {})).toEqual(expect.arrayContaining(fields.split(' ')))
    expect(findActiveTab(state)?.latestQueryId).toBe('q')
  })

  it('SQL-032: a data preview does not replace the latest query', () => {
    const state = startQuery(startQuery(withTabs('a'), query('q')), query('p', { isDataPreview: true }))
    expect(findActiveTab(state)?.latestQueryId).toBe('q')
    expect(Object.keys(state.queries)).toEqual(['q', 'p'])
  })

  it('SQL-062: clears results but not the query', () => {
    const results = { answer: {} as never, frame: { rows: 0, columns: [] } }
    const state = changeQuery(startQuery(withTabs('a'), query('q', { results })), 'q', { results: null })
    expect(state.queries['q']).toMatchObject({ results: null, sql: 'select 1' })
  })

  it('does not restore a query of a closed tab on a late response', () => {
    const state = closeTab(startQuery(withTabs('a', 'b'), query('q')), 'a', 1)
    expect(changeQuery(state, 'q', { state: 'success' })).toBe(state)
  })

  it('makes the newest remaining query the latest after the latest is removed', () => {
    let state = startQuery(withTabs('a'), query('old', { startDttm: 1 }))
    state = startQuery(state, query('new', { startDttm: 2 }))
    expect(listTabQueries(state, 'a').map(({ id }) => id)).toEqual(['new', 'old'])
    expect(findActiveTab(removeQuery(state, 'new'))?.latestQueryId).toBe('old')
    expect(findActiveTab(removeQuery(removeQuery(state, 'new'), 'old'))?.latestQueryId).toBeNull()
  })
})
