import { Button, Banner, useTranslate } from '@parquetry/ui'
import { useStore } from 'zustand'
import type { Lab } from '../lab.ts'

/** Banners across the page for risks of losing text. */
export function StorageBanner({ lab }: { lab: Lab }) {
  const t = useTranslate()
  const { storageWarning, stuck } = useStore(lab.notices)
  if (storageWarning === 'full')
    return (
      <Banner tone="danger" inline>
        {t('sqllab.notKept', 'Browser storage is full, so this SQL can’t be saved. Copy it before you leave the page.')}
      </Banner>
    )
  if (stuck !== null)
    return (
      <Banner
        tone="warning"
        inline
        action={
          <Button variant="quiet" onClick={() => lab.sync?.retry()}>
            {t('sqllab.store.again', 'Try again')}
          </Button>
        }
      >
        {stuck} {t('sqllab.store.local', 'Your changes are kept in this browser.')}
      </Banner>
    )
  if (storageWarning === 'tight')
    return (
      <Banner tone="warning" inline onClose={() => lab.notices.setState({ storageWarning: null })}>
        {t('sqllab.tight', 'Browser storage is almost full. Close tabs you no longer need.')}
      </Banner>
    )
  return null
}
