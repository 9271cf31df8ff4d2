import type { ImportProgress } from '@parquetry/model'
import { useTranslate, type Translate } from '@parquetry/ui'
import styles from './import.module.css'

export interface ImportProgressBarProps {
  isPreview: boolean
  /** null until the server reports. */
  progress: ImportProgress | null
}

/** How far a preview or an import is. */
export function ImportProgressBar({ isPreview, progress }: ImportProgressBarProps) {
  const t = useTranslate()
  const label = stepText(t, progress)
  const total = progress?.total ?? 0
  const done = Math.min(progress?.done ?? 0, total)
  const percent = total > 0 ? Math.floor((done / total) * 100) : null
  return (
    <div className={styles.progress}>
      <p className={styles.step} role="status">
        {label}
      </p>
      <span
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        {...(percent !== null && { 'aria-valuenow': percent, 'aria-valuemin': 0, 'aria-valuemax': 100 })}
        data-unknown={percent === null || undefined}
      >
        <span style={{ width: `${percent ?? 30}%` }} />
      </span>
      <p className={styles.quiet}>
        {total > 0 ? t('import.progress.of', '{done, number} of {total, number}', { done, total }) : '\u00a0'}
      </p>
      <p className={styles.quiet}>
        {isPreview ? '\u00a0' : t('import.progress.safe', 'If you cancel, nothing is imported.')}
      </p>
    </div>
  )
}

function stepText(t: Translate, progress: ImportProgress | null): string {
  switch (progress?.step) {
    case undefined:
      return t('import.progress.sendingAndOpening', 'Sending and opening the file')
    case 'reading':
      return t('import.progress.reading', 'Reading the file')
    case 'checking':
      return t('import.progress.checking', 'Comparing with what is here')
    case 'writing':
      return t('import.progress.writing', 'Importing')
  }
}
