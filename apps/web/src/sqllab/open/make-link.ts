import { api } from '../../shared/api.ts'
import { boot } from '../../shared/boot.ts'
import type { QueryEditor } from '../state.ts'
import { hasUnsavedSql } from '../tabs.ts'

/**
 * Creates a link that opens this text elsewhere (SHARE-005). It leads to a copy that the server stores for the link; if the tab
 * matches its saved query, the link names that too, and users who may read the query get the query itself.
 */
export async function makeLink(tab: QueryEditor): Promise<string> {
  const { remoteId, dbId } = tab
  const isSaved = remoteId !== null && !hasUnsavedSql(tab)
  const link = isSaved && dbId === null ? new URL(page) : await linkToCopy(tab)
  if (isSaved) link.searchParams.set('savedQueryId', String(remoteId))
  return link.href
}

const page = `${location.origin}/superset/sqllab/`

async function linkToCopy({ dbId, name, schema, catalog, sql, autorun, templateParams }: QueryEditor): Promise<URL> {
  const flags = boot.common.feature_flags
  if (flags['SHARE_QUERIES_VIA_KV_STORE'] && flags['KV_STORE']) {
    const data = JSON.stringify({ dbId, title: name, schema, autorun, sql })
    const { id } = await api.post('/kv/store/', { body: new URLSearchParams({ data }) })
    return new URL(`${page}?id=${id}`)
  }
  const { url } = await api.post('/api/v1/sqllab/permalink', {
    body: { dbId: dbId ?? -1, name, sql, schema, catalog, autorun, templateParams },
  })
  return new URL(url, location.origin)
}
