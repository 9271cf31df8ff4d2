import { useTranslate } from '@parquetry/ui'
import { useDashboardState } from '../state/context.ts'
import { useChartNames } from '../state/chart-names.ts'
import { toFilteredDashboard } from '../state/chart-request.ts'
import { listActiveFilters } from './chart-filters.ts'
import styles from './Filters.module.css'

/** Lists the active filters in print, where the bar is hidden. */
export function PrintedFilters() {
  const t = useTranslate()
  const dashboard = useDashboardState((board) => board.dashboard)
  const mask = useDashboardState((board) => board.mask)
  const nameOf = useChartNames()
  const filters = listActiveFilters(toFilteredDashboard(dashboard, dashboard.layout.nodes), mask, nameOf)
  if (filters.length === 0) return null
  return (
    <dl className={styles.onPaper} aria-label={t('dashboard.onPaper', 'Active filters')}>
      {filters.map(({ id, name, value }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
