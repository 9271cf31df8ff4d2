import type { ReportChannel } from '@parquetry/model'
import type { Settings } from '../settings/settings.ts'
import { type Channel, ChannelError, type Channels } from './channel.ts'
import { createEmailChannel } from './email/email-channel.ts'

/** A channel that cannot be used without these settings. */
const withoutSettings = (type: ReportChannel['type'], missing: string[]): Channel => ({
  type,
  missingSettings: () => missing,
  checkTarget: () => undefined,
  send: () => Promise.reject(new ChannelError('refused')),
})

/** Creates the ways to deliver messages that the settings describe. */
export const createChannels = (settings: Settings): Channels => ({
  Email: createEmailChannel(settings),
  Slack: withoutSettings('Slack', ['SLACK_API_TOKEN']),
  Webhook: withoutSettings('Webhook', ['ALERT_REPORTS_WEBHOOK_SECRET']),
  Folder: withoutSettings('Folder', ['PARQUETRY_REPORTS_FOLDER']),
})
