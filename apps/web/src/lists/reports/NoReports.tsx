import { EmptyState, PageHeader, useTranslate } from '@parquetry/ui'
import { useTitle } from '../../shared/use-title.ts'
import lists from '../lists.module.css'

/** Alerts and reports are off, or the user has no permission. */
export function NoReports() {
  const t = useTranslate()
  const title = t('app.nav.reports', 'Alerts & reports')
  useTitle([title])
  return (
    <div className={lists.page}>
      <PageHeader title={title} crumbs={[]} />
      <div className={lists.content}>
        <EmptyState title={t('reports.off', 'Alerts and reports are not available')}>
          {t('reports.offText', 'An administrator can turn them on, or give you the permission to see them.')}
        </EmptyState>
      </div>
    </div>
  )
}
