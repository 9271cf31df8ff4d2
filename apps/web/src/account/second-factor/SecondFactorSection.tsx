import type { SecondFactor } from '@parquetry/model'
import { Button, StatusChip, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import styles from '../account.module.css'
import { AccountSection } from '../AccountSection.tsx'
import { SectionBody } from '../SectionBody.tsx'
import { formatStoredDate } from '../stored-time.ts'
import { SecondFactorDialog, type SecondFactorAction } from './SecondFactorDialog.tsx'

const queryKey = ['account', 'second-factor']

/** The user's second factor: codes of an authenticator app. */
export function SecondFactorSection() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [action, setAction] = useState<SecondFactorAction | null>(null)
  const state = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get('/api/v1/me/second_factor/', { signal })).result,
  })
  return (
    <AccountSection
      title={t('account.factor', 'Second factor')}
      text={t('account.factorText', 'Sign-ins ask for a code of an authenticator app as well as for your password.')}
      actions={
        state.data &&
        !state.data.active && <Button onClick={() => setAction('set-up')}>{t('account.factor.setUp', 'Set up')}</Button>
      }
    >
      <SectionBody query={state}>{(factor) => <State factor={factor} onAction={setAction} />}</SectionBody>
      {action && (
        <SecondFactorDialog
          action={action}
          onClose={() => setAction(null)}
          onChanged={() => void queries.invalidateQueries({ queryKey })}
        />
      )}
    </AccountSection>
  )
}

function State({ factor, onAction }: { factor: SecondFactor; onAction(action: SecondFactorAction): void }) {
  const t = useTranslate()
  if (!factor.active)
    return factor.required ? (
      <p className={styles.note}>
        {t('account.factor.required', 'One of your roles requires it: your next sign-in asks you to set it up.')}
      </p>
    ) : null
  return (
    <ul className={styles.list}>
      <li>
        <div className={styles.entry}>
          <div className={styles.name}>
            <span>{t('account.factor.app', 'Authenticator app')}</span>
            <StatusChip tone="success" icon="check">
              {t('account.factor.active', 'On')}
            </StatusChip>
          </div>
          <p className={styles.facts}>
            {factor.confirmed_on && (
              <span>{t('account.factor.since', 'Since {date}', { date: formatStoredDate(factor.confirmed_on) })}</span>
            )}
            <span>
              {t('account.factor.left', '{count, plural, one {# recovery code} other {# recovery codes}} left', {
                count: factor.recovery_codes_left,
              })}
            </span>
          </p>
        </div>
        <div className={styles.actions}>
          <Button onClick={() => onAction('codes')}>{t('account.factor.newCodes', 'New recovery codes')}</Button>
          <Button
            disabledReason={
              factor.required ? t('account.factor.roleRequires', 'One of your roles requires it') : undefined
            }
            onClick={() => onAction('remove')}
          >
            {t('account.factor.remove', 'Turn off')}
          </Button>
        </div>
      </li>
    </ul>
  )
}
