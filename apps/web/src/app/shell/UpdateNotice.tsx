import { Button, Dialog, Banner, useTranslate } from '@parquetry/ui'
import { useState, useSyncExternalStore } from 'react'
import { isPageOutdated, subscribeUpdate } from '../../shared/update.ts'

const reload = (): void => location.reload()

/**
 * Reports that the page is older than the server once a part of it no longer exists. It never reloads unasked: only the user
 * knows what is unsaved.
 */
export function UpdateNotice() {
  const t = useTranslate()
  const isOld = useSyncExternalStore(subscribeUpdate, isPageOutdated)
  const [isPostponed, setPostponed] = useState(false)
  if (!isOld) return null
  const title = t('app.update.title', 'Parquetry was updated')
  if (isPostponed)
    return (
      <Banner
        tone="warning"
        action={
          <Button variant="quiet" onClick={reload}>
            {t('app.update.reload', 'Reload')}
          </Button>
        }
      >
        {t('app.update.strip', 'Parquetry was updated. Some parts of this page are unavailable until you reload it.')}
      </Banner>
    )
  return (
    <Dialog
      open
      title={title}
      onClose={() => setPostponed(true)}
      onSubmit={reload}
      footer={
        <>
          <Button onClick={() => setPostponed(true)}>{t('app.update.later', 'Not now')}</Button>
          <Button type="submit" variant="primary" data-autofocus>
            {t('app.update.reload', 'Reload')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          'app.update.text',
          'This page is from an earlier version and can’t open this part. Reload to continue. Your SQL Lab tabs are kept, but save your other changes first.',
        )}
      </p>
    </Dialog>
  )
}
