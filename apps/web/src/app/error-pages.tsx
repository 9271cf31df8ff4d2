import { ButtonLink, EmptyState, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { RequestAccess } from '../shared/sharing/RequestAccess.tsx'
import { useTitle } from '../shared/use-title.ts'

export function NotFoundPage() {
  const t = useTranslate()
  return (
    <ErrorPage title={t('app.notFound.title', 'This page does not exist')}>
      {t('app.notFound.text', 'The URL may be wrong, or the item may have been deleted.')}
    </ErrorPage>
  )
}

/** Page shown when the server denies the user access. */
export function NoAccessPage() {
  const t = useTranslate()
  return (
    <ErrorPage title={t('app.noAccess.title', 'You don’t have access to this page')} actions={<RequestAccess />}>
      {t('app.noAccess.text', 'Ask an administrator for a role that has access.')}
    </ErrorPage>
  )
}

function ErrorPage({ title, children, actions }: { title: string; children: string; actions?: ReactNode }) {
  const t = useTranslate()
  useTitle([title])
  return (
    <EmptyState
      level={1}
      title={title}
      actions={
        <>
          <ButtonLink variant="primary" href="/superset/welcome/">
            {t('app.notFound.home', 'Go home')}
          </ButtonLink>
          {actions}
        </>
      }
    >
      {children}
    </EmptyState>
  )
}
