import { readNativeFilters, type DataMaskEntry, type NativeFilter } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { toFilteredDashboard } from '../../../state/chart-request.ts'
import { useDashboardState } from '../../../state/context.ts'
import { formatFilterValue, missingValuesOf } from '../../mask.ts'
import styles from '../../Filters.module.css'

/** Chosen values that the parent filters exclude: struck through, and still chosen in case they return. */
export function UnavailableValues({ filter, entry }: { filter: NativeFilter; entry: DataMaskEntry | undefined }) {
  const t = useTranslate()
  const dashboard = useDashboardState((state) => state.dashboard)
  const missing = missingValuesOf(entry)
  if (missing.length === 0) return null
  const parents = readNativeFilters(toFilteredDashboard(dashboard, dashboard.layout.nodes))
    .filter(({ id }) => filter.cascadeParentIds?.includes(id))
    .map(({ name }) => name)
    .join(', ')
  return (
    <p className={styles.note} role="status">
      <s>{missing.map(formatFilterValue).join(', ')}</s>{' '}
      {t('dashboard.notInParent', 'not in {parent}', { parent: parents })}
    </p>
  )
}
