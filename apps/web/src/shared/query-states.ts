import type { Translate } from '@parquetry/ui'

/** Labels of query states, keyed as in the API (CONST-026 to CONST-029 define their colors). */
export const queryStateLabels = (t: Translate): Record<string, string> => ({
  success: t('lists.state.success', 'Success'),
  failed: t('lists.state.failed', 'Failed'),
  stopped: t('lists.state.stopped', 'Stopped'),
  running: t('lists.state.running', 'Running'),
  pending: t('lists.state.pending', 'Pending'),
  timed_out: t('lists.state.timedOut', 'Timed out'),
  scheduled: t('lists.state.scheduled', 'Scheduled'),
  fetching: t('lists.state.fetching', 'Fetching'),
  offline: t('lists.state.offline', 'Offline'),
})
