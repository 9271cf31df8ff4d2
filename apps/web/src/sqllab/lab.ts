import { toast, toastError } from '@parquetry/ui'
import { createStore, type StoreApi } from 'zustand'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { t } from '../shared/intl.ts'
import { isOnline } from '../shared/online.ts'
import { queryClient } from '../shared/query-client.ts'
import type { SqlLabDatabase } from './browser/use-schema.ts'
import { dialectOf } from './editor/dialects.ts'
import { isReadOnlySql, splitStatements } from './editor/split-statements.ts'
import { stripComments } from './editor/strip-comments.ts'
import type { EditorHandle } from './editor/editor-handle.ts'
import { TabPersistence, type StorageWarning, type WindowMessage } from './persistence/tab-persistence.ts'
import { largeStorage } from './persistence/large-storage.ts'
import { LocalTabs } from './persistence/local-tabs.ts'
import { openTabs, type TabConflict } from './persistence/merge.ts'
import { ServerSync, type SyncFailure } from './persistence/server-sync.ts'
import { serverTabs, type Bootstrap } from './persistence/server-tabs.ts'
import { queryRunnerCalls } from './run/execute.ts'
import { QueryRunner } from './run/query-runner.ts'
import { createSqlLabStore, newTab, nextEditor, sqlLabSettings } from './store.ts'
import { emptyState, type QueryEditor, type SqlLabState } from './state.ts'
import { addTab, changeTab, closeTab, isUntouchedSql } from './tabs.ts'
import { browserOnlyNote, connectionLostTexts, failureTexts, unknownError } from './texts.ts'

/** Notices shown beside the tabs. */
export interface Notices {
  storageWarning: StorageWarning
  /** Message about changes that the server refuses; null while it accepts all. */
  stuck: string | null
  /** The first is shown. */
  conflicts: readonly TabConflict[]
}

/** SQL Lab for as long as the app is open in this window: runs continue while another page is shown. */
export interface Lab {
  store: StoreApi<SqlLabState>
  notices: StoreApi<Notices>
  runner: QueryRunner
  persistence: TabPersistence
  /** Null when tabs are stored in this browser only. */
  sync: ServerSync | null
  /** The mounted editor. */
  editor: { current: EditorHandle | null }
  note: string | null
  /** Tabs that run once when they are shown. */
  autorun: Set<string>
  open(part?: Partial<Omit<QueryEditor, 'id'>>): string
  /** Resolves a conflict. */
  resolveConflict(id: string, isMine: boolean): void
  /** Removes an untouched tab silently; it cannot be restored. */
  discard(id: string): void
  /** Loads the text of a tab if it is missing. False on failure. */
  load(id: string): Promise<boolean>
}

let opened: Promise<Lab> | undefined

/** Returns the one lab of this window, created on the first call. */
export const openLab = (): Promise<Lab> => (opened ??= makeLab())

async function readBootstrap(): Promise<Bootstrap | null> {
  if (!sqlLabSettings.isPersistent) return null
  try {
    return await serverTabs.boot()
  } catch (error) {
    toastError(`${t('sqllab.tab.notLoaded', 'An error occurred while fetching tab state')}: ${messageOf(error)}`)
    return null
  }
}

async function makeLab(): Promise<Lab> {
  const store = createSqlLabStore()
  const notices = createStore<Notices>(() => ({ storageWarning: null, stuck: null, conflicts: [] }))
  const note = sqlLabSettings.isPersistent ? null : browserOnlyNote()
  const local = new LocalTabs(localStorage, largeStorage, boot.user.userId ?? 0)
  const stored = local.read(Date.now())
  adoptDraft(stored)
  const bootstrap = await readBootstrap()
  const listed = bootstrap?.tab_state_ids.map((tab) => ('id' in tab ? tab : { id: tab[0], label: tab[1] })) ?? []
  const first = openTabs(stored, bootstrap && { tabs: listed }, newTab, Date.now())
  store.setState(first.state)

  let sync: ServerSync | null = null
  const channel =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`parquetry.sqllab.${boot.user.userId ?? 0}`)
  const settled = (id: string): void =>
    notices.setState(({ conflicts }) => ({ conflicts: conflicts.filter(({ tabId }) => tabId !== id) }))
  const addConflict = (conflict: TabConflict): void =>
    notices.setState(({ conflicts }) => ({
      conflicts: [...conflicts.filter(({ tabId }) => tabId !== conflict.tabId), conflict],
    }))
  let warnedAt = 0
  const tabPersistence = new TabPersistence(store, local, channel, {
    trouble: (trouble) => {
      const now = Date.now()
      if (trouble === notices.getState().storageWarning || (trouble === 'tight' && now - warnedAt < warnEveryMs)) return
      warnedAt = now
      notices.setState({ storageWarning: trouble })
    },
    conflict: addConflict,
    settled,
    changed: (id, fields) => sync?.changed(id, fields),
    closed: (editor) => sync?.closed(editor),
  })
  tabPersistence.start(stored.tabs)
  channel?.addEventListener('message', ({ data }: MessageEvent<WindowMessage>) => tabPersistence.receive(data))

  if (bootstrap) {
    sync = new ServerSync(store, tabPersistence, serverTabs, {
      failed: (failure, error) => reportFailure(failure, error, notices),
      conflict: addConflict,
      stuck: (isStuck) => !isStuck && notices.setState({ stuck: null }),
      // Without a network, the app's own banner reports it.
      cut: () =>
        navigator.onLine && notices.setState({ stuck: t('sqllab.store.cut', 'The server is not responding.') }),
    })
    const active = bootstrap.active_tab
    const shown = active && store.getState().queryEditors.find(({ tabStateId }) => tabStateId === active.id)
    if (active && shown) {
      sync.take(shown.id, active)
      if (stored.index.activeId === '') store.setState({ activeId: shown.id })
    }
    sync.start(first.unsent)
  }
  const runner = new QueryRunner({
    store,
    calls: queryRunnerCalls,
    isOnline,
    isAsync: (dbId) => sqlLabSettings.isAlwaysAsync || (findDatabase(dbId)?.allow_run_async ?? false),
    toSend: (sql, dbId) => stripComments(sql, dialectOf(findDatabase(dbId)?.backend ?? null).name),
    events: {
      stopped: () => toast(t('sqllab.stopped', 'Query was stopped.')),
      stopFailed: (error) => toastError(`${t('sqllab.notStopped', 'Failed at stopping query')}: ${messageOf(error)}`),
      resultsFailed: (error) =>
        toastError(`${t('sqllab.noResults', 'Failed at retrieving results')}: ${messageOf(error)}`),
      unknown: unknownError(),
      ...connectionLostTexts(),
      finished: ({ dbId, sql, ctas, state }) => {
        if (state !== 'success' || (!ctas && readsOnly(sql, dbId))) return
        // The tables, their columns and the completion may have changed.
        for (const key of [
          ['database', dbId],
          ['sqllab', 'names', dbId],
        ])
          void queryClient.invalidateQueries({ queryKey: key })
      },
    },
  })
  const lab: Lab = {
    store,
    notices,
    runner,
    persistence: tabPersistence,
    sync,
    editor: { current: null },
    note,
    autorun: new Set(),
    open: (part) => {
      const editor = nextEditor(store.getState(), note, part)
      store.setState((state) => addTab(state, editor))
      return editor.id
    },
    resolveConflict: (id, isMine) => {
      settled(id)
      tabPersistence.claim(id)
      sync?.resolveConflict(id, isMine)
    },
    discard: (id) =>
      store.setState((state) => {
        const { closed } = state
        return { ...closeTab(state, id, Date.now()), closed }
      }),
    load: async (id) => {
      const editor = store.getState().queryEditors.find((other) => other.id === id)
      if (!editor || editor.loaded) return true
      const isLocalOnly = sync === null || editor.tabStateId === null
      if (local.tab(id)?.spilled)
        try {
          const sql = (await local.spilledSql(id)) ?? ''
          tabPersistence.adopt('window', (state) => changeTab(state, id, { sql, loaded: isLocalOnly }))
        } catch (error) {
          toastError(`${t('sqllab.sqlNotLoaded', 'An error occurred while loading the SQL')}: ${messageOf(error)}`)
          // Opened without its text, the tab would be saved without it.
          if (isLocalOnly) return false
        }
      if (sync && editor.tabStateId !== null) return sync.load(id)
      tabPersistence.adopt('window', (state) => changeTab(state, id, { loaded: true }))
      return true
    },
  }
  if (store.getState().queryEditors.length === 0) lab.open()
  runner.attach()
  const leave = (): void => {
    tabPersistence.flush()
    sync?.flush(true)
  }
  addEventListener('pagehide', leave)
  addEventListener('beforeunload', (event) => tabPersistence.isAtRisk && event.preventDefault())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave())
  addEventListener('online', () => sync?.retry())
  return lab
}

const warnEveryMs = 8000

/** Finds a database in the loaded list. */
export const findDatabase = (dbId: number | null): SqlLabDatabase | undefined =>
  queryClient.getQueryData<SqlLabDatabase[]>(['database', 'sqllab'])?.find(({ id }) => id === dbId)

function readsOnly(sql: string, dbId: number): boolean {
  const { name } = dialectOf(findDatabase(dbId)?.backend ?? null)
  return splitStatements(sql, name).every((statement) => isReadOnlySql(statement.sql, name))
}

function reportFailure(failure: SyncFailure, error: unknown, notices: StoreApi<Notices>): void {
  const { kind, texts } = failureTexts(failure)
  for (const text of texts) toast(`${text}${text.endsWith('.') ? '' : ':'} ${messageOf(error)}`.trim(), { kind })
  const [text] = texts
  if (failure.what === 'store' && text) notices.setState({ stuck: text })
}

/** Adopts the single text stored in the browser before there were tabs. */
function adoptDraft(stored: ReturnType<LocalTabs['read']>): void {
  const key = `parquetry.sqllab.${boot.user.userId ?? 0}`
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<QueryEditor> | null
    if (typeof draft?.sql === 'string' && !isUntouchedSql(draft.sql)) {
      const { name, dbId, schema, sql } = draft
      const editor = nextEditor({ ...emptyState, queryEditors: stored.tabs.map((tab) => tab.editor) }, null, {
        ...(name !== undefined && { name }),
        dbId: dbId ?? null,
        schema: schema ?? null,
        sql,
      })
      stored.tabs.push({
        editor,
        tables: [],
        queries: [],
        dirty: [],
        version: '',
        before: null,
        base: null,
        at: Date.now(),
      })
    }
    localStorage.removeItem(key)
  } catch {
    // Unreadable data is not a draft.
  }
}
