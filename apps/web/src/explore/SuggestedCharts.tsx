import { ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import type { ChartForm } from '@parquetry/charts'
import { messageOf } from '../shared/errors.ts'
import { SuggestedChartCard } from '../shared/suggested-charts/SuggestedChartCard.tsx'
import { useSuggestedCharts } from '../shared/suggested-charts/use-suggested-charts.ts'
import type { ExploreDataset } from './use-explore.ts'
import styles from './SuggestedCharts.module.css'

/** Suggested charts for a dataset without a query yet. Choosing one is a step that undo reverts. */
export function SuggestedCharts({ dataset, onChoose }: { dataset: ExploreDataset; onChoose(form: ChartForm): void }) {
  const t = useTranslate()
  const { data, error, refetch } = useSuggestedCharts(dataset)
  if (error)
    return (
      <ErrorPanel inline onRetry={() => void refetch()}>
        {messageOf(error)}
      </ErrorPanel>
    )
  if (!data) return <Skeleton height={160} />
  return (
    <ul className={styles.list} aria-label={t('explore.first.label', 'Suggestions')}>
      {data.map((picture) => (
        <SuggestedChartCard
          key={picture.suggestion.title}
          suggested={picture}
          dataset={dataset}
          label={t('explore.first.choose', 'Continue with {title}', { title: picture.suggestion.title })}
          choose={{ onClick: () => onChoose(picture.form) }}
        />
      ))}
    </ul>
  )
}
