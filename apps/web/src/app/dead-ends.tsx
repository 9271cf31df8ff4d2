import { ButtonLink, EmptyState, useText } from '@parquetry/ui'
import { useTitle } from '../shared/use-title.ts'

export function NotFoundPage() {
  const t = useText()
  return (
    <DeadEnd title={t('app.notFound.title', 'This page does not exist')}>
      {t('app.notFound.text', 'The address may be wrong, or the item was deleted.')}
    </DeadEnd>
  )
}

/** The server said that this page is closed to the user. */
export function NoAccessPage() {
  const t = useText()
  return (
    <DeadEnd title={t('app.noAccess.title', 'You don’t have access to this page')}>
      {t('app.noAccess.text', 'Ask an administrator for a role that has access.')}
    </DeadEnd>
  )
}

function DeadEnd({ title, children }: { title: string; children: string }) {
  const t = useText()
  useTitle([title])
  return (
    <EmptyState
      level={1}
      title={title}
      actions={
        <ButtonLink variant="primary" href="/superset/welcome/">
          {t('app.notFound.home', 'Go home')}
        </ButtonLink>
      }
    >
      {children}
    </EmptyState>
  )
}
