import { ButtonLink, EmptyState, useText } from '@parquetry/ui'
import { useTitle } from '../shared/use-title.ts'

export function NotFoundPage() {
  const t = useText()
  const title = t('app.notFound.title', 'This page does not exist')
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
      {t('app.notFound.text', 'The address may be wrong, or what it showed was deleted.')}
    </EmptyState>
  )
}
