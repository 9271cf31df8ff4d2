import { useNavigation } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePage } from '../../shared/page.ts'
import { readPermalink } from '../data/calls.ts'
import { permalink } from '../pages.ts'
import { DeadLink } from './DeadLink.tsx'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'

/** `/superset/dashboard/p/{key}/`: redirects to the dashboard's own URL, which retains the key and reflects later changes. */
export function PermalinkPage() {
  const { go } = useNavigation()
  const key = usePage(permalink).params.key ?? ''
  const { data, error } = useQuery({
    queryKey: ['dashboard', 'permalink', key],
    queryFn: () => readPermalink(key),
    staleTime: Infinity,
    retry: false,
  })
  useEffect(() => {
    if (!data) return
    const params = new URLSearchParams(data.state.urlParams ?? [])
    params.set('permalink_key', key)
    go(`/superset/dashboard/${encodeURIComponent(data.dashboardId)}/?${params}`, { replace: true })
  }, [data, key, go])
  if (!error) return <DashboardSkeleton />
  return <DeadLink error={error} />
}
