import { ApiError } from '@parquetry/client'
import { ButtonLink, EmptyState, ErrorPanel, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../shared/errors.ts'
import { useLogView } from '../../shared/log-event.ts'
import { usePage } from '../../shared/page.ts'
import { RequestAccess } from '../../shared/RequestAccess.tsx'
import { openByName, takePrefetchedDashboard } from '../data/prefetch-dashboard.ts'
import { dashboard, type DashboardSearch } from '../pages.ts'
import { Dashboard } from './Dashboard.tsx'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'
import { NewDashboardPage } from './NewDashboardPage.tsx'

export { prefetchDashboard } from '../data/prefetch-dashboard.ts'

/** `/superset/dashboard/{id, slug or uuid}/`. */
export function DashboardPage() {
  const { params, search, hash } = usePage(dashboard)
  const name = params.name ?? ''
  return <Opened key={name} name={name} search={search} hash={hash} />
}

function Opened({ name, search, hash }: { name: string; search: DashboardSearch; hash: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'open', name],
    // The open page has its own state, so it is loaded once per visit.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => takePrefetchedDashboard(name, search, hash) ?? openByName(name, search, hash, signal),
  })
  useLogView('dashboard', data?.loaded.dashboard.result.id)
  if (data) return <Dashboard opened={data} search={search} hash={hash} />
  // The untouched dashboard was deleted; going back to it creates another one.
  if (search.isNew && error instanceof ApiError && error.status === 404) return <NewDashboardPage />
  return error ? <Failed error={error} onRetry={() => void refetch()} /> : <DashboardSkeleton />
}

function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useTranslate()
  const status = error instanceof ApiError ? error.status : 0
  if (status === 404 || status === 403) {
    return (
      <EmptyState
        title={t('dashboard.notHere', 'Dashboard not found')}
        actions={
          <>
            <RequestAccess />
            <ButtonLink href="/dashboard/list/">{t('dashboard.toList', 'All dashboards')}</ButtonLink>
          </>
        }
      >
        {t(
          'dashboard.notHereWhy',
          'It was deleted, its URL has changed, or you don’t have access to it. Ask its owner for access.',
        )}
      </EmptyState>
    )
  }
  return (
    <ErrorPanel onRetry={onRetry} accessHref={error instanceof ApiError ? error.accessHref : undefined}>
      {messageOf(error)}
    </ErrorPanel>
  )
}
