import type { TabStateView } from '@parquetry/model'
import { api } from '../../shared/api.ts'
import type { QueryEditor, TableSchema } from '../state.ts'
import type { SyncedField } from './local-tabs.ts'
import { newTabForm, tabForm } from './tab-state.ts'
import { dropPlaceholder } from '../tabs.ts'

/** A server tab by name; `clientKey` is its id in the browser that created it. */
export interface ListedTab {
  id: number
  label: string | null
  clientKey?: string
}
export interface Bootstrap {
  tab_state_ids: readonly (ListedTab | [id: number, label: string | null])[]
  active_tab: TabStateView | null
}

/** Each change of a tab increments its version, which the `ETag` header contains. */
const parseVersion = (response: Response): number | null =>
  Number(/\d+/.exec(response.headers.get('etag') ?? '')?.[0] ?? NaN) || null

const form = (name: string, value: unknown): FormData => {
  const data = new FormData()
  data.append(name, JSON.stringify(value))
  return data
}

const withoutPlaceholder = (state: TabStateView): TabStateView => ({
  ...state,
  sql: state.sql === null ? null : dropPlaceholder(state.sql),
})

/** API calls that store tabs on the server. */
export const serverTabs = {
  boot: async (signal?: AbortSignal): Promise<Bootstrap> => {
    const { result } = await api.get('/api/v1/sqllab/', { signal })
    return { ...result, active_tab: result.active_tab && withoutPlaceholder(result.active_tab) }
  },
  /** `existed`: it was created before, but the response did not reach the browser. It is unchanged. */
  create: async (editor: QueryEditor, keepalive: boolean) => {
    const response = await api.send('POST', '/tabstateview/', { body: newTabForm(editor), keepalive })
    const { id, existed = false } = (await response.json()) as { id: number; existed?: boolean }
    return { id, existed, version: parseVersion(response) }
  },
  load: async (id: number, signal?: AbortSignal) =>
    withoutPlaceholder(await api.get('/tabstateview/:id', { params: { id }, signal })),
  /** @throws ApiError 409 when the server's state does not match `version`, 404 when the tab no longer exists */
  save: async (
    id: number,
    editor: QueryEditor,
    fields: readonly SyncedField[],
    version: number | null,
    keepalive: boolean,
  ) => {
    const body = tabForm(editor, fields, version)
    return parseVersion(await api.send('PUT', '/tabstateview/:id', { params: { id }, body, keepalive }))
  },
  remove: async (id: number) => api.del('/tabstateview/:id', { params: { id } }),
  activate: async (id: number) => api.post('/tabstateview/:id/activate', { params: { id } }),
  migrateQuery: async (id: number, clientId: string) =>
    api.post('/tabstateview/:id/migrate_query', { params: { id }, body: form('queryId', clientId) }),
  removeQuery: async (id: number, clientId: string) =>
    api.del('/tabstateview/:id/query/:client_id', { params: { id, client_id: clientId } }),
  addTable: async (tabStateId: number, table: TableSchema) =>
    (
      await api.post('/tableschemaview/', {
        body: form('table', { ...table, queryEditorId: tabStateId }),
      })
    ).id,
  expandTable: async (id: number, expanded: boolean) =>
    api.post('/tableschemaview/:id/expanded', { params: { id }, body: form('expanded', expanded) }),
  removeTable: async (id: number) => api.del('/tableschemaview/:id', { params: { id } }),
}
export type ServerTabs = typeof serverTabs
