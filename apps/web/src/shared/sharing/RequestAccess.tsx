import type { RequestableKind } from '@parquetry/model'
import { Button, useTranslate } from '@parquetry/ui'
import { Suspense, useState } from 'react'
import { boot } from '../boot.ts'
import { lazyComponent } from '../lazy-component.tsx'

const RequestAccessDialog = lazyComponent(async () => (await import('./RequestAccessDialog.tsx')).RequestAccessDialog)

export interface RequestAccessProps {
  /** The object that the user may not see; without it, the message is for the user to send. */
  of?: { kind: RequestableKind; id: string }
}

/** "Request access": asks the owners of an object, whom a page that the user may not see cannot name. */
export function RequestAccess({ of }: RequestAccessProps) {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(false)
  if (boot.user.isAnonymous) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('shared.access.request', 'Request access')}</Button>
      {isOpen && (
        <Suspense>
          <RequestAccessDialog {...(of && { of })} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
