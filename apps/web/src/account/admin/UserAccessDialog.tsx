import { Button, Dialog, EmptyState, toastError, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../shared/api.ts'
import { boot } from '../../shared/boot.ts'
import { messageOf } from '../../shared/errors.ts'
import { ApiKeyList } from '../api-keys/ApiKeyList.tsx'
import { AccountSection } from '../AccountSection.tsx'
import { SectionBody } from '../SectionBody.tsx'
import { SessionList } from '../sessions/SessionList.tsx'
import styles from '../account.module.css'
import { SecondFactorReset } from './SecondFactorReset.tsx'
import { ResetLinkSection } from './ResetLinkSection.tsx'

export interface UserAccessDialogProps {
  user: { id: number; name: string; active: boolean }
  onClose(): void
}

/** How another user signs in, for administrators: reset link, second factor, sessions and API keys. */
export function UserAccessDialog({ user, onClose }: UserAccessDialogProps) {
  const t = useTranslate()
  return (
    <Dialog
      open
      width={720}
      title={t('account.admin.title', 'Access of {name}', { name: user.name })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('account.close', 'Close')}</Button>}
    >
      <div className={styles.sections}>
        <ResetLinkSection user={user} />
        <SecondFactorReset user={user} />
        <UserSessions id={user.id} />
        {boot.common.conf['FAB_API_KEY_ENABLED'] === true && <UserApiKeys id={user.id} />}
      </div>
    </Dialog>
  )
}

function UserSessions({ id }: { id: number }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const queryKey = ['account', 'user', id, 'sessions']
  const sessions = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/users/:id/sessions/', { params: { id }, signal })).result,
  })
  const renew = () => queries.invalidateQueries({ queryKey })
  const endAll = async (): Promise<void> => {
    try {
      await api.del('/api/v1/security/users/:id/sessions/', { params: { id } })
    } catch (error) {
      toastError(messageOf(error))
    }
    await renew()
  }
  const title = t('account.sessions', 'Sessions')
  return (
    <AccountSection
      title={title}
      actions={
        sessions.data?.some(({ is_current }) => !is_current) && (
          <Button onClick={() => void endAll()}>{t('account.admin.endAll', 'Sign out everywhere')}</Button>
        )
      }
    >
      <SectionBody query={sessions}>
        {(result) => (
          <OrNothing isEmpty={result.length === 0} text={t('account.admin.noSessions', 'Not signed in anywhere.')}>
            <SessionList
              sessions={result}
              label={title}
              end={async ({ id: session }) => {
                await api.del('/api/v1/security/users/:id/sessions/:session', { params: { id, session } })
                await renew()
              }}
            />
          </OrNothing>
        )}
      </SectionBody>
    </AccountSection>
  )
}

function UserApiKeys({ id }: { id: number }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const queryKey = ['account', 'user', id, 'api-keys']
  const keys = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/users/:id/api_keys/', { params: { id }, signal })).result,
  })
  const title = t('account.keys', 'API keys')
  return (
    <AccountSection title={title}>
      <SectionBody query={keys}>
        {(result) => (
          <OrNothing isEmpty={result.length === 0} text={t('account.key.none', 'No API keys')}>
            <ApiKeyList
              keys={result}
              label={title}
              revoke={async ({ uuid }) => {
                await api.del('/api/v1/security/users/:id/api_keys/:uuid', { params: { id, uuid } })
                await queries.invalidateQueries({ queryKey })
              }}
            />
          </OrNothing>
        )}
      </SectionBody>
    </AccountSection>
  )
}

const OrNothing = ({ isEmpty, text, children }: { isEmpty: boolean; text: string; children: ReactNode }) =>
  isEmpty ? <EmptyState inline level={3} title={text} /> : children
