import type { TabStateView } from '@parquetry/model'
import type { QueryEditor, SqlLabState } from '../state.ts'
import { newEditor, type NewTab } from '../tabs.ts'
import { hashText, type SyncedField, type StoredTabIndex, type StoredTab, type TabBase } from './local-tabs.ts'
import type { ListedTab } from './server-tabs.ts'
import { toQueryEditor, syncedFields } from './tab-state.ts'

/** Two versions of a tab's text; neither may be lost. */
export interface TabConflict {
  tabId: string
  theirs: QueryEditor
  base: TabBase
}

export interface OpenedTabs {
  state: SqlLabState
  /** Stored tabs that the server does not know yet. */
  unsent: readonly string[]
}

interface Bootstrap {
  tabs: readonly ListedTab[]
}

/**
 * Determines the tabs to open: those stored in the browser and those listed by the server, each once. A tab known to both is
 * shown with the browser's copy immediately and compared when the server's arrives. A tab that the server no longer lists was
 * closed elsewhere: it can be restored, and with unsent text it stays open.
 * @param server  null when tabs are stored in the browser only
 */
export function openTabs(
  stored: { tabs: readonly StoredTab[]; index: StoredTabIndex },
  server: Bootstrap | null,
  tabOf: () => NewTab,
  now: number,
): OpenedTabs {
  const listed = new Map(server?.tabs.map((tab) => [tab.id, tab]))
  // A page left before the server's response knows its tab there only by the key.
  const byKey = new Map(server?.tabs.map(({ id, clientKey }) => [clientKey, id]))
  const isClosedElsewhere = ({ editor, dirty }: StoredTab): boolean =>
    server !== null && editor.tabStateId !== null && !listed.has(editor.tabStateId) && dirty.length === 0
  const open = stored.tabs.filter((tab) => !isClosedElsewhere(tab))
  const queryEditors = open.map(({ editor, spilled }): QueryEditor => {
    const tabStateId = editor.tabStateId ?? byKey.get(editor.id) ?? null
    const onServer = tabStateId !== null && listed.has(tabStateId)
    return {
      ...editor,
      tabStateId: server && !onServer ? null : tabStateId,
      loaded: !spilled && !(server && onServer),
      validationResult: { id: '', errors: [], completed: true },
    }
  })
  const known = new Set(queryEditors.map(({ tabStateId }) => tabStateId))
  for (const { id: tabStateId, label } of listed.values()) {
    if (known.has(tabStateId)) continue
    const unloadedTab = stored.index.unloaded?.find((tab) => tab.tabStateId === tabStateId)
    const part = { name: label ?? 'Untitled Query', sql: '', tabStateId, loaded: false }
    queryEditors.push(newEditor({ ...tabOf(), ...(unloadedTab && { id: unloadedTab.id }) }, part))
  }
  const orderById = new Map(stored.index.order.map((id, index) => [id, index]))
  queryEditors.sort((a, b) => (orderById.get(a.id) ?? Infinity) - (orderById.get(b.id) ?? Infinity) || 0)
  const isOpen = (id: string): boolean => queryEditors.some((editor) => editor.id === id)
  return {
    state: {
      queryEditors,
      activeId: isOpen(stored.index.activeId) ? stored.index.activeId : (queryEditors[0]?.id ?? ''),
      tables: open.flatMap(({ tables }) => tables ?? []),
      queries: Object.fromEntries(open.flatMap(({ queries }) => queries).map((query) => [query.id, query])),
      closed: [
        ...(stored.index.closed ?? []),
        ...stored.tabs.filter(isClosedElsewhere).map(({ editor, tables }) => ({ editor, tables, at: now })),
      ],
    },
    unsent: server ? queryEditors.filter(({ tabStateId }) => tabStateId === null).map(({ id }) => id) : [],
  }
}

/**
 * Merges the server's state into a tab: unsent local changes win.
 * @returns `conflict` when the text was changed on both sides
 */
export function mergeTabState(
  editor: QueryEditor,
  state: TabStateView,
  mine: { dirty: ReadonlySet<SyncedField>; base: TabBase | null },
): { editor: QueryEditor; conflict: TabConflict | null } {
  const theirs = toQueryEditor(state, editor)
  const base: TabBase = { mark: hashText(theirs.sql), version: state.version }
  const unsent = Object.fromEntries([...mine.dirty].map((field) => [field, editor[field]]))
  const both =
    mine.dirty.has('sql') &&
    theirs.sql !== editor.sql &&
    hashText(theirs.sql) !== mine.base?.mark &&
    editor.sql.trim() !== ''
  const serverFields = Object.fromEntries(syncedFields.map((field) => [field, theirs[field]]))
  return {
    editor: { ...editor, ...serverFields, ...unsent, tabStateId: state.id, loaded: true },
    conflict: both ? { tabId: editor.id, theirs: { ...theirs, id: editor.id }, base } : null,
  }
}
