import { ApiError } from '@parquetry/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand'
import type { QueryEditor, SqlLabState } from '../state.ts'
import { addTable, changeTable, removeTable } from '../tables.ts'
import { activateTab, changeTab, closeTab, restoreTab } from '../tabs.ts'
import {
  FakeLargeStorage,
  editorFixture,
  FakeLocalStorage,
  stateFixture,
  tabStateFixture,
} from './persistence.testing.ts'
import { TabPersistence } from './tab-persistence.ts'
import { LocalTabs, hashText, type SyncedField } from './local-tabs.ts'
import type { TabConflict } from './merge.ts'
import { ServerSync, type SyncFailure } from './server-sync.ts'
import type { ServerTabs } from './server-tabs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(...editors: QueryEditor[]) {
  const calls: [name: string, ...values: unknown[]][] = []
  const failing = new Map<string, ApiError>()
  const slow = new Map<string, Promise<unknown>>()
  const states = new Map([[4, tabStateFixture(4, { sql: 'select 1', version: 1 })]])
  let created = { id: 50, version: 1, existed: false }
  const call =
    <T>(name: string, answer: (...values: never[]) => T) =>
    async (...values: unknown[]): Promise<T> => {
      if (slow.has(name)) await slow.get(name)
      calls.push([name, ...values])
      const error = failing.get(name)
      if (error) throw error
      return answer(...(values as never[]))
    }
  const server = {
    boot: call('boot', () => ({ tab_state_ids: [], active_tab: null })),
    create: call('create', () => created),
    load: call('load', (id: number) => {
      const state = states.get(id)
      if (!state) throw new ApiError(404, 'gone')
      return state
    }),
    save: call('save', () => 2),
    remove: call('remove', () => 'OK'),
    activate: call('activate', () => 1),
    migrateQuery: call('migrateQuery', () => 1),
    removeQuery: call('removeQuery', () => 'OK'),
    addTable: call('addTable', () => 77),
    expandTable: call('expandTable', () => ({})),
    removeTable: call('removeTable', () => 'OK'),
  } as unknown as ServerTabs
  const store = createStore<SqlLabState>(() => stateFixture(...editors))
  const failures: SyncFailure[] = []
  const conflicts: TabConflict[] = []
  const stuck: boolean[] = []
  const cuts: number[] = []
  let sync: ServerSync | undefined
  const persistence = new TabPersistence(
    store,
    new LocalTabs(new FakeLocalStorage(), new FakeLargeStorage(), 1),
    null,
    {
      trouble: () => {},
      conflict: (conflict) => void conflicts.push(conflict),
      settled: () => {},
      changed: (id, fields) => sync?.changed(id, fields),
      closed: (closed) => sync?.closed(closed),
    },
  )
  persistence.start([])
  for (const { id, tabStateId, sql } of editors)
    if (tabStateId !== null) persistence.syncState(id).base = { mark: hashText(sql), version: 1 }
  sync = new ServerSync(store, persistence, server, {
    failed: (failure) => void failures.push(failure),
    conflict: (conflict) => void conflicts.push(conflict),
    stuck: (isStuck) => void stuck.push(isStuck),
    cut: () => void cuts.push(Date.now()),
  })
  const change = (part: Partial<QueryEditor>) => store.setState((state) => changeTab(state, 'a', part))
  const named = (name: string) => calls.filter(([called]) => called === name)
  const answerCreate = (answer: typeof created): void => void (created = answer)
  return {
    store,
    persistence,
    sync,
    calls,
    named,
    slow,
    answerCreate,
    failing,
    states,
    failures,
    conflicts,
    stuck,
    cuts,
    change,
  }
}
const onServer = () => editorFixture('a', { tabStateId: 4, sql: 'select 1' })

describe('saving to the server', () => {
  it('PERM-027: sends a text within two seconds of typing, once, with the version last seen', async () => {
    const { change, named, sync } = open(onServer())
    sync.start([])
    for (const sql of ['select 2', 'select 23', 'select 234']) {
      change({ sql })
      await vi.advanceTimersByTimeAsync(600)
    }
    expect(named('save')).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(named('save')).toMatchObject([['save', 4, { sql: 'select 234' }, ['sql'], 1, false]])
  })

  it('sends text typed during a call after it, based on its version', async () => {
    const { change, named, sync } = open(onServer())
    sync.start([])
    change({ sql: 'one' })
    await vi.advanceTimersByTimeAsync(2000)
    change({ sql: 'two' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(named('save').map(([, , tab, , version]) => [(tab as QueryEditor).sql, version])).toEqual([
      ['one', 1],
      ['two', 2],
    ])
  })

  const fields: [SyncedField, Partial<QueryEditor>][] = [
    ['latestQueryId', { latestQueryId: 'q' }],
    ['sql', { sql: 'new' }],
    ['dbId', { dbId: 9 }],
    ['schema', { schema: 'other' }],
    ['autorun', { autorun: true }],
    ['name', { name: 'Orders' }],
    ['templateParams', { templateParams: '{"a": 1}' }],
    ['queryLimit', { queryLimit: 10 }],
    ['hideLeftBar', { hideLeftBar: true }],
  ]
  it('SQL-089 to SQL-097: reports a field that cannot be stored once, keeps it locally, and retries', async () => {
    for (const [field, part] of fields) {
      const { change, failing, failures, named, stuck, sync, persistence } = open(onServer())
      sync.start([])
      failing.set('save', new ApiError(500, 'no room'))
      change(part)
      await vi.advanceTimersByTimeAsync(25_000)
      expect(failures).toEqual([{ what: 'store', fields: [field] }])
      expect(stuck.at(-1)).toBe(true)
      expect([...persistence.syncState('a').dirty]).toEqual([field])
      failing.clear()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(named('save').at(-1)?.[3]).toEqual([field])
      expect(stuck.at(-1)).toBe(false)
      expect(persistence.syncState('a').dirty.size).toBe(0)
    }
  })

  it('reports a lost connection instead of a failure, and sends everything when it is back', async () => {
    const { change, cuts, failing, failures, named, stuck, sync } = open(onServer())
    sync.start([])
    failing.set('save', new ApiError(0, 'Network error.'))
    change({ sql: 'offline' })
    await vi.advanceTimersByTimeAsync(3000)
    expect(failures).toMatchObject([])
    expect(cuts).toHaveLength(1)
    failing.clear()
    sync.retry()
    await vi.advanceTimersByTimeAsync(10)
    expect(named('save').at(-1)?.[2]).toMatchObject({ sql: 'offline' })
    expect(stuck).toEqual([false])
  })

  it('shows a text that another user changed too, and overwrites it only by choice', async () => {
    const { change, failing, states, conflicts, store, sync, named, persistence } = open(onServer())
    sync.start([])
    states.set(4, tabStateFixture(4, { sql: 'theirs', version: 5 }))
    failing.set('save', new ApiError(409, 'conflict'))
    change({ sql: 'mine' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(conflicts).toMatchObject([{ tabId: 'a', theirs: { sql: 'theirs' }, base: { version: 5 } }])
    expect(store.getState().queryEditors[0]?.sql).toBe('mine')
    failing.clear()
    change({ latestQueryId: 'q' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(named('save')).toHaveLength(1)
    persistence.syncState('a').base = { mark: hashText('theirs'), version: 5 }
    sync.resolveConflict('a', true)
    await vi.advanceTimersByTimeAsync(10)
    expect(named('save').at(-1)).toMatchObject(['save', 4, { sql: 'mine' }, ['sql', 'latestQueryId'], 5, false])
  })

  it('sends after a new tab only what changed during its creation, and its run', async () => {
    const { change, named, sync } = open(editorFixture('a'))
    sync.start([])
    change({ sql: 'select 1' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect([named('create').length, named('save')]).toEqual([1, []])

    const other = open(editorFixture('a'))
    const arrived = Promise.withResolvers<void>()
    other.slow.set('create', arrived.promise)
    other.sync.start([])
    other.change({ sql: 'select 1' })
    other.change({ latestQueryId: 'q' })
    await vi.advanceTimersByTimeAsync(2000)
    other.change({ queryLimit: 50 })
    arrived.resolve()
    await vi.advanceTimersByTimeAsync(2000)
    expect(other.named('save').map(([, , , fields]) => fields)).toEqual([['latestQueryId', 'queryLimit']])
  })

  it('regression: after creating several tabs, or clicking another one, the active tab here is active on the server', async () => {
    const several = open(editorFixture('b'), editorFixture('a'), editorFixture('c', { tabStateId: 7 }))
    several.sync.start(['b', 'a'])
    await vi.advanceTimersByTimeAsync(100)
    expect(several.named('create').length).toBe(2)
    expect(several.named('activate')).toEqual([['activate', 50]])

    const clicked = open(editorFixture('a'), editorFixture('b', { tabStateId: 7 }))
    const arrived = Promise.withResolvers<void>()
    clicked.slow.set('create', arrived.promise)
    clicked.sync.start(['a'])
    await vi.advanceTimersByTimeAsync(100)
    clicked.store.setState((state) => activateTab(state, 'b'))
    arrived.resolve()
    await vi.advanceTimersByTimeAsync(100)
    const order = clicked.calls.map(([name]) => name).filter((name) => name === 'create' || name === 'activate')
    expect(order).toEqual(['activate', 'create', 'activate'])

    const alone = open(editorFixture('a'))
    alone.sync.start(['a'])
    await vi.advanceTimersByTimeAsync(100)
    expect(alone.named('activate')).toEqual([])
  })

  it('recreates a tab deleted on the server with its text', async () => {
    const { change, failing, named, store, sync } = open(onServer())
    sync.start([])
    failing.set('save', new ApiError(403, ''))
    change({ sql: 'mine' })
    await vi.advanceTimersByTimeAsync(2010)
    expect(named('create')).toMatchObject([['create', { sql: 'mine' }, false]])
    expect(store.getState().queryEditors[0]).toMatchObject({ tabStateId: 50, sql: 'mine' })
  })

  it('sends pending changes of a page being left with calls that outlive it', async () => {
    const { change, named, sync } = open(onServer())
    sync.start([])
    change({ sql: 'last words' })
    sync.flush(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(named('save')).toMatchObject([['save', 4, { sql: 'last words' }, ['sql'], 1, true]])
  })
})

describe('moving to the server', () => {
  it('SQL-098, SQL-101: warns once about a tab that cannot be moved and retries', async () => {
    const { failing, failures, named, store, sync } = open(editorFixture('a'))
    failing.set('create', new ApiError(500, 'no'))
    sync.start(['a'])
    await vi.advanceTimersByTimeAsync(15_000)
    expect(failures).toEqual([{ what: 'migrate', thing: 'tab' }])
    failing.clear()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(named('create').length).toBeGreaterThan(1)
    expect(store.getState().queryEditors[0]?.tabStateId).toBe(50)
  })

  it('finds the server tab again after the page was left before the response, with the local text', async () => {
    const first = open(editorFixture('a', { sql: 'select 1' }))
    first.failing.set('create', new ApiError(0, 'Network error.'))
    first.sync.start(['a'])
    await vi.advanceTimersByTimeAsync(100)
    first.change({ sql: 'select 12' })
    const { base, dirty } = first.persistence.syncState('a')
    const again = open(editorFixture('a', { sql: 'select 12' }))
    Object.assign(again.persistence.syncState('a'), { base, dirty })
    again.answerCreate({ id: 4, version: 1, existed: true })
    again.sync.start(['a'])
    await vi.advanceTimersByTimeAsync(3000)
    expect(again.store.getState().queryEditors).toMatchObject([{ id: 'a', tabStateId: 4, sql: 'select 12' }])
    expect(again.named('save')).toMatchObject([['save', 4, { sql: 'select 12' }, ['sql'], 1, false]])
    expect(again.conflicts).toEqual([])
  })

  it('recreates a tab restored during its removal only after the removal', async () => {
    const { store, sync, calls, slow } = open(onServer(), editorFixture('b', { tabStateId: 7 }))
    slow.set('remove', new Promise((resolve) => setTimeout(resolve, 3000)))
    sync.start([])
    store.setState((state) => closeTab(state, 'a', 1))
    store.setState((state) => restoreTab(state, 'a'))
    await vi.advanceTimersByTimeAsync(4000)
    const names = calls.map(([name]) => name).filter((name) => name === 'remove' || name === 'create')
    expect(names).toEqual(['remove', 'create'])
  })

  it('SQL-110: reports a new tab that the server refuses, and keeps it locally', async () => {
    const { failing, failures, store, sync, change } = open(editorFixture('a'))
    sync.start([])
    failing.set('create', new ApiError(500, 'no'))
    change({ sql: 'select 3' })
    await vi.advanceTimersByTimeAsync(3000)
    expect(failures).toEqual([{ what: 'add' }])
    expect(store.getState().queryEditors[0]?.sql).toBe('select 3')
  })

  it('SQL-099, SQL-100: moves its panels and queries too, and a failure of one is a warning', async () => {
    const { failing, failures, named, store, sync } = open(editorFixture('a'))
    store.setState((state) => ({
      ...changeTable(
        addTable(state, { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' }),
        't',
        { isMetadataLoading: false },
      ),
      queries: { q: { id: 'q', sqlEditorId: 'a', view: { sqlEditorId: 'a' } } as never },
    }))
    failing.set('addTable', new ApiError(500, 'no'))
    failing.set('migrateQuery', new ApiError(500, 'no'))
    sync.start(['a'])
    await vi.advanceTimersByTimeAsync(100)
    expect(failures).toEqual([
      { what: 'migrate', thing: 'table' },
      { what: 'migrate', thing: 'query' },
    ])
    expect(named('migrateQuery')).toEqual([['migrateQuery', 50, 'q']])
  })
})

describe('tabs on the server', () => {
  it('regression: quick changes of the active tab reach the server in order, without those in between', async () => {
    const tabs = ['a', 'b', 'c'].map((id, index) => editorFixture(id, { tabStateId: 4 + index }))
    const { store, sync, slow, named } = open(...tabs)
    sync.start([])
    let arrive = (): void => {}
    slow.set('activate', new Promise<void>((resolve) => (arrive = resolve)))
    for (const id of ['b', 'a', 'c']) store.setState((state) => activateTab(state, id))
    await vi.advanceTimersByTimeAsync(0)
    slow.delete('activate')
    store.setState((state) => activateTab(state, 'b'))
    store.setState((state) => activateTab(state, 'c'))
    await vi.advanceTimersByTimeAsync(0)
    expect(named('activate')).toEqual([])
    arrive()
    await vi.advanceTimersByTimeAsync(0)
    expect(named('activate')).toEqual([
      ['activate', 5],
      ['activate', 6],
    ])
  })

  it('SQL-065: a tab is fetched when it is first shown', async () => {
    const { store, sync, named } = open(
      editorFixture('b'),
      editorFixture('a', { tabStateId: 4, loaded: false, sql: '' }),
    )
    sync.start([])
    store.setState((state) => activateTab(state, 'a'))
    expect(await sync.load('a')).toBe(true)
    expect(store.getState().queryEditors[1]).toMatchObject({ loaded: true, sql: 'select 1' })
    expect(named('activate')).toEqual([['activate', 4]])
  })

  it('regression: preserves and sends text typed into a tab while its state is loading', async () => {
    const { change, conflicts, named, slow, store, sync } = open(
      editorFixture('b'),
      editorFixture('a', { tabStateId: 4, loaded: false, sql: 'select 1' }),
    )
    sync.start([])
    const answer = Promise.withResolvers<void>()
    slow.set('load', answer.promise)
    store.setState((state) => activateTab(state, 'a'))
    const loading = sync.load('a')
    change({ dbId: 2 })
    change({ sql: 'select 1 as typed' })
    answer.resolve()
    expect(await loading).toBe(true)
    expect(store.getState().queryEditors[1]).toMatchObject({ loaded: true, sql: 'select 1 as typed', dbId: 1 })
    expect(conflicts).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    expect(named('save')).toMatchObject([['save', 4, { sql: 'select 1 as typed' }, ['sql'], 1, false]])
  })

  it('SQL-102: reports a tab that cannot be fetched, which can be fetched again', async () => {
    const { failing, failures, sync, store } = open(editorFixture('a', { tabStateId: 4, loaded: false, sql: '' }))
    failing.set('load', new ApiError(500, 'no'))
    expect(await sync.load('a')).toBe(false)
    expect(failures).toEqual([{ what: 'load' }])
    failing.clear()
    expect(await sync.load('a')).toBe(true)
    expect(store.getState().queryEditors[0]?.loaded).toBe(true)
  })

  it('SQL-068, SQL-103: removes a tab that is not found, both on fetch and on activation', async () => {
    const { store, sync } = open(editorFixture('a', { tabStateId: 99, loaded: false, sql: '' }), editorFixture('b'))
    expect(await sync.load('a')).toBe(false)
    expect(store.getState().queryEditors.map(({ id }) => id)).toEqual(['b'])
    const other = open(editorFixture('b'), onServer())
    other.sync.start([])
    other.failing.set('activate', new ApiError(404, ''))
    other.store.setState((state) => activateTab(state, 'a'))
    await vi.advanceTimersByTimeAsync(0)
    expect(other.store.getState().queryEditors.map(({ id }) => id)).toEqual(['b'])
  })

  it('SQL-035: removes a closed tab on the server', async () => {
    const { store, sync, named } = open(onServer())
    sync.start([])
    store.setState((state) => closeTab(state, 'a', 1))
    expect(named('remove')).toEqual([['remove', 4]])
  })

  it('SQL-105, SQL-106, SQL-107: stores panels on the server, and each failure has its own message', async () => {
    const { store, sync, named, failing, failures } = open(onServer())
    sync.start([])
    store.setState((state) =>
      addTable(state, { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' }),
    )
    expect(named('addTable')).toEqual([])
    store.setState((state) => changeTable(state, 't', { isMetadataLoading: false }))
    await vi.advanceTimersByTimeAsync(0)
    expect(named('addTable')).toMatchObject([['addTable', 4, { name: 'orders' }]])
    failing.set('expandTable', new ApiError(500, 'no'))
    failing.set('removeTable', new ApiError(500, 'no'))
    for (const expanded of [false, true]) store.setState((state) => changeTable(state, 't', { expanded }))
    store.setState((state) => removeTable(state, 't'))
    await vi.advanceTimersByTimeAsync(0)
    expect(named('expandTable')).toEqual([
      ['expandTable', 77, false],
      ['expandTable', 77, true],
    ])
    expect(failures).toEqual([{ what: 'collapseTable' }, { what: 'expandTable' }, { what: 'removeTable' }])
  })

  it('SQL-072, SQL-073: applies changes to a panel made during its creation after the creation', async () => {
    const { store, sync, named, slow } = open(onServer())
    sync.start([])
    const whileSent = async (meanwhile: (state: SqlLabState) => SqlLabState): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      slow.set('addTable', promise)
      store.setState((state) =>
        addTable(state, { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' }),
      )
      store.setState((state) => changeTable(state, 't', { isMetadataLoading: false }))
      store.setState(meanwhile)
      await vi.advanceTimersByTimeAsync(0)
      resolve()
      await vi.advanceTimersByTimeAsync(0)
    }
    await whileSent((state) => removeTable(state, 't'))
    expect(named('removeTable')).toEqual([['removeTable', 77]])
    await whileSent((state) => changeTable(state, 't', { expanded: false }))
    expect(named('expandTable')).toEqual([['expandTable', 77, false]])
  })

  it('SQL-045: stores a panel whose metadata failed to load once it loads', async () => {
    const { store, sync, named } = open(onServer())
    sync.start([])
    const place = { id: 't', dbId: 1, queryEditorId: 'a', catalog: null, schema: 's', name: 'orders' }
    store.setState((state) => addTable(state, place))
    store.setState((state) => changeTable(state, 't', { isMetadataLoading: false }))
    await vi.advanceTimersByTimeAsync(0)
    store.setState((state) => addTable(state, place))
    store.setState((state) => changeTable(state, 't', { isMetadataLoading: false, selectStar: 'SELECT 1' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(named('addTable')).toMatchObject([
      ['addTable', 4, { selectStar: null }],
      ['addTable', 4, { selectStar: 'SELECT 1' }],
    ])
  })
})
