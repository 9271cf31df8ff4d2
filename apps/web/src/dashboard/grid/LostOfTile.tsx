import { loadChart, lostIn } from '@parquetry/charts'
import { Link, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lostWords } from '../../shared/lost-names/lost-words.ts'
import { useLostNames } from '../../shared/lost-names/use-lost-names.ts'
import type { ChartResult } from '../document/read-dashboard.ts'
import { useDashboard } from '../state/context.ts'

/**
 * What became of names that a failed chart asks for, and the way to mend it for who may.
 * @param otherwise  what is said where nothing is known of them
 */
export function LostOfTile({ chart: { id, form_data }, otherwise }: { chart: ChartResult; otherwise: ReactNode }) {
  const t = useText()
  const { rights } = useDashboard()
  const datasetId = Number.parseInt(String(form_data.datasource ?? ''), 10)
  const lost = useLostNames(Number.isNaN(datasetId) ? null : datasetId, true)
  const viz_type = String(form_data.viz_type ?? '')
  const { data: chart } = useQuery({
    queryKey: ['chart type', viz_type],
    queryFn: async () => (await loadChart(viz_type)) ?? null,
    enabled: lost.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const used = chart === undefined ? [] : lostIn(chart ?? undefined, form_data, lost)
  if (used.length === 0) return otherwise
  return (
    <>
      {used.map(lostWords).join(' ')}{' '}
      {rights.editChart && <Link href={`/explore/?slice_id=${id}`}>{t('dashboard.mend', 'Fix in Explore')}</Link>}
    </>
  )
}
