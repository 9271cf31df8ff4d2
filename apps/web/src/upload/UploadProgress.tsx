import { useTranslate } from '@parquetry/ui'
import type { UploadItem } from './upload-item.ts'
import { formatFileSize } from '../shared/format-file-size.ts'
import styles from './upload.module.css'

/** Upload progress of a file as text and as a bar, with speed. */
export function UploadProgress({ row, short = false }: { row: UploadItem; short?: boolean }) {
  const t = useTranslate()
  const { file, sent, state, isSent, error } = row
  if (error) return short ? <span className={styles.bad}>{t('upload.progress.failed', 'Not added')}</span> : null
  if (state?.state === 'ready') return <span className={styles.good}>{t('upload.progress.ready', 'Added')}</span>
  if (state?.state === 'refused')
    return short ? <span className={styles.quiet}>{t('upload.progress.asks', 'Needs input')}</span> : null
  const isLoading = state?.state === 'loading'
  if (isSent && !isLoading) return <span className={styles.quiet}>{t('upload.progress.sent', 'Uploaded')}</span>
  const percent = isLoading
    ? Math.round(state.progress)
    : file.size
      ? Math.floor(((sent?.received ?? 0) / file.size) * 100)
      : 0
  const statusText = isLoading
    ? t('upload.progress.loading', 'Loading · {percent}%', { percent })
    : sent?.waitsFor
      ? sent.waitsFor.reason === null
        ? t('upload.progress.waiting', 'Waiting for connection · {percent}% uploaded', { percent })
        : t('upload.progress.refused', 'Waiting · {reason}', { reason: sent.waitsFor.reason })
      : sent?.speed
        ? t('upload.progress.sending', 'Uploading · {percent}% · {speed}/s', {
            percent,
            speed: formatFileSize(sent.speed),
          })
        : t('upload.progress.begins', 'Uploading · {percent}%', { percent })
  return (
    <span className={styles.progress}>
      <span
        className={styles.bar}
        role="progressbar"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={t('upload.progress.of', 'Progress of {name}', { name: file.name })}
      >
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className={styles.quiet}>{statusText}</span>
    </span>
  )
}
