import { api } from '../../shared/api.ts'
import { boot } from '../../shared/boot.ts'
import type { QueryEditor } from '../state.ts'
import { differs } from '../tabs.ts'

/**
 * A link that opens this text elsewhere (SHARE-005): to the saved query when the tab says the same as it, else to a copy that the
 * server keeps for the link.
 */
export async function makeLink(tab: QueryEditor): Promise<string> {
  const { remoteId, dbId, name, schema, catalog, sql, autorun, templateParams } = tab
  const page = `${location.origin}/superset/sqllab/`
  if (remoteId !== null && !differs(tab)) return `${page}?savedQueryId=${remoteId}`
  const flags = boot.common.feature_flags
  if (flags['SHARE_QUERIES_VIA_KV_STORE'] && flags['KV_STORE']) {
    const data = JSON.stringify({ dbId, title: name, schema, autorun, sql })
    const { id } = await api.post<{ id: number }>('/kv/store/', { body: new URLSearchParams({ data }) })
    return `${page}?id=${id}`
  }
  const { url } = await api.post<{ url: string }>('/api/v1/sqllab/permalink', {
    body: { dbId, name, sql, schema, catalog, autorun, templateParams },
  })
  return new URL(url, location.origin).href
}
