import type { ChartForm } from '@parquetry/charts'
import { Tag, useTranslate } from '@parquetry/ui'
import { formatFilters } from './format-filters.ts'
import type { DrillSubject } from './subject.ts'
import styles from './drill.module.css'

/** All filters of the shown data: those of the chart, the dashboard and the mark. */
export function DrillFilters({ form, dataset }: { form: ChartForm; dataset: DrillSubject['dataset'] }) {
  const t = useTranslate()
  const filterTexts = formatFilters(form, dataset)
  if (filterTexts.length === 0) return null
  return (
    <ul className={styles.filters} aria-label={t('drill.filters', 'Filtered by')}>
      {filterTexts.map((text) => (
        <li key={text}>
          <Tag>{text}</Tag>
        </li>
      ))}
    </ul>
  )
}
