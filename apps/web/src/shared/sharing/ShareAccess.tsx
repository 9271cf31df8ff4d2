import { Button, useTranslate } from '@parquetry/ui'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { SharedObject } from './SharePopover.tsx'

const AccessDialog = lazyComponent(async () => (await import('./AccessDialog.tsx')).AccessDialog)

/** "Share" for an object without a link to its state: opens who can see it. */
export function ShareAccess({ object }: { object: SharedObject }) {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="share" onClick={() => setOpen(true)}>
        {t('share.title', 'Share')}
      </Button>
      {isOpen && (
        <Suspense>
          <AccessDialog object={object} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
