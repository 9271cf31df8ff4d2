import { ErrorPanel, useTranslate } from '@parquetry/ui'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { PageLoadError } from './load-page.ts'

/** Error page for crashes: a bug of ours, or code that failed to load. */
export function CrashPage({ error }: ErrorComponentProps) {
  const t = useTranslate()
  return (
    <ErrorPanel
      details={error instanceof Error ? (error.stack ?? error.message) : String(error)}
      onRetry={() => location.reload()}
    >
      {error instanceof PageLoadError
        ? t('app.crash.notLoaded', 'Could not load the page. The server did not respond. Try again.')
        : t('app.crash.text', 'This page stopped working. Your saved work is safe. Reload the page to continue.')}
    </ErrorPanel>
  )
}
