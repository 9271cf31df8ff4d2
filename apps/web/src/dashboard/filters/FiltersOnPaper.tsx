import { useText } from '@parquetry/ui'
import { useBoard } from '../state/context.ts'
import { filteredDashboard } from '../state/chart-request.ts'
import { filtersInForce } from './filters-of-chart.ts'
import styles from './Filters.module.css'

/** What is in force, on paper, where the bar is not. */
export function FiltersOnPaper() {
  const t = useText()
  const dashboard = useBoard((board) => board.dashboard)
  const mask = useBoard((board) => board.mask)
  const nameOf = (id: number) => dashboard.charts.get(id)?.slice_name ?? String(id)
  const filters = filtersInForce(filteredDashboard(dashboard, dashboard.layout.nodes), mask, nameOf)
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
