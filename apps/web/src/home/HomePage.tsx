import { PageHeader, useText } from '@parquetry/ui'
import { useEffect } from 'react'
import { DropZone } from '../shared/DropZone.tsx'
import { can } from '../shared/rights.ts'
import { mayUploadAny } from '../shared/upload.ts'
import { useRows } from '../shared/use-resource.ts'
import { useTitle } from '../shared/use-title.ts'
import { CreateButton } from './CreateButton.tsx'
import { ExamplesLoading } from './ExamplesLoading.tsx'
import { useKept } from './local.ts'
import { Recents } from './Recents.tsx'
import { SavedQueries } from './SavedQueries.tsx'
import { Start } from './Start.tsx'
import { Things } from './Things.tsx'
import type { ChartRow, DashboardRow } from './things.ts'
import { thingsQuery } from './things.ts'
import styles from './home.module.css'

/** Whether the user has made nothing of his own yet, for whom a first file comes first; as last seen until it is known. */
function useOwnsNothing(): boolean {
  const [kept, keep] = useKept('owns', 'nothing', ['nothing', 'something'])
  const dashboards = useRows<DashboardRow>('dashboard', thingsQuery('dashboard', 'mine'), can('can_read', 'Dashboard'))
  const charts = useRows<ChartRow>('chart', thingsQuery('chart', 'mine'), can('can_read', 'Chart'))
  const counts = [dashboards.data?.count, charts.data?.count]
  const now = counts.some(Boolean) ? 'something' : counts.every((count) => count === 0) ? 'nothing' : kept
  useEffect(() => {
    if (now !== kept) keep(now)
  })
  return now === 'nothing'
}

export function HomePage() {
  const t = useText()
  const title = t('home.title', 'Home')
  useTitle([title])
  const dashboards = useRows<DashboardRow>(
    'dashboard',
    thingsQuery('dashboard', 'recent'),
    can('can_read', 'Dashboard'),
  )
  const charts = useRows<ChartRow>('chart', thingsQuery('chart', 'recent'), can('can_read', 'Chart'))
  const ownsNothing = useOwnsNothing()
  const nothing = dashboards.data?.count === 0 && charts.data?.count === 0
  return (
    <>
      <PageHeader title={title} actions={<CreateButton />} />
      <div className={styles.content}>
        {nothing && <ExamplesLoading />}
        {nothing ? (
          <Start />
        ) : (
          <>
            {mayUploadAny && ownsNothing && <DropZone />}
            <Recents />
            {can('can_read', 'Dashboard') && (
              <Things kind="dashboard" title={t('lists.dashboards.title', 'Dashboards')} allHref="/dashboard/list/" />
            )}
            {can('can_read', 'Chart') && (
              <Things kind="chart" title={t('lists.charts.title', 'Charts')} allHref="/chart/list/" />
            )}
            {can('can_read', 'SavedQuery') && <SavedQueries />}
            {mayUploadAny && !ownsNothing && <DropZone />}
          </>
        )}
      </div>
    </>
  )
}
