import type { TabStateView } from '@parquetry/model'
import type { QueryEditor, SqlLabState } from '../state.ts'
import { newEditor } from '../tabs.ts'
import type { LargeStorage } from './local-tabs.ts'

/** A small browser store with a capacity in letters. */
export class FakeLocalStorage {
  readonly kept = new Map<string, string>()
  letters = Infinity
  get length(): number {
    return this.kept.size
  }
  key(index: number): string | null {
    return [...this.kept.keys()][index] ?? null
  }
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null
  }
  setItem(key: string, text: string): void {
    const rest = [...this.kept].reduce((sum, [name, value]) => sum + (name === key ? 0 : value.length), 0)
    if (rest + text.length > this.letters) throw new Error('QuotaExceededError')
    this.kept.set(key, text)
  }
  removeItem(key: string): void {
    this.kept.delete(key)
  }
}

export class FakeLargeStorage implements LargeStorage {
  readonly kept = new Map<string, string>()
  isFull = false
  async get(key: string) {
    return this.kept.get(key) ?? null
  }
  async set(key: string, text: string) {
    if (this.isFull) throw new Error('QuotaExceededError')
    this.kept.set(key, text)
  }
  async remove(key: string) {
    this.kept.delete(key)
  }
}

export const tabDefaults = { queryLimit: 1000, maxRow: 100_000 }
export const editorFixture = (id: string, part: Partial<QueryEditor> = {}): QueryEditor =>
  newEditor({ id, ...tabDefaults }, { name: id, dbId: 1, sql: `select '${id}'`, ...part })
export const stateFixture = (...editors: QueryEditor[]): SqlLabState => ({
  queryEditors: editors,
  activeId: editors[0]?.id ?? '',
  tables: [],
  queries: {},
  closed: [],
})

export const tabStateFixture = (id: number, part: Partial<TabStateView> = {}): TabStateView => ({
  id,
  user_id: 1,
  label: `tab ${id}`,
  active: false,
  database_id: 1,
  catalog: null,
  schema: null,
  table_schemas: [],
  sql: 'select 1',
  query_limit: 1000,
  latest_query: null,
  autorun: false,
  template_params: null,
  hide_left_bar: false,
  saved_query: null,
  extra_json: {},
  version: 1,
  changed_on: '2026-11-21T10:00:00',
  ...part,
})
