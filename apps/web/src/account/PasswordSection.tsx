import { Button, useTranslate } from '@parquetry/ui'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { AccountSection } from './AccountSection.tsx'

const PasswordDialog = lazyComponent(async () => (await import('../shared/PasswordDialog.tsx')).PasswordDialog)

export function PasswordSection() {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(false)
  return (
    <AccountSection
      title={t('account.password', 'Password')}
      text={t('account.passwordText', 'Changing it signs you out everywhere else.')}
      actions={<Button onClick={() => setOpen(true)}>{t('app.password.title', 'Change password')}</Button>}
    >
      {isOpen && (
        <Suspense>
          <PasswordDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </AccountSection>
  )
}
