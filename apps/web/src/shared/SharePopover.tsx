import { Popover, Skeleton, useText } from '@parquetry/ui'
import { Suspense, type ReactElement } from 'react'
import { lazyPart } from './lazy-part.tsx'
import type { LinkFormProps } from './LinkForm.tsx'

const LinkForm = lazyPart(async () => (await import('./LinkForm.tsx')).LinkForm)

export interface SharePopoverProps extends LinkFormProps {
  open: boolean
  onClose(): void
  anchor: ReactElement
}

/** Gives somebody else exactly this view (SHARE-004 to SHARE-007). */
export function SharePopover({ open, onClose, anchor, ...form }: SharePopoverProps) {
  const t = useText()
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
