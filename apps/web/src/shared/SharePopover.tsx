import { Popover, Skeleton, useTranslate } from '@parquetry/ui'
import { Suspense, type ReactElement } from 'react'
import { lazyComponent } from './lazy-component.tsx'
import type { LinkFormProps } from './LinkForm.tsx'

const LinkForm = lazyComponent(async () => (await import('./LinkForm.tsx')).LinkForm)

export interface SharePopoverProps extends LinkFormProps {
  open: boolean
  onClose(): void
  anchor: ReactElement
}

/** Shares exactly this view with another user (SHARE-004 to SHARE-007). */
export function SharePopover({ open, onClose, anchor, ...form }: SharePopoverProps) {
  const t = useTranslate()
  return (
    <Popover
      open={open}
      onClose={onClose}
      anchor={anchor}
      label={t('share.title', 'Share')}
      width={400}
      placement="bottom-end"
    >
      <Suspense fallback={<Skeleton height={116} />}>
        <LinkForm {...form} />
      </Suspense>
    </Popover>
  )
}
