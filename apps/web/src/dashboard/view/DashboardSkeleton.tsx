import { Delayed, PageHeader, Skeleton, useTranslate } from '@parquetry/ui'
import styles from './Dashboard.module.css'

/** Skeleton of the page while it loads. */
export function DashboardSkeleton() {
  const t = useTranslate()
  return (
    <div className={styles.page} aria-busy="true" aria-label={t('dashboard.loading', 'Loading dashboard…')}>
      <PageHeader title="…" crumbs={[{ label: t('dashboard.dashboards', 'Dashboards'), href: '/dashboard/list/' }]} />
      <Delayed>
        <div className={styles.skeleton}>
          {[4, 4, 4, 8, 4, 6, 6].map((width, tile) => (
            <span key={tile} style={{ gridColumn: `span ${width}` }}>
              <Skeleton height={tile < 3 ? 120 : 320} />
            </span>
          ))}
        </div>
      </Delayed>
    </div>
  )
}
