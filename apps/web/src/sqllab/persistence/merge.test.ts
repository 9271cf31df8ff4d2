import { describe, expect, it } from 'vitest'
import { editorFixture, tabDefaults, tabStateFixture } from './persistence.testing.ts'
import { hashText, type StoredTab } from './local-tabs.ts'
import { openTabs, mergeTabState } from './merge.ts'

let createdCount = 0
const createTab = () => ({ id: `new${++createdCount}`, ...tabDefaults })
const storedTab = (id: string, part: Partial<StoredTab['editor']> = {}, rest: Partial<StoredTab> = {}): StoredTab => ({
  editor: editorFixture(id, part),
  tables: [],
  queries: [],
  dirty: [],
  version: 'v',
  before: null,
  base: null,
  at: 1,
  ...rest,
})
const index = { order: [], activeId: '', closed: [] }

describe('opening SQL Lab', () => {
  it('SQL-065: loads only the names of 30 server tabs until they are shown', () => {
    const tabs = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, label: `Query ${index}` }))
    const { state, unsent } = openTabs({ tabs: [], index }, { tabs }, createTab, 0)
    expect(state.queryEditors).toHaveLength(30)
    expect(state.queryEditors.every(({ loaded }) => !loaded)).toBe(true)
    expect(unsent).toEqual([])
  })

  it('SQL-066: without persistence, everything is available immediately', () => {
    const { state } = openTabs({ tabs: [storedTab('a', { tabStateId: 4 })], index }, null, createTab, 0)
    expect(state.queryEditors).toMatchObject([{ id: 'a', loaded: true, sql: "select 'a'" }])
  })

  it('shows a tab that both sides know once, immediately with the browser’s text', () => {
    const { state } = openTabs(
      { tabs: [storedTab('a', { tabStateId: 4 })], index },
      { tabs: [{ id: 4, label: 'x' }] },
      createTab,
      0,
    )
    expect(state.queryEditors).toMatchObject([{ id: 'a', sql: "select 'a'", loaded: false, tabStateId: 4 }])
  })

  it('preserves the order of the tabs, also of tabs that were not shown yet', () => {
    const row = { ...index, order: ['p', 'a'], unloaded: [{ id: 'p', tabStateId: 1 }], activeId: 'p' }
    const listed = { tabs: [1, 2, 4].map((id) => ({ id, label: `${id}` })) }
    const { state } = openTabs({ tabs: [storedTab('a', { tabStateId: 4 })], index: row }, listed, createTab, 0)
    expect(state.queryEditors.map(({ tabStateId }) => tabStateId)).toEqual([1, 4, 2])
    expect(state.activeId).toBe('p')
  })

  it('moves tabs unknown to the server there', () => {
    expect(openTabs({ tabs: [storedTab('a')], index }, { tabs: [] }, createTab, 0).unsent).toEqual(['a'])
  })

  it('recognizes by its key a tab that the server stored without its response arriving', () => {
    const listed = { tabs: [{ id: 4, label: 'x', clientKey: 'a' }] }
    const { state, unsent } = openTabs({ tabs: [storedTab('a', {}, { dirty: ['sql'] })], index }, listed, createTab, 0)
    expect(state.queryEditors).toMatchObject([{ id: 'a', tabStateId: 4, sql: "select 'a'", loaded: false }])
    expect(unsent).toEqual([])
  })

  it('removes a tab closed elsewhere but can restore it; a tab with unsent text stays', () => {
    const tabs = [storedTab('a', { tabStateId: 4 }), storedTab('b', { tabStateId: 5 }, { dirty: ['sql'] })]
    const { state, unsent } = openTabs({ tabs, index }, { tabs: [] }, createTab, 9)
    expect(state.queryEditors).toMatchObject([{ id: 'b', tabStateId: null, loaded: true }])
    expect(state.closed).toMatchObject([{ editor: { id: 'a' }, at: 9 }])
    expect(unsent).toEqual(['b'])
  })
})

describe('the server’s state of a tab', () => {
  const mine = (...dirty: StoredTab['dirty']) => ({
    dirty: new Set(dirty),
    base: { mark: hashText('select 1'), version: 1 },
  })

  it('SQL-043: fills every field of the tab', () => {
    const state = tabStateFixture(4, {
      label: 'Orders',
      sql: 'select 2',
      autorun: true,
      database_id: 3,
      template_params: '{"a": 1}',
      schema: 's',
      query_limit: 50,
      hide_left_bar: true,
      saved_query: { id: 8 },
    })
    expect(mergeTabState(editorFixture('a', { loaded: false }), state, mine()).editor).toMatchObject({
      id: 'a',
      name: 'Orders',
      sql: 'select 2',
      autorun: true,
      dbId: 3,
      templateParams: '{"a": 1}',
      schema: 's',
      queryLimit: 50,
      hideLeftBar: true,
      remoteId: 8,
      tabStateId: 4,
      loaded: true,
    })
  })

  it('does not overwrite unsent local changes', () => {
    const { editor: taken, conflict } = mergeTabState(
      editorFixture('a', { sql: 'mine' }),
      tabStateFixture(4, { label: 'new' }),
      mine('sql'),
    )
    expect(taken).toMatchObject({ sql: 'mine', name: 'new' })
    expect(conflict).toBeNull()
  })

  it('reports a conflict for a text changed on both sides, and the local text stays until the user chooses', () => {
    const { editor: taken, conflict } = mergeTabState(
      editorFixture('a', { sql: 'mine' }),
      tabStateFixture(4, { sql: 'theirs', version: 3 }),
      mine('sql'),
    )
    expect(taken.sql).toBe('mine')
    expect(conflict).toMatchObject({ tabId: 'a', theirs: { sql: 'theirs' }, base: { version: 3 } })
  })

  it('reports no conflict for the same change on both sides', () => {
    expect(
      mergeTabState(editorFixture('a', { sql: 'x' }), tabStateFixture(4, { sql: 'x', version: 3 }), mine('sql'))
        .conflict,
    ).toBeNull()
  })
})
