import { ButtonLink, EmptyState, useText } from '@parquetry/ui'
import { useTitle } from '../shared/use-title.ts'

/** The server said that this page is closed to the user. */
export function NoAccessPage() {
  const t = useText()
  const title = t('app.noAccess.title', 'You do not have access to this page')
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
      {t('app.noAccess.text', 'Ask an administrator for the role that opens it.')}
    </EmptyState>
  )
}
