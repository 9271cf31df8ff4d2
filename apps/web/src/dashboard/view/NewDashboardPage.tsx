import { ErrorPanel, useNavigation, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { createDashboard } from '../data/calls.ts'
import { untitled } from '../document/save-body.ts'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'

/** `/dashboard/new/`: creates an untitled dashboard (API-044) and opens it for editing. */
export function NewDashboardPage() {
  const t = useTranslate()
  const { go } = useNavigation()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'new'],
    queryFn: () => createDashboard({ dashboard_title: untitled }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const id = data?.id
  useEffect(() => {
    if (id !== undefined) go(`/superset/dashboard/${id}/?edit=true&new=true`, { replace: true })
  }, [id, go])
  if (!error) return <DashboardSkeleton />
  return (
    <ErrorPanel title={t('dashboard.notCreated', 'Could not create the dashboard')} onRetry={() => void refetch()}>
      {messageOf(error)}
    </ErrorPanel>
  )
}
