import type { StoreApi } from 'zustand'
import type { QueryEditor, SqlLabState } from '../state.ts'
import { changeTab, closeTab, isUntouchedSql } from '../tabs.ts'
import {
  buildTabIndex,
  withoutResults,
  hashText,
  type SyncedField,
  type StoredTab,
  type LocalTabs,
  type TabBase,
} from './local-tabs.ts'
import type { TabConflict } from './merge.ts'
import { syncedFields } from './tab-state.ts'

/** State of a tab in this window beyond what it shows. */
export interface TabSyncState {
  dirty: Set<SyncedField>
  version: string
  base: TabBase | null
  /** The text of `version`. */
  sql: string | null
  /** True if that text was typed in this window. */
  isOwn: boolean
}

export type WindowMessage =
  | { type: 'tab'; tab: StoredTab }
  /** The user chose between two texts: this one applies in all windows. */
  | { type: 'chosen'; tab: StoredTab }
  | { type: 'closed'; id: string }
  | { type: 'sent'; id: string; tabStateId: number; dirty: readonly SyncedField[]; base: TabBase }

export type StorageWarning = 'full' | 'tight' | null

export interface TabPersistenceEvents {
  /** The browser storage is full, or nearly full. */
  trouble(trouble: StorageWarning): void
  conflict(conflict: TabConflict): void
  /** A conflict was settled in another window. */
  settled(id: string): void
  /** A change that the server should receive too. */
  changed(id: string, fields: readonly SyncedField[]): void
  closed(editor: QueryEditor): void
}

/** Small enough to be written with every keystroke; a larger text is throttled. */
const immediateWriteLimit = 100_000
const laterMs = 250
/** Upper bound for a write during browser idle time. */
const latestMs = 1000

/**
 * Stores every tab in the browser as it changes, notifies the other windows, and applies what they write. A text changed in both
 * windows simultaneously is a conflict; each side keeps its own until the user chooses.
 */
export class TabPersistence {
  readonly syncStates = new Map<string, TabSyncState>()
  readonly #store: StoreApi<SqlLabState>
  readonly #local: LocalTabs
  readonly #events: TabPersistenceEvents
  readonly #channel: Pick<BroadcastChannel, 'postMessage'> | null
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>()
  /** Tabs that the browser could not store. */
  readonly #unsavedTabs = new Set<string>()
  /** Tabs whose text stays in the larger store until they are shown. */
  readonly #spilled = new Set<string>()
  #adopting: 'server' | 'window' | null = null
  #unsubscribe: (() => void) | undefined

  constructor(
    store: StoreApi<SqlLabState>,
    local: LocalTabs,
    channel: Pick<BroadcastChannel, 'postMessage'> | null,
    events: TabPersistenceEvents,
  ) {
    this.#store = store
    this.#local = local
    this.#channel = channel
    this.#events = events
  }

  start(storedTabs: readonly StoredTab[]): void {
    for (const { editor, dirty, version, base, spilled } of storedTabs) {
      const memory = { dirty: new Set(dirty), version, base: base ?? null, sql: editor.sql, isOwn: false }
      this.syncStates.set(editor.id, memory)
      if (spilled) this.#spilled.add(editor.id)
    }
    this.#unsubscribe = this.#store.subscribe((now, before) => this.#see(now, before))
    for (const { id, loaded } of this.#store.getState().queryEditors)
      if (loaded && this.syncState(id).version === '') this.#write(id)
    this.#local.saveIndex(buildTabIndex(this.#store.getState()))
  }

  /** Writes pending changes; call it when the page is left. */
  flush(): void {
    for (const id of this.#waiting.keys()) this.#write(id)
  }

  stop(): void {
    this.flush()
    this.#unsubscribe?.()
  }

  syncState(id: string): TabSyncState {
    let memory = this.syncStates.get(id)
    if (!memory)
      this.syncStates.set(id, (memory = { dirty: new Set(), version: '', base: null, sql: null, isOwn: false }))
    return memory
  }

  /** True if closing the window would lose a text: neither the browser nor the server has it. */
  get isAtRisk(): boolean {
    return [...this.#unsavedTabs].some((id) => {
      const editor = this.#editor(id)
      return editor !== undefined && !isUntouchedSql(editor.sql) && this.syncState(id).dirty.has('sql')
    })
  }

  /** Applies a change from elsewhere: it is not sent to the server, and a change of another window is not written again. */
  adopt(from: 'server' | 'window', change: (state: SqlLabState) => SqlLabState): void {
    this.#adopting = from
    try {
      this.#store.setState(change)
    } finally {
      this.#adopting = null
    }
  }

  /** A tab is sent to the server for the first time, with the text of this mark. */
  sending(id: string, mark: string): void {
    const memory = this.syncState(id)
    if (memory.base) return
    memory.base = { mark, version: null }
    this.#write(id)
  }

  /** Records that the server has these fields. */
  sent(id: string, fields: readonly SyncedField[], tabStateId: number, base: TabBase): void {
    const memory = this.syncState(id)
    const editor = this.#editor(id)
    for (const field of fields)
      if (field !== 'sql' || (editor && hashText(editor.sql) === base.mark)) memory.dirty.delete(field)
    memory.base = base
    if (editor && editor.tabStateId !== tabStateId)
      this.adopt('server', (state) => changeTab(state, id, { tabStateId }))
    this.#later(id)
    this.#channel?.postMessage({ type: 'sent', id, tabStateId, dirty: [...memory.dirty], base } satisfies WindowMessage)
  }

  /** Makes this window's text the valid one, in the other windows too. */
  claim(id: string): void {
    this.#write(id, 'chosen')
  }

  receive(message: WindowMessage): void {
    if (message.type === 'closed') {
      const editor = this.#editor(message.id)
      if (editor) this.adopt('window', (state) => closeTab(state, message.id, Date.now()))
      this.syncStates.delete(message.id)
    } else if (message.type === 'sent') {
      const memory = this.syncState(message.id)
      memory.base = message.base
      this.adopt('window', (state) => changeTab(state, message.id, { tabStateId: message.tabStateId }))
    } else this.#take(message.tab, message.type === 'chosen')
  }

  #take(
    { editor: theirs, version, before, dirty, base, tables, spilled, isTyped }: StoredTab,
    isChosen: boolean,
  ): void {
    // The message does not contain its text; the next load reads it.
    if (spilled) return
    const mine = this.#editor(theirs.id)
    const memory = this.syncState(theirs.id)
    if (!mine) {
      this.adopt('window', (state) => ({
        ...state,
        queryEditors: [...state.queryEditors, theirs],
        tables: [...tables, ...state.tables],
      }))
    } else if (
      !isChosen &&
      memory.version !== before &&
      mine.loaded &&
      mine.sql !== theirs.sql &&
      (!isTyped || memory.isOwn)
    ) {
      // The other window has no typed text: the text here is newer, and that window will receive it.
      if (!isTyped) return
      this.#events.conflict({ tabId: mine.id, theirs, base: base ?? { mark: hashText(theirs.sql), version: null } })
      return
    } else {
      const part = Object.fromEntries(syncedFields.map((field) => [field, theirs[field]]))
      this.adopt('window', (state) =>
        changeTab(state, mine.id, { ...part, loaded: true, savedSql: theirs.savedSql, tabStateId: theirs.tabStateId }),
      )
    }
    if (isChosen) this.#events.settled(theirs.id)
    memory.version = version
    memory.sql = theirs.sql
    memory.isOwn = false
    memory.base = base
    memory.dirty = new Set(dirty)
  }

  #see(now: SqlLabState, before: SqlLabState): void {
    const old = new Map(before.queryEditors.map((editor) => [editor.id, editor]))
    const touched = new Set<string>()
    for (const editor of now.queryEditors) {
      const was = old.get(editor.id)
      old.delete(editor.id)
      if (was === editor) continue
      const fields = was ? syncedFields.filter((field) => was[field] !== editor[field]) : syncedFields
      if (was && fields.length === 0 && ownFields.every((field) => was[field] === editor[field])) continue
      if (this.#isWhole(editor)) touched.add(editor.id)
      const mine = this.#adopting ? [] : changedHere(editor, was, fields)
      for (const field of mine) this.syncState(editor.id).dirty.add(field)
      if (mine.length > 0) this.#events.changed(editor.id, mine)
    }
    if (now.tables !== before.tables) this.#seeOwned(now.tables, before.tables, (table) => table.queryEditorId, touched)
    if (now.queries !== before.queries)
      this.#seeOwned(Object.values(now.queries), Object.values(before.queries), (query) => query.sqlEditorId, touched)
    for (const editor of old.values()) this.#forget(editor)
    if (this.#adopting !== 'window') this.#writeAll(touched, before)
    if (isOtherRow(now, before) || now.activeId !== before.activeId || now.closed !== before.closed)
      this.#local.saveIndex(buildTabIndex(now))
  }

  #writeAll(ids: ReadonlySet<string>, before: SqlLabState): void {
    for (const id of ids) {
      const editor = this.#editor(id)
      if (!editor || !this.#isWhole(editor)) continue
      const isText = before.queryEditors.some((was) => was.id === id && was.sql !== editor.sql)
      if (isText && editor.sql.length > immediateWriteLimit) this.#later(id)
      else this.#write(id)
    }
  }

  #seeOwned<T extends object>(
    now: readonly T[],
    before: readonly T[],
    ownerOf: (item: T) => string,
    touched: Set<string>,
  ) {
    const known = new Set(before)
    for (const thing of now) if (!known.delete(thing)) touched.add(ownerOf(thing))
    for (const thing of known) touched.add(ownerOf(thing))
  }

  #forget(editor: QueryEditor): void {
    clearTimeout(this.#waiting.get(editor.id))
    this.#waiting.delete(editor.id)
    this.#local.remove(editor.id)
    if (this.#adopting) return
    this.syncStates.delete(editor.id)
    this.#channel?.postMessage({ type: 'closed', id: editor.id } satisfies WindowMessage)
    this.#events.closed(editor)
  }

  #later(id: string): void {
    if (this.#waiting.has(id)) return
    const write = (): void => {
      if (typeof requestIdleCallback === 'undefined') return this.#write(id)
      requestIdleCallback(() => this.#waiting.has(id) && this.#write(id), { timeout: latestMs - laterMs })
    }
    this.#waiting.set(id, setTimeout(write, laterMs))
  }

  #write(id: string, type: 'tab' | 'chosen' = 'tab'): void {
    clearTimeout(this.#waiting.get(id))
    this.#waiting.delete(id)
    const state = this.#store.getState()
    const editor = state.queryEditors.find((other) => other.id === id)
    if (!editor || !this.#isWhole(editor)) return
    const memory = this.syncState(id)
    const tab: StoredTab = {
      editor: { ...editor, functionNames: [], validationResult: { id: '', errors: [], completed: true } },
      tables: state.tables.filter(({ queryEditorId }) => queryEditorId === id),
      queries: Object.values(state.queries)
        .filter(({ sqlEditorId }) => sqlEditorId === id)
        .map(withoutResults),
      dirty: [...memory.dirty],
      version: crypto.randomUUID(),
      before: memory.version,
      base: memory.base,
      at: Date.now(),
      ...(memory.sql !== null && memory.sql !== editor.sql && this.#adopting === null && { isTyped: true }),
    }
    if (memory.sql !== editor.sql) memory.isOwn = tab.isTyped === true
    memory.version = tab.version
    memory.sql = editor.sql
    this.#channel?.postMessage({ type, tab } satisfies WindowMessage)
    this.#local.save(tab).then(
      (result) => {
        if (memory.version === tab.version) this.#unsavedTabs.delete(id)
        this.#events.trouble(result === 'tight' ? 'tight' : null)
      },
      () => {
        if (memory.version === tab.version) this.#unsavedTabs.add(id)
        this.#events.trouble('full')
      },
    )
  }

  /** True if its text is available: loaded from the server, or this browser's copy while the server's is loading. */
  #isWhole({ id, loaded }: QueryEditor): boolean {
    return loaded || (this.syncState(id).version !== '' && !this.#spilled.has(id))
  }

  #editor(id: string): QueryEditor | undefined {
    return this.#store.getState().queryEditors.find((editor) => editor.id === id)
  }
}

const isOtherRow = (now: SqlLabState, before: SqlLabState): boolean =>
  now.queryEditors.length !== before.queryEditors.length ||
  now.queryEditors.some(({ id }, index) => before.queryEditors[index]?.id !== id)

/** Defaults set for a tab that has none yet: not a user change while its state is loading. */
const chosenForIt: ReadonlySet<SyncedField> = new Set(['dbId', 'catalog', 'schema', 'latestQueryId'])

/** Returns the fields that the user changed in this window, including those typed while the tab's state is loading. */
function changedHere(
  editor: QueryEditor,
  was: QueryEditor | undefined,
  fields: readonly SyncedField[],
): readonly SyncedField[] {
  if (editor.loaded) return was && !was.loaded ? [] : fields
  return was ? fields.filter((field) => !chosenForIt.has(field)) : []
}

/** Stored in the browser only. */
const ownFields = ['savedSql', 'tabStateId', 'description', 'loaded'] as const
