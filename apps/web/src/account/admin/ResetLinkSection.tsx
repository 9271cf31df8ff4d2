import { Button, confirm, ErrorPanel, toast, toastError, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { AccountSection } from '../AccountSection.tsx'
import { OneTimeSecret } from '../OneTimeSecret.tsx'
import { SectionBody } from '../SectionBody.tsx'
import { formatStoredDateTime } from '../stored-time.ts'
import { EmailedLink } from './EmailedLink.tsx'
import styles from '../account.module.css'

/** Creates a link with which a user sets a new password, and lists the one that is not used yet. */
export function ResetLinkSection({ user }: { user: { id: number; name: string; active: boolean } }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const { id } = user
  const queryKey = ['account', 'user', id, 'reset-links']
  const links = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/users/:id/reset_links/', { params: { id }, signal })).result,
  })
  const renew = () => queries.invalidateQueries({ queryKey })
  const create = useMutation({
    mutationFn: async () =>
      (await api.post('/api/v1/security/users/:id/reset_links/', { params: { id }, body: {} })).result,
    onSettled: renew,
  })
  const revoke = async (uuid: string): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('account.link.revokeTitle', 'Revoke this link?'),
      action: t('account.key.revoke', 'Revoke'),
      danger: true,
    })
    if (!isConfirmed) return
    try {
      await api.del('/api/v1/security/users/:id/reset_links/:uuid', { params: { id, uuid } })
      create.reset()
      toast(t('account.link.revoked', 'Link revoked'))
    } catch (error) {
      toastError(messageOf(error))
    }
    await renew()
  }
  return (
    <AccountSection
      title={t('account.password', 'Password')}
      text={t(
        'account.link.text',
        'With a link {name} sets a new password, once and within a day. Send it where only they can read it.',
        { name: user.name },
      )}
      actions={
        <Button
          busy={create.isPending}
          disabledReason={user.active ? undefined : t('account.link.inactive', 'The account is deactivated')}
          onClick={() => create.mutate()}
        >
          {t('account.link.create', 'Create reset link')}
        </Button>
      }
    >
      {create.error && <ErrorPanel inline>{messageOf(create.error)}</ErrorPanel>}
      {create.data && <EmailedLink {...create.data} />}
      {create.data && (
        <OneTimeSecret
          label={t('account.link.label', 'Reset link')}
          value={create.data.link}
          copied={t('account.link.copied', 'Link copied')}
          help={t('account.link.once', 'Copy the link now. It is not shown again.')}
        />
      )}
      <SectionBody query={links}>
        {(result) =>
          result.length > 0 && (
            <ul className={styles.list} aria-label={t('account.link.list', 'Links that are not used yet')}>
              {result.map(({ uuid, created_on, expires_on }) => (
                <li key={uuid}>
                  <p className={styles.facts}>
                    <span>{t('account.created', 'Created {date}', { date: formatStoredDateTime(created_on) })}</span>
                    <span>{t('account.expires', 'Expires {date}', { date: formatStoredDateTime(expires_on) })}</span>
                  </p>
                  <Button onClick={() => void revoke(uuid)}>{t('account.key.revoke', 'Revoke')}</Button>
                </li>
              ))}
            </ul>
          )
        }
      </SectionBody>
    </AccountSection>
  )
}
