import { ErrorPanel, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../shared/errors.ts'
import { usePage } from '../../shared/page.ts'
import { readPermalink } from '../data/calls.ts'
import { permalink, readDashboardSearch } from '../pages.ts'
import { Loading, Opened } from './DashboardPage.tsx'

/** `/superset/dashboard/p/{key}/`: the dashboard in the state that the link keeps. */
export function PermalinkPage() {
  const t = useText()
  const key = usePage(permalink).params.key ?? ''
  const { data, error } = useQuery({
    queryKey: ['dashboard', 'permalink', key],
    queryFn: () => readPermalink(key),
    staleTime: Infinity,
    retry: false,
  })
  if (error) {
    return (
      <ErrorPanel title={t('dashboard.linkGone', 'This link does not work any more')}>{messageOf(error)}</ErrorPanel>
    )
  }
  if (!data) return <Loading />
  const params = Object.fromEntries(data.state.urlParams ?? [])
  return <Opened name={data.dashboardId} search={{ ...readDashboardSearch(params), permalinkKey: key }} />
}
