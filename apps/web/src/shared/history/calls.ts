import type { VersionedKind, Version } from '@parquetry/model'
import { api } from '../api.ts'

export const versionsPageSize = 20

export const readVersions = (
  kind: VersionedKind,
  id: number,
  page: number,
  signal: AbortSignal,
): Promise<{ count: number; result: Version[] }> =>
  api.get(`/api/v1/${kind}/:id/versions/`, { params: { id }, query: { page }, signal })

/** Fetches a version with its full document. */
export const readVersion = (kind: VersionedKind, id: number, n: number, signal?: AbortSignal) =>
  api.get(`/api/v1/${kind}/:id/versions/:n`, { params: { id, n }, ...(signal && { signal }) })

export const restoreVersion = (kind: VersionedKind, id: number, n: number) =>
  api.post(`/api/v1/${kind}/:id/versions/:n/restore`, { params: { id, n }, body: {} })

/** Restores a deleted object, under `names` where its own are taken. */
export const restoreTrashed = (
  kind: VersionedKind,
  id: number,
  names: { slug?: string | null; table_name?: string } = {},
): Promise<{ url: string }> => api.post('/api/v1/trash/:kind/:id/restore', { params: { kind, id }, body: names })

export const purgeTrashed = (kind: VersionedKind, id: number) =>
  api.del('/api/v1/trash/:kind/:id', { params: { kind, id } })
