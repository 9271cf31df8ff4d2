import { ApiError } from '@parquetry/client'
import { EmptyState, ErrorPanel, useTranslate } from '@parquetry/ui'
import { messageOf } from '../../shared/errors.ts'

/**
 * Page for a shared link that cannot be opened. The server does not distinguish another user's draft from a deleted dashboard.
 */
export function DeadLink({ error }: { error: Error }) {
  const t = useTranslate()
  if (!(error instanceof ApiError && error.status === 404))
    return <ErrorPanel title={t('dashboard.linkFails', 'Could not open this link')}>{messageOf(error)}</ErrorPanel>
  return (
    <EmptyState title={t('dashboard.linkGone', 'This link isn’t available to you')}>
      {t(
        'dashboard.linkGoneText',
        'The dashboard isn’t shared with you, is still a draft, or was deleted. Ask the user who sent you the link.',
      )}
    </EmptyState>
  )
}
