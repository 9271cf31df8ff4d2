import { Banner, Button, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { MissingLinkFilters } from '../data/link-part.ts'

/** Says that the page does not show the filters of its link. */
export function MissingFiltersBanner({ missing }: { missing: MissingLinkFilters | null }) {
  const t = useTranslate()
  const [isClosed, setClosed] = useState(false)
  if (missing === null || isClosed) return null
  const close = () => setClosed(true)
  if (missing === 'gone')
    return (
      <Banner inline tone="warning" onClose={close}>
        {t(
          'dashboard.linkFiltersGone',
          'The filters of this link no longer exist. The dashboard shows its default filters.',
        )}
      </Banner>
    )
  return (
    <Banner
      inline
      tone="warning"
      onClose={close}
      action={<Button onClick={() => location.reload()}>{t('dashboard.retry', 'Try again')}</Button>}
    >
      {t(
        'dashboard.linkFiltersFailed',
        'Could not load the filters of this link. The dashboard shows its default filters.',
      )}
    </Banner>
  )
}
