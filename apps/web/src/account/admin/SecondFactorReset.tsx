import { Button, confirm, StatusChip, toast, toastError, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { AccountSection } from '../AccountSection.tsx'
import { SectionBody } from '../SectionBody.tsx'
import styles from '../account.module.css'

/** The second factor of another user, to remove it when they have lost it. */
export function SecondFactorReset({ user }: { user: { id: number; name: string } }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const { id } = user
  const queryKey = ['account', 'user', id, 'second-factor']
  const state = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/users/:id/second_factor/', { params: { id }, signal })).result,
  })
  const reset = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('account.factor.resetTitle', 'Remove the second factor of {name}?', { name: user.name }),
      body: t('account.factor.resetBody', 'Make sure that it was really {name} who asked for it.', { name: user.name }),
      action: t('account.factor.reset', 'Remove'),
      danger: true,
    })
    if (!isConfirmed) return
    try {
      await api.del('/api/v1/security/users/:id/second_factor/', { params: { id } })
      toast(t('account.factor.wasReset', 'Second factor removed'))
    } catch (error) {
      toastError(messageOf(error))
    }
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <AccountSection
      title={t('account.factor', 'Second factor')}
      actions={
        state.data?.active && <Button onClick={() => void reset()}>{t('account.factor.reset', 'Remove')}</Button>
      }
    >
      <SectionBody query={state}>
        {({ active, required }) => (
          <div className={styles.name}>
            {active ? (
              <StatusChip tone="success" icon="check">
                {t('account.factor.active', 'On')}
              </StatusChip>
            ) : (
              <StatusChip>{t('account.factor.off', 'Off')}</StatusChip>
            )}
            {required && <StatusChip tone="info">{t('account.factor.byRole', 'Required by a role')}</StatusChip>}
          </div>
        )}
      </SectionBody>
    </AccountSection>
  )
}
