import { ErrorPanel, useText } from '@parquetry/ui'
import type { ErrorComponentProps } from '@tanstack/react-router'

/** What a page shows when it breaks: our bug, or a part of a new version that the old page cannot load. */
export function CrashPage({ error }: ErrorComponentProps) {
  const t = useText()
  return (
    <ErrorPanel
      details={error instanceof Error ? (error.stack ?? error.message) : String(error)}
      onRetry={() => location.reload()}
    >
      {t('app.crash.text', 'This page stopped working. What you saved is safe. Load the page again.')}
    </ErrorPanel>
  )
}
