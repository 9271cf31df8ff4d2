import { loadChart, findMissingReferences } from '@parquetry/charts'
import { Link, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMissingReference } from '../../shared/missing-references/format-missing-reference.ts'
import { useMissingReferences } from '../../shared/missing-references/use-missing-references.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'
import { useDashboard } from '../state/context.ts'

/**
 * Explains the missing references of a failed chart, and links to Explore for users who may edit it.
 * @param fallback  shown if no missing reference is known
 */
export function MissingReferencesNote({
  chart: { id, form_data },
  fallback,
}: {
  chart: ChartRecord
  fallback: ReactNode
}) {
  const t = useTranslate()
  const { rights } = useDashboard()
  const datasetId = Number.parseInt(String(form_data.datasource ?? ''), 10)
  const missing = useMissingReferences(Number.isNaN(datasetId) ? null : datasetId, true)
  const viz_type = String(form_data.viz_type ?? '')
  const { data: chart } = useQuery({
    queryKey: ['chart type', viz_type],
    queryFn: async () => (await loadChart(viz_type)) ?? null,
    enabled: missing.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const used = chart === undefined ? [] : findMissingReferences(chart ?? undefined, form_data, missing)
  if (used.length === 0) return fallback
  return (
    <>
      {used.map(formatMissingReference).join(' ')}{' '}
      {rights.editChart && <Link href={`/explore/?slice_id=${id}`}>{t('dashboard.mend', 'Fix in Explore')}</Link>}
    </>
  )
}
