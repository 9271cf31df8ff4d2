import { PageHeader, useText } from '@parquetry/ui'
import { DropZone } from '../shared/DropZone.tsx'
import { can } from '../shared/rights.ts'
import { mayUploadAny } from '../shared/upload.ts'
import { useList } from '../shared/use-resource.ts'
import { useTitle } from '../shared/use-title.ts'
import { CreateButton } from './CreateButton.tsx'
import { ExamplesLoading } from './ExamplesLoading.tsx'
import { Recents } from './Recents.tsx'
import { SavedQueries } from './SavedQueries.tsx'
import { Start } from './Start.tsx'
import { Things } from './Things.tsx'
import { thingsQuery } from './things.ts'
import styles from './home.module.css'

export function HomePage() {
  const t = useText()
  const title = t('home.title', 'Home')
  useTitle([title])
  const dashboards = useList('dashboard', thingsQuery('dashboard', 'recent'), can('can_read', 'Dashboard'))
  const charts = useList('chart', thingsQuery('chart', 'recent'), can('can_read', 'Chart'))
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
            <Recents />
            {can('can_read', 'Dashboard') && (
              <Things kind="dashboard" title={t('lists.dashboards.title', 'Dashboards')} allHref="/dashboard/list/" />
            )}
            {can('can_read', 'Chart') && (
              <Things kind="chart" title={t('lists.charts.title', 'Charts')} allHref="/chart/list/" />
            )}
            {can('can_read', 'SavedQuery') && <SavedQueries />}
            {mayUploadAny && <DropZone />}
          </>
        )}
      </div>
    </>
  )
}
