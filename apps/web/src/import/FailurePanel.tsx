import { Button, ErrorPanel, useTranslate } from '@parquetry/ui'
import type { ImportFailure } from './failure.ts'
import styles from './import.module.css'

export interface FailurePanelProps {
  /** Noun of the imported kind, in the singular. */
  noun: string
  failure: ImportFailure
  /** Offered when the file is not to blame. */
  onRetry?: () => void
  /** Offered when objects were created by others since they were compared. */
  onCompare?: () => void
}

const maxFiles = 50

/** LIST-032: why nothing was imported, by file. */
export function FailurePanel({ noun, failure, onRetry, onCompare }: FailurePanelProps) {
  const { message, files, isTransient, isConflict } = failure
  const t = useTranslate()
  const more = files.length - maxFiles
  return (
    <ErrorPanel
      inline
      title={t('import.failedTitle', 'Nothing was imported')}
      onRetry={isTransient ? onRetry : undefined}
      hints={
        isConflict &&
        t(
          'import.conflict',
          'It was imported or created by someone else in the meantime. Compare again to see what differs.',
        )
      }
      actions={isConflict && onCompare && <Button onClick={onCompare}>{t('import.compare', 'Compare again')}</Button>}
    >
      <p className={styles.sentence}>
        {t('import.failed', 'An error occurred while importing {noun}: {message}', { noun, message })}
      </p>
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.slice(0, maxFiles).map(({ path, reasons }) => (
            <li key={path}>
              <code>{path}</code> {reasons.join(' ')}
            </li>
          ))}
          {more > 0 && (
            <li>{t('import.moreFiles', 'and {n, plural, one {# more file} other {# more files}}', { n: more })}</li>
          )}
        </ul>
      )}
      {!isTransient && (
        <p className={styles.sentence}>{t('import.again', 'Please re-export your file and try importing again')}</p>
      )}
    </ErrorPanel>
  )
}
