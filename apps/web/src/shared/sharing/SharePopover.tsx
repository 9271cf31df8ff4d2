import { Button, Popover, Skeleton, useTranslate } from '@parquetry/ui'
import { Suspense, useState, type ReactElement } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { LinkFormProps } from './LinkForm.tsx'
import styles from './sharing.module.css'

const LinkForm = lazyComponent(async () => (await import('./LinkForm.tsx')).LinkForm)
const AccessDialog = lazyComponent(async () => (await import('./AccessDialog.tsx')).AccessDialog)

/** An object whose access the user may manage. */
export interface SharedObject {
  kind: 'dashboard' | 'dataset'
  id: number
  name: string
}

export interface SharePopoverProps extends LinkFormProps {
  open: boolean
  onClose(): void
  anchor: ReactElement
  /** Offers "Who can see this?"; omitted for users who may not change the object. */
  access?: SharedObject | undefined
}

/** Shares exactly this view with another user (SHARE-004 to SHARE-007), and says who can see it. */
export function SharePopover({ open, onClose, anchor, access, ...form }: SharePopoverProps) {
  const t = useTranslate()
  const [isListing, setListing] = useState(false)
  return (
    <>
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
        {access && (
          <div className={styles.more}>
            <Button
              variant="quiet"
              icon="eye"
              onClick={() => {
                onClose()
                setListing(true)
              }}
            >
              {t('share.who', 'Who can see this, and why?')}
            </Button>
          </div>
        )}
      </Popover>
      {access && isListing && (
        <Suspense>
          <AccessDialog object={access} onClose={() => setListing(false)} />
        </Suspense>
      )}
    </>
  )
}
