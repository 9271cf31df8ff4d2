import { Skeleton } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { api } from '../shared/api.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'

const AccessRequestList = lazyComponent(async () => (await import('./AccessRequestList.tsx')).AccessRequestList)

/** Requests for access that the user may decide; nothing while there are none. */
export function AccessRequests() {
  const { data } = useQuery({
    queryKey: ['access_request'],
    queryFn: ({ signal }) => api.get('/api/v1/access_request/', { signal }),
  })
  if (!data || data.result.length === 0) return null
  return (
    <Suspense fallback={<Skeleton height={96} />}>
      <AccessRequestList requests={data.result} />
    </Suspense>
  )
}
