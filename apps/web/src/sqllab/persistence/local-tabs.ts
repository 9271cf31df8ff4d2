import type { Query, QueryEditor, SqlLabState, TableSchema, ClosedTab } from '../state.ts'
import { dropPlaceholder } from '../tabs.ts'

/** Fields of a tab that the server stores too. */
export type SyncedField =
  | 'latestQueryId'
  | 'hideLeftBar'
  | 'dbId'
  | 'catalog'
  | 'schema'
  | 'autorun'
  | 'name'
  | 'sql'
  | 'queryLimit'
  | 'templateParams'
  | 'remoteId'

/** One tab as stored in the browser. */
export interface StoredTab {
  editor: QueryEditor
  tables: readonly TableSchema[]
  /** Without their rows, which the server keeps. */
  queries: readonly Query[]
  /** Changed here and not on the server yet. */
  dirty: readonly SyncedField[]
  /** Id of this write, and of the one that it is based on: they reveal when two windows overwrite each other's text. */
  version: string
  before: string | null
  /** The server's state when both were last equal. */
  base: TabBase | null
  at: number
  /** The text is in the larger browser store. */
  spilled?: true
  /** The user typed in the window that wrote this. */
  isTyped?: true
}

/** The server state that a tab is based on. */
export interface TabBase {
  /** Fingerprint of its text, see `hashText`. */
  mark: string
  version: number | null
}

/** Distinguishes texts without storing them: length and a 53-bit hash. */
export function hashText(text: string): string {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  return `${text.length}.${((high >>> 0) * 2 ** 21 + (low >>> 11)).toString(36)}`
}

export interface StoredTabIndex {
  order: readonly string[]
  activeId: string
  closed: readonly ClosedTab[]
  /** Tabs of the server that were not shown yet: only their position is stored here. */
  unloaded?: readonly { id: string; tabStateId: number }[]
}

/** The constants 5120, 1024, 8000, 864e5 and .9 of CONST-034. */
export const storageLimits = {
  totalKb: 5120,
  tabKb: 1024,
  warnAbove: 0.9,
  warnEveryMs: 8000,
  queriesKeptMs: 864e5,
} as const

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
/** Storage for data that does not fit into the browser's small store; larger and asynchronous. */
export interface LargeStorage {
  get(key: string): Promise<string | null>
  set(key: string, text: string): Promise<void>
  remove(key: string): Promise<void>
}

export type SaveTabResult = 'kept' | 'spilled' | 'tight'

/** Tabs in the browser's storage, one key each, so that a keystroke writes one tab and two windows do not share a key. */
export class LocalTabs {
  readonly #storage: TextStorage
  readonly #large: LargeStorage
  readonly #prefix: string
  #sizes = new Map<string, number>()
  constructor(storage: TextStorage, large: LargeStorage, userId: number) {
    this.#storage = storage
    this.#large = large
    this.#prefix = `parquetry.sqllab.${userId}.`
    for (const key of this.#keys()) this.#sizes.set(key, (storage.getItem(key)?.length ?? 0) * bytesPerUnit)
  }

  /** Reads all valid tabs: those in the index first and in its order; unreadable ones are skipped. */
  read(now: number): { tabs: StoredTab[]; index: StoredTabIndex } {
    const index = this.#parse<StoredTabIndex>('index') ?? { order: [], activeId: '', closed: [] }
    const tabs = this.#keys()
      .filter((key) => key.startsWith(`${this.#prefix}tab.`))
      .flatMap((key) => this.#parse<StoredTab>(key.slice(this.#prefix.length)) ?? [])
      .filter(({ editor }) => typeof editor?.id === 'string')
      .map((tab) => ({
        ...tab,
        editor: { ...tab.editor, sql: dropPlaceholder(tab.editor.sql) },
        queries: (tab.queries ?? []).filter(({ startDttm }) => now - startDttm < storageLimits.queriesKeptMs),
      }))
    const orderOf = (id: string): number => {
      const at = index.order.indexOf(id)
      return at < 0 ? Infinity : at
    }
    return { tabs: tabs.toSorted((a, b) => orderOf(a.editor.id) - orderOf(b.editor.id) || a.at - b.at), index }
  }

  tab(id: string): StoredTab | null {
    return this.#parse<StoredTab>(`tab.${id}`)
  }

  /** Reads the text of a tab that did not fit into the small store. */
  async spilledSql(id: string): Promise<string | null> {
    return this.#large.get(`${this.#prefix}sql.${id}`)
  }

  /**
   * Stores a tab. A text above 1024 KB, or one that exceeds the remaining space, goes to the larger store.
   * @returns `tight` when the small store is nearly full
   * @throws when neither store accepts it
   */
  async save(tab: StoredTab): Promise<SaveTabResult> {
    const { id, sql } = tab.editor
    const key = `${this.#prefix}tab.${id}`
    const text = JSON.stringify(tab)
    if (sql.length * bytesPerUnit <= storageLimits.tabKb * 1024 && this.#fits(key, text) && this.#write(key, text)) {
      if (this.#sizes.has(`spilled.${id}`)) await this.#large.remove(`${this.#prefix}sql.${id}`)
      return this.used() > storageLimits.warnAbove ? 'tight' : 'kept'
    }
    const light: StoredTab = {
      ...tab,
      editor: { ...tab.editor, sql: '' },
      spilled: true,
    }
    await this.#large.set(`${this.#prefix}sql.${id}`, sql)
    this.#sizes.set(`spilled.${id}`, 0)
    if (!this.#write(key, JSON.stringify(light))) throw new Error('the browser keeps no more')
    return 'spilled'
  }

  saveIndex(index: StoredTabIndex): boolean {
    return this.#write(`${this.#prefix}index`, JSON.stringify(index))
  }

  remove(id: string): void {
    const key = `${this.#prefix}tab.${id}`
    this.#storage.removeItem(key)
    this.#sizes.delete(key)
    void this.#large.remove(`${this.#prefix}sql.${id}`).catch(() => undefined)
  }

  /** Share of the space in use, 0 to 1. */
  used(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0) / (storageLimits.totalKb * 1024)
  }

  #fits(key: string, text: string): boolean {
    return (
      this.used() * storageLimits.totalKb * 1024 - (this.#sizes.get(key) ?? 0) + text.length * bytesPerUnit <=
      storageLimits.totalKb * 1024
    )
  }

  #write(key: string, text: string): boolean {
    try {
      this.#storage.setItem(key, text)
      this.#sizes.set(key, text.length * bytesPerUnit)
      return true
    } catch {
      return false
    }
  }

  #keys(): string[] {
    return Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index)).filter(
      (key): key is string => key?.startsWith(this.#prefix) ?? false,
    )
  }

  #parse<T>(name: string): T | null {
    try {
      return JSON.parse(this.#storage.getItem(this.#prefix + name) ?? 'null') as T | null
    } catch {
      return null
    }
  }
}

const bytesPerUnit = 2

/** A query without its rows and without its next try, which ends with the page. */
export function withoutResults(query: Query): Query {
  const { refusal: _, ...rest } = query
  return { ...rest, results: null }
}

export const buildTabIndex = ({ queryEditors, activeId, closed }: SqlLabState): StoredTabIndex => ({
  order: queryEditors.map(({ id }) => id),
  activeId,
  closed,
  unloaded: queryEditors.flatMap(({ id, tabStateId, loaded }) =>
    loaded || tabStateId === null ? [] : { id, tabStateId },
  ),
})
