import { Button, confirm, toast, toastError, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { AccountSection } from '../AccountSection.tsx'
import { SectionBody } from '../SectionBody.tsx'
import { SessionList } from './SessionList.tsx'

const queryKey = ['account', 'sessions']

/** Where the user is signed in. */
export function SessionsSection() {
  const t = useTranslate()
  const queries = useQueryClient()
  const sessions = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get('/api/v1/me/sessions/', { signal })).result,
  })
  const title = t('account.sessions', 'Sessions')
  const renew = () => queries.invalidateQueries({ queryKey })
  const endOthers = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('account.session.othersTitle', 'Sign out everywhere else?'),
      body: t('account.session.othersBody', 'Queries that run in the background of these sessions are stopped.'),
      action: t('account.session.end', 'Sign out'),
    })
    if (!isConfirmed) return
    try {
      const { count } = await api.del('/api/v1/me/sessions/')
      toast(t('account.session.ended', '{count, plural, one {# session ended} other {# sessions ended}}', { count }))
    } catch (error) {
      toastError(messageOf(error))
    }
    await renew()
  }
  return (
    <AccountSection
      title={title}
      text={t('account.sessionsText', 'Browsers and programs in which you are signed in.')}
      actions={
        (sessions.data?.length ?? 0) > 1 && (
          <Button onClick={() => void endOthers()}>{t('account.session.endOthers', 'Sign out everywhere else')}</Button>
        )
      }
    >
      <SectionBody query={sessions}>
        {(result) => (
          <SessionList
            sessions={result}
            label={title}
            end={async ({ id }) => {
              await api.del('/api/v1/me/sessions/:session', { params: { session: id } })
              toast(
                t('account.session.ended', '{count, plural, one {# session ended} other {# sessions ended}}', {
                  count: 1,
                }),
              )
              await renew()
            }}
          />
        )}
      </SectionBody>
    </AccountSection>
  )
}
