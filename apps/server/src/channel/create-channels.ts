import type { Settings } from '../settings/settings.ts'
import type { Channels } from './channel.ts'
import { createEmailChannel } from './email/email-channel.ts'
import { createFolderChannel } from './folder/folder-channel.ts'
import { createSlackChannel } from './slack/slack-channel.ts'
import { createWebhookChannel } from './webhook/webhook-channel.ts'

/** Creates the ways to deliver messages that the settings describe. */
export const createChannels = (settings: Settings): Channels => ({
  Email: createEmailChannel(settings),
  Slack: createSlackChannel(settings),
  Webhook: createWebhookChannel(settings),
  Folder: createFolderChannel(settings),
})
