import { PageHeader, useTranslate } from '@parquetry/ui'
import { boot } from '../shared/boot.ts'
import { can } from '../shared/rights.ts'
import { useTitle } from '../shared/use-title.ts'
import { ApiKeysSection } from './api-keys/ApiKeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SecondFactorSection } from './second-factor/SecondFactorSection.tsx'
import { SessionsSection } from './sessions/SessionsSection.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import styles from './account.module.css'

/** The account of the signed-in user: how they and their programs sign in. */
export function UserInfoPage() {
  const t = useTranslate()
  const title = t('account.title', 'Your account')
  useTitle([title])
  return (
    <div className={styles.page}>
      <PageHeader title={title} />
      <div className={styles.content}>
        <ProfileSection />
        <PasswordSection />
        <SecondFactorSection />
        <SessionsSection />
        {boot.common.conf['FAB_API_KEY_ENABLED'] === true && can('can_list', 'ApiKey') && <ApiKeysSection />}
      </div>
    </div>
  )
}
