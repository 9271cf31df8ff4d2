import { ApiError } from '@parquetry/client'
import { ButtonLink, EmptyState, ErrorPanel, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../shared/errors.ts'
import { useLogView } from '../../shared/log-event.ts'
import { usePage } from '../../shared/page.ts'
import { RequestAccess } from '../../shared/sharing/RequestAccess.tsx'
import { TrashLink } from '../../shared/TrashLink.tsx'
import { openByName, takePrefetchedDashboard } from '../data/prefetch-dashboard.ts'
import { dashboard, type DashboardSearch } from '../pages.ts'
import { Dashboard } from './Dashboard.tsx'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'

export { prefetchDashboard } from '../data/prefetch-dashboard.ts'

/** `/superset/dashboard/{id, slug or uuid}/`. */
export function DashboardPage() {
  const { params, search, hash } = usePage(dashboard)
  const name = params.name ?? ''
  return <Opened key={`${name} ${search.version ?? ''}`} name={name} search={search} hash={hash} />
}

function Opened({ name, search, hash }: { name: string; search: DashboardSearch; hash: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'open', name, search.version],
    // The open page has its own state, so it is loaded once per visit.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => takePrefetchedDashboard(name, search, hash) ?? openByName(name, search, hash, signal),
  })
  useLogView('dashboard', data?.loaded.dashboard.result.id)
  if (data) return <Dashboard opened={data} search={search} hash={hash} />
  if (!error) return <DashboardSkeleton />
  return <Failed error={error} name={name} isVersion={search.version !== undefined} onRetry={() => void refetch()} />
}

interface FailedProps {
  error: Error
  name: string
  isVersion: boolean
  onRetry(): void
}

function Failed({ error, name, isVersion, onRetry }: FailedProps) {
  const t = useTranslate()
  const status = error instanceof ApiError ? error.status : 0
  if (isVersion && (status === 404 || status === 403)) {
    return (
      <EmptyState
        title={t('dashboard.version.notHere', 'Version not found')}
        actions={
          <ButtonLink href={`/superset/dashboard/${encodeURIComponent(name)}/`}>
            {t('dashboard.version.open', 'Open the dashboard')}
          </ButtonLink>
        }
      >
        {t('dashboard.version.notHereWhy', 'It is no longer kept, or you don’t have access to it.')}
      </EmptyState>
    )
  }
  if (status === 404 || status === 403) {
    return (
      <EmptyState
        title={t('dashboard.notHere', 'Dashboard not found')}
        actions={
          <>
            {/^\d{1,9}$/.test(name) && <TrashLink kind="dashboard" id={Number(name)} />}
            <RequestAccess of={{ kind: 'dashboard', id: name }} />
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
