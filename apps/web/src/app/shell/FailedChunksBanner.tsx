import { Button, Banner, useTranslate } from '@parquetry/ui'
import { retryFailedChunks, useHasFailedChunks } from '../../shared/failed-chunks.ts'

/** Reports a part of the page that failed to load and may still load. */
export function FailedChunksBanner() {
  const t = useTranslate()
  const isMissing = useHasFailedChunks()
  if (!isMissing) return null
  return (
    <Banner
      tone="warning"
      action={
        <Button variant="quiet" onClick={retryFailedChunks}>
          {t('app.missing.again', 'Try again')}
        </Button>
      }
    >
      {t('app.missing.strip', 'Could not load part of this page. Your open work and unsaved changes are not affected.')}
    </Banner>
  )
}
