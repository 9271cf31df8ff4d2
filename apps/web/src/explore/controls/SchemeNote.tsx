import type { ChartForm } from '@parquetry/charts'
import { useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import styles from './controls.module.css'

/** EXP-092, EXP-093: notes that the dashboard of the chart overrides its color scheme. */
export function SchemeNote({ form: { dashboardId, label_colors } }: { form: ChartForm }) {
  const t = useTranslate()
  const id = Number(dashboardId) || 0
  const { data: isSet } = useQuery({
    queryKey: ['dashboard', 'scheme', id],
    queryFn: async ({ signal }) =>
      hasScheme((await api.get('/api/v1/dashboard/:id', { params: { id }, signal })).result.json_metadata),
    enabled: id > 0,
    staleTime: Infinity,
    retry: false,
  })
  if (id === 0) return null
  // Label colors apply only on a dashboard.
  const isOverridden = typeof label_colors === 'object' && label_colors !== null && Object.keys(label_colors).length > 0
  return (
    <>
      {isSet === true && (
        <p className={styles.note}>
          {t('explore.scheme.dashboard', 'This color scheme is set by the dashboard that shows this chart.')}
        </p>
      )}
      {isOverridden && (
        <p className={styles.note}>
          {t('explore.scheme.overridden', 'This color scheme is overridden by custom label colors.')}
        </p>
      )}
    </>
  )
}

function hasScheme(metadata: string | null | undefined): boolean {
  try {
    return Boolean((JSON.parse(metadata || '{}') as { color_scheme?: unknown } | null)?.color_scheme)
  } catch {
    return false
  }
}
