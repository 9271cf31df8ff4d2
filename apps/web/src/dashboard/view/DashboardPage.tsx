import { ApiError } from '@parquetry/client'
import { decodeRison, type DataMask } from '@parquetry/model'
import { ButtonLink, EmptyState, ErrorPanel, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../shared/errors.ts'
import { useSeen } from '../../shared/log-event.ts'
import { usePage } from '../../shared/page.ts'
import { loadDashboard, readFilterState, readPermalink } from '../data/calls.ts'
import { openDashboard, type OpenDashboardOptions } from '../data/open-dashboard.ts'
import { dashboard, type DashboardSearch } from '../pages.ts'
import { opening, type OpenTabs } from '../state/tabs.ts'
import { Dashboard } from './Dashboard.tsx'
import { Loading } from './Loading.tsx'
import { NewDashboardPage } from './NewDashboardPage.tsx'

/** `/superset/dashboard/{id, slug or uuid}/`. */
export function DashboardPage() {
  const { params, search } = usePage(dashboard)
  const name = params.name ?? ''
  return <Opened key={name} name={name} search={search} />
}

/** What the link carries beyond the dashboard itself; a part that is gone is left out, the dashboard still opens. */
async function startOf(
  name: string,
  search: DashboardSearch,
  loaded: Awaited<ReturnType<typeof loadDashboard>>,
): Promise<OpenDashboardOptions> {
  const { nodes } = loaded.dashboard.layout
  const state = search.permalinkKey ? (await readPermalink(search.permalinkKey).catch(() => null))?.state : undefined
  const kept = search.nativeFiltersKey ? await readFilterState(name, search.nativeFiltersKey).catch(() => null) : null
  const openTabs = [...(state?.activeTabs ?? []), ...(state?.anchor ? [state.anchor] : [])].reduce<OpenTabs>(
    (open, id) => opening(nodes, id, open),
    {},
  )
  const mask: DataMask = { ...maskOfRison(search.nativeFilters), ...state?.dataMask, ...kept }
  return {
    mask,
    openTabs: focusing(nodes, search.focusedChart, openTabs),
    isEditing: search.edit,
    anchor: state?.anchor ?? undefined,
  }
}

const focusing = (nodes: Parameters<typeof opening>[0], chartId: number | undefined, open: OpenTabs): OpenTabs => {
  const node = chartId === undefined ? undefined : Object.values(nodes).find(({ meta }) => meta.chartId === chartId)
  return node ? opening(nodes, node.id, open) : open
}

/** DASH-015: filters written out in the address. */
function maskOfRison(text: string | undefined): DataMask {
  if (!text) return {}
  try {
    const value = decodeRison(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as unknown as DataMask) : {}
  } catch {
    return {}
  }
}

function Opened({ name, search }: { name: string; search: DashboardSearch }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'open', name],
    // The open page has its own state; it is read once per visit.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const loaded = await loadDashboard(name, signal)
      const start = await startOf(name, search, loaded)
      signal.throwIfAborted()
      return openDashboard(loaded, start)
    },
  })
  useSeen('dashboard', data?.loaded.dashboard.result.id)
  if (data) return <Dashboard opened={data} search={search} />
  // Left untouched it was taken away; to come back to it is to make another one.
  if (search.isNew && error instanceof ApiError && error.status === 404) return <NewDashboardPage />
  return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />
}

function Failed({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useText()
  const status = error instanceof ApiError ? error.status : 0
  if (status === 404 || status === 403) {
    return (
      <EmptyState
        title={t('dashboard.notHere', 'This dashboard is not here')}
        actions={<ButtonLink href="/dashboard/list/">{t('dashboard.toList', 'All dashboards')}</ButtonLink>}
      >
        {t(
          'dashboard.notHereWhy',
          'It was deleted, its address has changed, or you may not see it. Ask its owner for access.',
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
