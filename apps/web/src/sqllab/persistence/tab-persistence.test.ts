import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore, type StoreApi } from 'zustand'
import type { SqlLabState } from '../state.ts'
import { addTab, changeTab, closeTab } from '../tabs.ts'
import { FakeLargeStorage, editorFixture, FakeLocalStorage, stateFixture } from './persistence.testing.ts'
import { TabPersistence, type TabPersistenceEvents, type WindowMessage } from './tab-persistence.ts'
import { LocalTabs, hashText } from './local-tabs.ts'
import type { TabConflict } from './merge.ts'

interface Window {
  store: StoreApi<SqlLabState>
  persistence: TabPersistence
  sent: WindowMessage[]
  conflicts: TabConflict[]
  events: { [name in keyof TabPersistenceEvents]: ReturnType<typeof vi.fn> }
}

let small: FakeLocalStorage
let large: FakeLargeStorage
beforeEach(() => {
  small = new FakeLocalStorage()
  large = new FakeLargeStorage()
})

function openWindow(): Window {
  const local = new LocalTabs(small, large, 1)
  const { tabs } = local.read(0)
  const store = createStore<SqlLabState>(() => stateFixture(...tabs.map((tab) => tab.editor)))
  const sent: WindowMessage[] = []
  const conflicts: TabConflict[] = []
  const events = {
    trouble: vi.fn(),
    conflict: vi.fn((conflict: TabConflict) => void conflicts.push(conflict)),
    changed: vi.fn(),
    settled: vi.fn(),
    closed: vi.fn(),
  }
  const channel = { postMessage: (message: WindowMessage) => void sent.push(structuredClone(message)) }
  const persistence = new TabPersistence(store, local, channel, events)
  persistence.start(tabs)
  sent.length = 0
  return { store, persistence, sent, conflicts, events }
}
const type = ({ store }: Window, sql: string) => store.setState((state) => changeTab(state, 'a', { sql }))
const sqlOf = ({ store }: Window) => store.getState().queryEditors.find(({ id }) => id === 'a')?.sql
const storedSql = () => new LocalTabs(small, new FakeLargeStorage(), 1).read(0).tabs[0]?.editor.sql
const deliver = (from: Window, to: Window) => {
  for (const message of from.sent.splice(0)) to.persistence.receive(message)
}

function twoWindows(): [Window, Window] {
  const one = openWindow()
  one.store.setState((state) => addTab(state, editorFixture('a', { sql: 'first' })))
  const two = openWindow()
  one.sent.length = 0
  deliver(two, one)
  return [one, two]
}

describe('persistence', () => {
  it('stores every keystroke in the browser before anything else happens', () => {
    const [one] = twoWindows()
    type(one, 'select 1')
    expect(storedSql()).toBe('select 1')
    type(one, 'select 12')
    expect(storedSql()).toBe('select 12')
    expect(one.events.changed).toHaveBeenLastCalledWith('a', ['sql'])
  })

  it('regression: stores text typed while the server’s state of the tab is loading', () => {
    twoWindows()
    const again = openWindow()
    again.store.setState((state) => changeTab(state, 'a', { loaded: false }))
    type(again, 'first and typed')
    expect(storedSql()).toBe('first and typed')
    expect(again.events.changed.mock.calls).toEqual([['a', ['sql']]])
  })

  it('stores nothing of a tab whose text is in the larger store before that text is loaded', async () => {
    const [one] = twoWindows()
    type(one, 'x'.repeat(600_000))
    one.persistence.flush()
    await vi.waitFor(() => expect(storedSql()).toBe(''))
    const again = openWindow()
    again.store.setState((state) => changeTab(state, 'a', { loaded: false }))
    again.store.setState((state) => changeTab(state, 'a', { name: 'other' }))
    again.persistence.flush()
    expect(small.kept.get('parquetry.sqllab.1.tab.a')).not.toContain('other')
  })

  it('writes a large text with a delay, and immediately when the page is left', () => {
    const [one] = twoWindows()
    const large = 'x'.repeat(150_000)
    type(one, large)
    expect(storedSql()).toBe('first')
    one.persistence.flush()
    expect(storedSql()).toBe(large)
  })

  it('warns before leaving while a text is neither in the browser nor on the server', async () => {
    const [one] = twoWindows()
    expect(one.persistence.isAtRisk).toBe(false)
    small.letters = 0
    large.isFull = true
    type(one, 'select 2')
    await vi.waitFor(() => expect(one.events.trouble).toHaveBeenLastCalledWith('full'))
    expect(one.persistence.isAtRisk).toBe(true)
    one.persistence.sent('a', ['sql'], 7, { mark: hashText('select 2'), version: 1 })
    expect(one.persistence.isAtRisk).toBe(false)
    type(one, 'select 3')
    expect(one.persistence.isAtRisk).toBe(true)
    large.isFull = false
    small.letters = Infinity
    type(one, 'select 4')
    await vi.waitFor(() => expect(one.persistence.isAtRisk).toBe(false))
  })

  it('removes a closed tab from storage, and closes it in the other window', () => {
    const [one, two] = twoWindows()
    one.store.setState((state) => closeTab(state, 'a', 1))
    expect(storedSql()).toBeUndefined()
    deliver(one, two)
    expect(two.store.getState().queryEditors).toEqual([])
    expect(two.events.closed).not.toHaveBeenCalled()
  })
})

describe('two windows on one tab', () => {
  it('shows text typed in one window in the other, which does not send it on', () => {
    const [one, two] = twoWindows()
    type(one, 'select 2')
    deliver(one, two)
    expect(sqlOf(two)).toBe('select 2')
    expect(two.events.changed).not.toHaveBeenCalled()
    expect(two.sent).toEqual([])
    type(two, 'select 3')
    deliver(two, one)
    expect(sqlOf(one)).toBe('select 3')
    expect(one.conflicts).toEqual([])
  })

  it('reports a conflict for simultaneous typing and overwrites neither text', () => {
    const [one, two] = twoWindows()
    type(one, 'of one')
    type(two, 'of two')
    deliver(one, two)
    expect(two.conflicts).toMatchObject([{ tabId: 'a', theirs: { sql: 'of one' } }])
    expect(sqlOf(two)).toBe('of two')
    expect(sqlOf(one)).toBe('of one')
  })

  it('a window that only recorded the server’s state causes no conflict', () => {
    const [one, two] = twoWindows()
    two.persistence.sent('a', [], 9, { mark: hashText('first'), version: 3 })
    two.persistence.flush()
    type(one, 'typed meanwhile')
    deliver(two, one)
    deliver(one, two)
    expect([sqlOf(one), sqlOf(two)]).toEqual(['typed meanwhile', 'typed meanwhile'])
    expect([...one.conflicts, ...two.conflicts]).toEqual([])
  })

  it('applies the chosen side in both windows', () => {
    const [one, two] = twoWindows()
    type(one, 'of one')
    type(two, 'of two')
    deliver(one, two)
    deliver(two, one)
    expect(one.conflicts).toHaveLength(1)
    two.persistence.claim('a')
    deliver(two, one)
    expect(sqlOf(one)).toBe('of two')
    expect(one.events.settled).toHaveBeenCalledWith('a')
    type(one, 'on top')
    deliver(one, two)
    expect(sqlOf(two)).toBe('on top')
    expect(two.conflicts).toHaveLength(1)
  })

  it('opens a new tab in the other window too', () => {
    const [one, two] = twoWindows()
    one.store.setState((state) => addTab(state, editorFixture('b')))
    deliver(one, two)
    expect(two.store.getState().queryEditors.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(two.store.getState().activeId).toBe('a')
  })

  it('does not send again what the other window sent to the server', () => {
    const [one, two] = twoWindows()
    type(one, 'select 4')
    one.persistence.sent('a', ['sql'], 9, { mark: hashText('select 4'), version: 2 })
    one.persistence.flush()
    deliver(one, two)
    expect(two.persistence.syncState('a').base).toEqual({ mark: hashText('select 4'), version: 2 })
    expect(two.persistence.syncState('a').dirty.has('sql')).toBe(false)
    expect(two.store.getState().queryEditors[0]?.tabStateId).toBe(9)
  })
})
