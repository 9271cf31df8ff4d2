import type { Notification } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'
import { i18n } from '../../shared/intl.ts'

const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Text by the kind of a notification: what happened, and what to do. Null for kinds of a newer server. */
export function describeNotification(t: Translate, { kind, parameters }: Notification): string | null {
  const name = toText(parameters['name'])
  const recipients = Array.isArray(parameters['recipients']) ? parameters['recipients'].map(toText) : []
  switch (kind) {
    case 'report_may_have_been_sent':
      return t(
        'notifications.mayHaveBeenSent',
        '“{name}” may not have reached {recipients}. Check it, and send it again from the log if needed.',
        { name, recipients: new Intl.ListFormat(i18n.locale).format(recipients) },
      )
    case 'report_failed':
      return t(
        'notifications.failed',
        '“{name}” failed {failures, plural, one {once} other {# times in a row}}: {reason}',
        { name, failures: Number(parameters['failures'] ?? 1), reason: toText(parameters['reason']) },
      )
    case 'report_stopped':
      return t(
        'notifications.stopped',
        '“{name}” was paused, because the account whose rights it used was deactivated or deleted. To resume it, save it under your account.',
        { name },
      )
    default:
      return null
  }
}
