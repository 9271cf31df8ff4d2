import type { ChartForm } from '@parquetry/charts'
import { Button, useTranslate } from '@parquetry/ui'
import { formatDays } from '../shared/time-range/time-range.ts'
import { useDataDays } from '../shared/time-range/use-data-days.ts'
import { findComparedColumn, withTimeRange } from './time-comparison.ts'
import type { ExploreDataset } from './use-explore.ts'

interface DataSpanOfferProps {
  form: ChartForm
  dataset: ExploreDataset
  onForm(form: ChartForm): void
}

/** Offers the days of the data as the range that a comparison with another time needs; nothing while they are unknown. */
export function DataSpanOffer({ form, dataset, onForm }: DataSpanOfferProps) {
  const t = useTranslate()
  const column = findComparedColumn(form, dataset)
  const days = useDataDays(column === null ? undefined : { dataset, column })
  if (column === null || !days) return null
  return (
    <Button onClick={() => onForm(withTimeRange(form, column, formatDays(days.from, days.to)))}>
      {t('explore.useSpan', 'Use all data: {from} to {to}', { ...days })}
    </Button>
  )
}
