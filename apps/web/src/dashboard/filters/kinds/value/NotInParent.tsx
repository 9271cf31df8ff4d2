import { nativeFilters, type DataMaskEntry, type NativeFilter } from '@parquetry/model'
import { useText } from '@parquetry/ui'
import { filteredDashboard } from '../../../state/chart-request.ts'
import { useBoard } from '../../../state/context.ts'
import { labelOfValue, missingOf } from '../../mask.ts'
import styles from '../../Filters.module.css'

/** Chosen values of which the filters above leave nothing: struck out, and kept for when they are there again. */
export function NotInParent({ filter, entry }: { filter: NativeFilter; entry: DataMaskEntry | undefined }) {
  const t = useText()
  const dashboard = useBoard((state) => state.dashboard)
  const missing = missingOf(entry)
  if (missing.length === 0) return null
  const parents = nativeFilters(filteredDashboard(dashboard, dashboard.layout.nodes))
    .filter(({ id }) => filter.cascadeParentIds?.includes(id))
    .map(({ name }) => name)
    .join(', ')
  return (
    <p className={styles.note} role="status">
      <s>{missing.map(labelOfValue).join(', ')}</s> {t('dashboard.notInParent', 'not in {parent}', { parent: parents })}
    </p>
  )
}
