import { ErrorPanel, Skeleton, useText } from '@parquetry/ui'
import type { ChartForm } from '@parquetry/charts'
import { messageOf } from '../shared/errors.ts'
import { Preview } from '../shared/first-pictures/Preview.tsx'
import { useFirstPictures } from '../shared/first-pictures/use-first-pictures.ts'
import type { ExploreDataset } from './use-explore.ts'
import styles from './FirstPictures.module.css'

/** What a dataset can give before anybody has asked it something; each is a step that undo takes back. */
export function FirstPictures({ dataset, onChoose }: { dataset: ExploreDataset; onChoose(form: ChartForm): void }) {
  const t = useText()
  const { data, error, refetch } = useFirstPictures(dataset)
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
        <Preview
          key={picture.suggestion.title}
          picture={picture}
          dataset={dataset}
          label={t('explore.first.choose', 'Continue with {title}', { title: picture.suggestion.title })}
          choose={{ onClick: () => onChoose(picture.form) }}
        />
      ))}
    </ul>
  )
}
