import type { AccessRequest } from '@parquetry/model'
import { Avatars, Button, Link, toast, toastError, useTranslate, type Translate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { HomeSection } from './HomeSection.tsx'
import styles from './home.module.css'

/** Lists who asks for access to which object, and what granting opens, with one button for each decision. */
export function AccessRequestList({ requests }: { requests: readonly AccessRequest[] }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const decide = useMutation({
    mutationFn: ({ id, decision }: { id: number; decision: 'grant' | 'refuse' }) =>
      decision === 'grant'
        ? api.post('/api/v1/access_request/:id/grant', { params: { id } })
        : api.post('/api/v1/access_request/:id/refuse', { params: { id } }),
    onSuccess: (_, { decision }) =>
      toast(
        decision === 'grant'
          ? t('home.requests.granted', 'Access given')
          : t('home.requests.refused', 'Request refused'),
      ),
    onError: (error) => toastError(messageOf(error)),
    // Another owner may have decided it.
    onSettled: () => queries.invalidateQueries({ queryKey: ['access_request'] }),
  })
  return (
    <HomeSection name="requests" title={t('home.requests.title', 'Access requests')}>
      <ul className={styles.requests}>
        {requests.map((request) => {
          const { id, user, object, message, opens } = request
          const person = `${user.first_name} ${user.last_name}`.trim()
          const isBusy = (decision: 'grant' | 'refuse') =>
            decide.isPending && decide.variables.id === id && decide.variables.decision === decision
          return (
            <li key={id} className={styles.request}>
              <Avatars people={[user]} />
              <div className={styles.requestText}>
                <p>
                  {t('home.requests.wants', '{person} asks for access to', { person })}{' '}
                  <Link href={object.url} className={styles.requestLink}>
                    {object.name}
                  </Link>
                </p>
                {message !== '' && <p className={styles.requestMessage}>{message}</p>}
                <p className={styles.requestDetails}>{describeOpened(t, request)}</p>
                {opens.is_draft && (
                  <p className={styles.requestDetails}>
                    {t('home.requests.draft', 'It is a draft: they can open it once it is published.')}
                  </p>
                )}
              </div>
              <div className={styles.requestActions}>
                <Button
                  variant="primary"
                  busy={isBusy('grant')}
                  onClick={() => decide.mutate({ id, decision: 'grant' })}
                  aria-label={t('home.requests.grantTo', 'Give access to {person}: {name}', {
                    person,
                    name: object.name,
                  })}
                >
                  {t('home.requests.grant', 'Give access')}
                </Button>
                <Button
                  busy={isBusy('refuse')}
                  onClick={() => decide.mutate({ id, decision: 'refuse' })}
                  aria-label={t('home.requests.refuseTo', 'Refuse access to {person}: {name}', {
                    person,
                    name: object.name,
                  })}
                >
                  {t('home.requests.refuse', 'Refuse')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </HomeSection>
  )
}

/** Describes the access that granting a request gives. */
function describeOpened(t: Translate, { kind, opens: { charts, datasets } }: AccessRequest): string {
  const names = datasets.join(', ')
  if (datasets.length === 0) return t('home.requests.opensEmpty', 'Opens this dashboard, which shows no data yet.')
  return kind === 'dashboard'
    ? t(
        'home.requests.opensDashboard',
        'Opens this dashboard with {charts, plural, one {# chart} other {# charts}}, and within it the data of {names}. Row-level security still applies.',
        { charts, names },
      )
    : t(
        'home.requests.opensDataset',
        'Opens the dataset {names} with {charts, plural, one {# chart} other {# charts}}, also in SQL Lab. Row-level security still applies.',
        { charts, names },
      )
}
