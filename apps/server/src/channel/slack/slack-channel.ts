import { message } from '@parquetry/model'
import { errorTranslator } from '../../settings/messages.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Channel, ChannelError, type OutgoingMessage } from '../channel.ts'
import { callSlack, type SlackAccess, uploadToSlack } from './slack-api.ts'
import { SlackConversations } from './slack-channels.ts'
import { isSlackChannelId, parseSlackTargets } from './slack-targets.ts'

const maxTextLength = 3900

/** Escapes text for Slack, so that it contains no links and mentions. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function renderText({ subject, text, url }: OutgoingMessage, words: { open: string; shortened: string }): string {
  const isLong = text.length > maxTextLength
  const shown = isLong ? `${text.slice(0, maxTextLength).toWellFormed()}…\n${words.shortened}` : text
  // A link ends at `|` or `>`.
  const link = url === null ? '' : `\n<${escapeSlack(url).replaceAll('|', '%7C')}|${escapeSlack(words.open)}>`
  return `${escapeSlack(subject)}\n${escapeSlack(shown)}${link}`
}

/** Uploads the files, which are then posted together. */
async function uploadFiles(access: SlackAccess, { files }: OutgoingMessage, signal: AbortSignal): Promise<string> {
  const uploaded: { id: string; title: string }[] = []
  for (const { name, bytes } of files) {
    const { upload_url, file_id } = await callSlack(
      access,
      'files.getUploadURLExternal',
      { filename: name, length: String(bytes.byteLength) },
      { signal },
    )
    await uploadToSlack(
      access,
      String(upload_url),
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      signal,
    )
    uploaded.push({ id: String(file_id), title: name })
  }
  return JSON.stringify(uploaded)
}

async function post(
  access: SlackAccess,
  channel: string,
  text: string,
  outgoing: OutgoingMessage,
  signal: AbortSignal,
) {
  if (outgoing.files.length === 0) {
    const parameters = { channel, text, unfurl_links: 'false', unfurl_media: 'false' }
    await callSlack(access, 'chat.postMessage', parameters, { posts: true, signal })
    return
  }
  const files = await uploadFiles(access, outgoing, signal)
  const parameters = { files, channel_id: channel, initial_comment: text }
  await callSlack(access, 'files.completeUploadExternal', parameters, { posts: true, signal })
}

/** A failure after some channels have got the message, which is therefore not repeated. */
const partly = (posted: readonly string[], channel: string, error: ChannelError): ChannelError =>
  new ChannelError(error.outcome === 'unknown' ? 'unknown' : 'refused', {
    message: message('errors.channel.slack.partly', 'Posted to {posted}, but not to {channel}: {reason}', {
      posted: posted.join(', '),
      channel,
      reason: error.sentence,
    }),
    cause: error,
  })

/** Sends reports to Slack with the bot of the setting SLACK_API_TOKEN. */
export function createSlackChannel(
  settings: Pick<Settings, 'config'>,
  overrides: Partial<Omit<SlackAccess, 'token'>> = {},
): Channel {
  const { config } = settings
  const access = {
    token: config.SLACK_API_TOKEN,
    baseUrl: 'https://slack.com/api',
    now: () => new Date(),
    ...overrides,
  }
  const conversations = new SlackConversations(access)

  async function findId(target: string, signal: AbortSignal): Promise<string> {
    if (isSlackChannelId(target)) return target
    const name = target.replace(/^#/, '')
    const found = (await conversations.list({ signal })).find((each) => each.name === name)
    if (found) return found.id
    throw new ChannelError('refused', {
      message: message('errors.channel.slack.noChannel', 'The bot sees no Slack channel named {name}.', { name }),
    })
  }

  return {
    type: 'Slack',
    listTargets: (options) => conversations.list(options),
    missingSettings: () => (config.SLACK_API_TOKEN === '' ? ['SLACK_API_TOKEN'] : []),
    checkTarget: (target) => void parseSlackTargets(target),
    async verify(signal) {
      await callSlack(access, 'auth.test', {}, { signal })
    },
    async send(target, outgoing, signal) {
      const translate = errorTranslator(settings)
      const words = {
        open: translate('errors.channel.open', 'Open in {app}', { app: config.APP_NAME }),
        shortened: translate('errors.channel.slack.shortened', 'This text was shortened for Slack.'),
      }
      const ids: string[] = []
      for (const each of parseSlackTargets(target)) ids.push(await findId(each, signal))
      const text = renderText(outgoing, words)
      const posted: string[] = []
      for (const channel of new Set(ids)) {
        try {
          await post(access, channel, text, outgoing, signal)
        } catch (error) {
          throw posted.length > 0 && error instanceof ChannelError ? partly(posted, channel, error) : error
        }
        posted.push(channel)
      }
    },
  }
}
