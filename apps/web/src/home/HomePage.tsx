import { PageHeader, useTranslate } from '@parquetry/ui'
import { useEffect } from 'react'
import { DropZone } from '../shared/DropZone.tsx'
import { mayReadRecents } from '../shared/recents.ts'
import { can } from '../shared/rights.ts'
import { canUploadAny } from '../shared/upload.ts'
import { useRows } from '../shared/use-resource.ts'
import { useTitle } from '../shared/use-title.ts'
import { AccessRequests } from './AccessRequests.tsx'
import { CreateButton } from './CreateButton.tsx'
import { ExamplesLoading } from './ExamplesLoading.tsx'
import { useLocalStorage } from './use-local-storage.ts'
import { Recents } from './Recents.tsx'
import { SavedQueries } from './SavedQueries.tsx'
import { EmptyHome } from './EmptyHome.tsx'
import { HomeItems } from './HomeItems.tsx'
import type { HomeChartRow, HomeDashboardRow } from './home-items.ts'
import { homeItemsQuery } from './home-items.ts'
import styles from './home.module.css'

/** Owners may share what they can change. */
const mayDecide = can('can_write', 'Dashboard') || can('can_write', 'Dataset')

/** Returns whether the user owns nothing yet, in which case uploading a file comes first; the last known value until it loads. */
function useOwnsNothing(): boolean {
  const [ownership, setOwnership] = useLocalStorage('owns', 'nothing', ['nothing', 'something'])
  const dashboards = useRows<HomeDashboardRow>(
    'dashboard',
    homeItemsQuery('dashboard', 'mine'),
    can('can_read', 'Dashboard'),
  )
  const charts = useRows<HomeChartRow>('chart', homeItemsQuery('chart', 'mine'), can('can_read', 'Chart'))
  const counts = [dashboards.data?.count, charts.data?.count]
  const now = counts.some(Boolean) ? 'something' : counts.every((count) => count === 0) ? 'nothing' : ownership
  useEffect(() => {
    if (now !== ownership) setOwnership(now)
  })
  return now === 'nothing'
}

export function HomePage() {
  const t = useTranslate()
  const title = t('home.title', 'Home')
  useTitle([title])
  const dashboards = useRows<HomeDashboardRow>(
    'dashboard',
    homeItemsQuery('dashboard', 'recent'),
    can('can_read', 'Dashboard'),
  )
  const charts = useRows<HomeChartRow>('chart', homeItemsQuery('chart', 'recent'), can('can_read', 'Chart'))
  const ownsNothing = useOwnsNothing()
  const nothing = dashboards.data?.count === 0 && charts.data?.count === 0
  return (
    <>
      <PageHeader title={title} actions={<CreateButton />} />
      <div className={styles.content}>
        {mayDecide && <AccessRequests />}
        {nothing && <ExamplesLoading />}
        {nothing ? (
          <EmptyHome />
        ) : (
          <>
            {canUploadAny && ownsNothing && <DropZone />}
            {mayReadRecents && <Recents />}
            {can('can_read', 'Dashboard') && (
              <HomeItems
                kind="dashboard"
                title={t('lists.dashboards.title', 'Dashboards')}
                allHref="/dashboard/list/"
              />
            )}
            {can('can_read', 'Chart') && (
              <HomeItems kind="chart" title={t('lists.charts.title', 'Charts')} allHref="/chart/list/" />
            )}
            {can('can_read', 'SavedQuery') && <SavedQueries />}
            {canUploadAny && !ownsNothing && <DropZone />}
          </>
        )}
      </div>
    </>
  )
}
