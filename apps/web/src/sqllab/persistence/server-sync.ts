import type { TabStateView } from '@parquetry/model'
import type { StoreApi } from 'zustand'
import type { QueryEditor, SqlLabState, TableSchema } from '../state.ts'
import { changeTable } from '../tables.ts'
import { changeTab, closeTab } from '../tabs.ts'
import { hashText, type SyncedField } from './local-tabs.ts'
import type { TabPersistence } from './tab-persistence.ts'
import { mergeTabState, type TabConflict } from './merge.ts'
import { isConflict, isNetworkError, isMissing } from './api-errors.ts'
import type { ServerTabs } from './server-tabs.ts'
import { syncedFields, toQuery, toTableSchemas } from './tab-state.ts'

export type SyncFailure =
  | { what: 'store'; fields: readonly SyncedField[] }
  | { what: 'migrate'; thing: 'tab' | 'table' | 'query' }
  | { what: 'add' | 'load' | 'expandTable' | 'collapseTable' | 'removeTable' }

export interface SyncEvents {
  failed(failure: SyncFailure, error: unknown): void
  conflict(conflict: TabConflict): void
  /** Reports whether changes that the server refused are pending. */
  stuck(isStuck: boolean): void
  /** No response arrived; `stuck(false)` follows when one does. */
  cut(): void
}

/**
 * A text is sent after a pause of this length, or at the latest after this much typing; other fields are sent almost immediately.
 */
const textMs = 2000
const soonMs = 250
const retryMs = 10_000

/** Sends changes of tabs and panels to the server, one call per tab at a time, and fetches a tab when it is first shown. */
export class ServerSync {
  readonly #store: StoreApi<SqlLabState>
  readonly #persistence: TabPersistence
  readonly #server: ServerTabs
  readonly #events: SyncEvents
  readonly #timers = new Map<string, { timer: ReturnType<typeof setTimeout>; at: number }>()
  readonly #busy = new Map<string, Promise<void>>()
  readonly #reportedFields = new Set<SyncedField>()
  readonly #stuck = new Set<string>()
  /** Tabs with an unresolved conflict; they are not sent before the user chooses. */
  readonly #disputed = new Set<string>()
  /** Closed tabs being removed: a tab restored meanwhile waits, since it has the same key. */
  readonly #removing = new Map<string, Promise<unknown>>()
  readonly #loading = new Map<string, Promise<boolean>>()
  /** New tabs being created. */
  readonly #creating = new Set<string>()
  /** The tab that was activated last. */
  #front = ''
  #isActivating = false
  /** Each new tab becomes active on the server: with several, or after a click, the last to arrive, not the one active here. */
  #isFrontInDoubt = false
  /** Tabs that existed in the browser before; newer ones are added instead of moved. */
  #moving: ReadonlySet<string> = new Set()
  #unsubscribe: (() => void) | undefined

  constructor(store: StoreApi<SqlLabState>, persistence: TabPersistence, server: ServerTabs, events: SyncEvents) {
    this.#store = store
    this.#persistence = persistence
    this.#server = server
    this.#events = events
  }

  /** @param unsent  stored tabs that the server does not know: they are moved there */
  start(unsent: readonly string[]): void {
    this.#moving = new Set(unsent)
    this.#unsubscribe = this.#store.subscribe((now, before) => {
      if (now.activeId !== before.activeId) this.#activated(now.activeId)
      if (now.tables !== before.tables) this.#seeTables(now, before)
    })
    for (const id of unsent) this.#plan(id, 0)
    for (const [id, { dirty }] of this.#persistence.syncStates) if (dirty.size > 0) this.#plan(id, soonMs)
  }

  stop(): void {
    this.#unsubscribe?.()
    this.flush(true)
  }

  changed(id: string, fields: readonly SyncedField[]): void {
    this.#plan(id, fields.every((field) => field === 'sql') ? textMs : soonMs)
  }

  closed({ id, tabStateId }: QueryEditor): void {
    clearTimeout(this.#timers.get(id)?.timer)
    this.#timers.delete(id)
    this.#unstick(id)
    // A tab that is still being created is removed once created.
    if (tabStateId === null) return
    const removing = this.#server
      .remove(tabStateId)
      .catch(() => undefined)
      .finally(() => this.#removing.delete(id))
    this.#removing.set(id, removing)
  }

  /** Sends pending changes; with `keepalive`, the calls outlive the page. */
  flush(keepalive = false): void {
    for (const id of this.#timers.keys()) void this.#push(id, keepalive)
  }

  /** Retries what failed, such as when the browser is back online. */
  retry(): void {
    for (const id of this.#stuck) this.#plan(id, 0)
  }

  /** SQL-065, SQL-068, SQL-102, SQL-103: fetches the state of a tab when it is first shown. False on failure. */
  load(id: string): Promise<boolean> {
    const running = this.#loading.get(id)
    if (running) return running
    const loading = this.#load(id).finally(() => this.#loading.delete(id))
    this.#loading.set(id, loading)
    return loading
  }

  async #load(id: string): Promise<boolean> {
    const tabStateId = this.#editor(id)?.tabStateId
    if (tabStateId == null) return false
    try {
      this.take(id, await this.#server.load(tabStateId))
      return true
    } catch (error) {
      if (isMissing(error)) this.#gone(id)
      else this.#events.failed({ what: 'load' }, error)
      return false
    }
  }

  /** Applies the server's state of a tab. */
  take(id: string, state: TabStateView): void {
    const editor = this.#editor(id)
    if (!editor) return
    const memory = this.#persistence.syncState(id)
    const isMoved = memory.base !== null && memory.base.version === null
    const { editor: next, conflict } = mergeTabState(editor, state, memory)
    if (conflict) this.#disputed.add(id)
    else memory.base = { mark: hashText(state.sql ?? ''), version: state.version }
    const hasPanels = this.#store.getState().tables.some(({ queryEditorId }) => queryEditorId === id)
    const latest = state.latest_query
    this.#persistence.adopt('server', (now) => {
      const changed = changeTab(now, id, next)
      return {
        ...changed,
        tables: hasPanels ? changed.tables : [...toTableSchemas(state, id), ...changed.tables],
        queries:
          latest && !changed.queries[latest.id]
            ? { ...changed.queries, [latest.id]: { ...toQuery(latest), sqlEditorId: id } }
            : changed.queries,
      }
    })
    if (isMoved) void this.#moveAlong(id, state.id)
    if (conflict) this.#events.conflict(conflict)
    else if (memory.dirty.size > 0) this.#plan(id, soonMs)
  }

  /** Resolves a conflict. With `isMine`, this window's text overwrites the server's. */
  resolveConflict(id: string, isMine: boolean): void {
    this.#disputed.delete(id)
    if (isMine) this.#persistence.syncState(id).dirty.add('sql')
    this.#plan(id, 0)
  }

  /** The last call to arrive decides on the server, so that calls are sent one after another, and only the latest waits. */
  #activated(id: string): void {
    this.#front = id
    if (!this.#isActivating) void this.#sendFront()
  }

  async #sendFront(): Promise<void> {
    this.#isActivating = true
    for (let sent: string | undefined; sent !== this.#front;) {
      const id = this.#front
      sent = id
      const tabStateId = this.#editor(id)?.tabStateId
      if (tabStateId == null) continue
      await this.#server.activate(tabStateId).catch((error: unknown) => {
        if (isMissing(error)) this.#gone(id)
      })
    }
    this.#isActivating = false
  }

  #confirmActiveTab(created: string): void {
    const { activeId } = this.#store.getState()
    this.#isFrontInDoubt ||= activeId !== created
    if (this.#creating.size > 0 || !this.#isFrontInDoubt) return
    this.#isFrontInDoubt = false
    this.#activated(activeId)
  }

  /** Handles a tab missing on the server, closed elsewhere. Unsent changes stay, as a new tab. */
  #gone(id: string): void {
    if (this.#persistence.syncState(id).dirty.size === 0) {
      this.#persistence.adopt('server', (state) => closeTab(state, id, Date.now()))
      return
    }
    this.#persistence.syncState(id).base = null
    this.#persistence.adopt('server', (state) => changeTab(state, id, { tabStateId: null, loaded: true }))
    this.#plan(id, 0)
  }

  #plan(id: string, ms: number): void {
    const at = performance.now() + ms
    const waiting = this.#timers.get(id)
    // Continuous typing must not postpone sending forever.
    if (waiting && waiting.at <= at) return
    clearTimeout(waiting?.timer)
    this.#timers.set(id, { at, timer: setTimeout(() => void this.#push(id, false), ms) })
  }

  async #push(id: string, keepalive: boolean): Promise<void> {
    clearTimeout(this.#timers.get(id)?.timer)
    this.#timers.delete(id)
    if (!keepalive) await this.#busy.get(id)
    const work = this.#send(id, keepalive).finally(() => this.#busy.get(id) === work && this.#busy.delete(id))
    this.#busy.set(id, work)
    return work
  }

  async #send(id: string, keepalive: boolean): Promise<void> {
    const editor = this.#editor(id)
    if (!editor?.loaded || this.#disputed.has(id)) return
    if (editor.tabStateId === null) return this.#create(editor, keepalive)
    const memory = this.#persistence.syncState(id)
    const fields = [...memory.dirty]
    if (fields.length === 0) return
    try {
      const version = await this.#server.save(
        editor.tabStateId,
        editor,
        fields,
        memory.base?.version ?? null,
        keepalive,
      )
      this.#persistence.sent(id, fields, editor.tabStateId, { mark: hashText(editor.sql), version })
      for (const field of fields) this.#reportedFields.delete(field)
      this.#unstick(id)
    } catch (error) {
      if (isMissing(error)) this.#gone(id)
      else if (isConflict(error)) await this.#meet(id, editor.tabStateId)
      else
        this.#hold(
          id,
          { what: 'store', fields: fields.filter((field) => !this.#reportedFields.has(field)) },
          error,
          fields,
        )
    }
  }

  async #create(editor: QueryEditor, keepalive: boolean): Promise<void> {
    const { id } = editor
    const removing = this.#removing.get(id)
    if (removing) await removing
    this.#isFrontInDoubt ||= this.#creating.size > 0
    this.#creating.add(id)
    // If the response is lost, the text that the server received is known here.
    this.#persistence.sending(id, hashText(editor.sql))
    try {
      const { id: tabStateId, version, existed } = await this.#server.create(editor, keepalive)
      if (!this.#editor(id)) return void (await this.#server.remove(tabStateId))
      if (existed) {
        this.take(id, await this.#server.load(tabStateId))
        return this.#unstick(id)
      }
      // A new tab is created without its run.
      const before = { ...editor, latestQueryId: null }
      const now = this.#editor(id) ?? before
      this.#persistence.syncState(id).dirty = new Set(syncedFields.filter((field) => now[field] !== before[field]))
      this.#persistence.sent(id, [], tabStateId, { mark: hashText(editor.sql), version })
      this.#unstick(id)
      await this.#moveAlong(id, tabStateId)
      if (this.#persistence.syncState(id).dirty.size > 0) this.#plan(id, soonMs)
    } catch (error) {
      this.#hold(id, this.#moving.has(id) ? { what: 'migrate', thing: 'tab' } : { what: 'add' }, error, [])
    } finally {
      this.#creating.delete(id)
      this.#confirmActiveTab(id)
    }
  }

  /** SQL-099, SQL-100: moves the panels and runs of a tab newly created on the server. */
  async #moveAlong(id: string, tabStateId: number): Promise<void> {
    const { tables, queries } = this.#store.getState()
    for (const table of tables)
      if (table.queryEditorId === id && table.tableStateId === null && !table.isMetadataLoading)
        await this.#addTable(table, tabStateId)
    for (const query of Object.values(queries)) {
      if (query.sqlEditorId !== id || query.view === null || query.view.sqlEditorId === String(tabStateId)) continue
      try {
        await this.#server.migrateQuery(tabStateId, query.id)
      } catch (error) {
        if (!isMissing(error)) return this.#events.failed({ what: 'migrate', thing: 'query' }, error)
      }
    }
  }

  async #meet(id: string, tabStateId: number): Promise<void> {
    try {
      this.take(id, await this.#server.load(tabStateId))
    } catch (error) {
      this.#hold(id, { what: 'store', fields: [] }, error, [])
    }
  }

  /** Keeps a refused change locally, reports it once, and retries it. */
  #hold(id: string, failure: SyncFailure, error: unknown, fields: readonly SyncedField[]): void {
    const isNew = !this.#stuck.has(id) || (failure.what === 'store' && failure.fields.length > 0)
    this.#stuck.add(id)
    this.#plan(id, retryMs)
    if (isNetworkError(error)) return this.#events.cut()
    for (const field of fields) this.#reportedFields.add(field)
    if (isNew) this.#events.failed(failure, error)
    this.#events.stuck(true)
  }

  #unstick(id: string): void {
    if (this.#stuck.delete(id) && this.#stuck.size === 0) this.#events.stuck(false)
  }

  #seeTables(now: SqlLabState, before: SqlLabState): void {
    const old = new Map(before.tables.map((table) => [table.id, table]))
    for (const table of now.tables) {
      const was = old.get(table.id)
      old.delete(table.id)
      if (was === table) continue
      const tabStateId = this.#editor(table.queryEditorId)?.tabStateId
      if (tabStateId == null) continue
      const isLoaded = !table.isMetadataLoading && (!was || was.isMetadataLoading)
      if (isLoaded) void this.#addTable(table, tabStateId)
      else if (was && table.tableStateId !== null && was.expanded !== table.expanded)
        void this.#expandTable(table.tableStateId, table.expanded)
    }
    for (const { queryEditorId, tableStateId } of old.values())
      if (tableStateId !== null && now.queryEditors.some(({ id }) => id === queryEditorId))
        void this.#removeTable(tableStateId)
  }

  /** Stores a panel on the server, replacing an earlier one for the same table, then applies changes made meanwhile. */
  async #addTable(table: TableSchema, tabStateId: number): Promise<void> {
    try {
      const tableStateId = await this.#server.addTable(tabStateId, table)
      const now = this.#store.getState().tables.find(({ id }) => id === table.id)
      if (!now) {
        if (this.#editor(table.queryEditorId)) await this.#removeTable(tableStateId)
        return
      }
      this.#persistence.adopt('server', (state) => changeTable(state, table.id, { tableStateId }))
      if (!now.expanded) await this.#expandTable(tableStateId, false)
    } catch (error) {
      this.#events.failed({ what: 'migrate', thing: 'table' }, error)
    }
  }

  async #expandTable(tableStateId: number, expanded: boolean): Promise<void> {
    try {
      await this.#server.expandTable(tableStateId, expanded)
    } catch (error) {
      this.#events.failed({ what: expanded ? 'expandTable' : 'collapseTable' }, error)
    }
  }

  async #removeTable(tableStateId: number): Promise<void> {
    try {
      await this.#server.removeTable(tableStateId)
    } catch (error) {
      if (!isMissing(error)) this.#events.failed({ what: 'removeTable' }, error)
    }
  }

  #editor(id: string): QueryEditor | undefined {
    return this.#store.getState().queryEditors.find((editor) => editor.id === id)
  }
}
