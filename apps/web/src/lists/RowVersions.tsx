import type { VersionedKind } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { api } from '../shared/api.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'

const VersionsDrawer = lazyComponent(async () => (await import('../shared/history/VersionsDrawer.tsx')).VersionsDrawer)

/** Versions of a row, beside the list. */
export function RowVersions({ kind, id, onClose }: { kind: VersionedKind; id: number; onClose(): void }) {
  const { data } = useQuery({
    queryKey: [kind, 'name', id],
    queryFn: async ({ signal }) => {
      const params = { id: String(id) }
      if (kind === 'dashboard')
        return (await api.get('/api/v1/dashboard/:id', { params, signal })).result.dashboard_title ?? ''
      if (kind === 'chart') return (await api.get('/api/v1/chart/:id', { params, signal })).result.slice_name ?? ''
      return (await api.get('/api/v1/dataset/:id', { params, signal })).result.table_name
    },
  })
  return (
    data !== undefined && (
      <Suspense>
        <VersionsDrawer kind={kind} id={id} name={data} onClose={onClose} />
      </Suspense>
    )
  )
}
