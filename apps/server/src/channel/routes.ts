import { randomUUID } from 'node:crypto'
import { AppError, message, reportRoutes as routes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { unprocessable } from '../http/writing.ts'
import { errorTranslator } from '../settings/messages.ts'
import { type Channel, type ListedTarget, type OutgoingMessage } from './channel.ts'
import type { ChannelDeps } from './deps.ts'

/** A test ends after this time. */
const testMs = 10_000
const defaultPageSize = 999

/** The channels of `/api/v1/report/`, with the flag ALERT_REPORTS. */
export function channelRoutes(app: App, { channels, settings, db }: ChannelDeps): void {
  if (settings.flags['ALERT_REPORTS'] !== true) return
  const translate = errorTranslator(settings)

  serve(app, routes.channels, () => ({
    result: Object.values(channels).map(({ type, missingSettings }) => ({ type, missing: missingSettings() })),
  }))

  serve(app, routes.testChannel, async ({ params, body, principal, signal, event }) => {
    if (!principal.isAdmin)
      throw new AppError('forbidden', {
        message: message('errors.channel.testAdministrators', 'Only administrators can test channels.'),
      })
    const channel = Object.values(channels).find(({ type }) => type === params.type)
    if (!channel) throw new AppError('not_found')
    event.json = { type: channel.type }
    requireSettings(channel)
    const target = body.target?.trim() || (channel.type === 'Email' ? await ownEmail(principal.id) : '')
    const limit = AbortSignal.any([signal, AbortSignal.timeout(testMs)])
    if (target === '' && channel.verify) await channel.verify(limit)
    else {
      await channel.checkTarget({ target })
      await channel.send({ target }, testMessage(), limit)
    }
    return { message: translate('errors.channel.testSent', 'The test message was sent.') }
  })

  serve(app, routes.slackChannels, async ({ rison, signal }) => {
    const { Slack } = channels
    requireSettings(Slack)
    const found = (await Slack.listTargets?.({ force: rison.force ?? false, signal })) ?? []
    const matching = found.filter((each) => matches(each, rison))
    const size = rison.page_size ?? defaultPageSize
    const start = (rison.page ?? 0) * size
    return { result: matching.slice(start, start + size) }
  })

  const ownEmail = async (id: number | null): Promise<string> =>
    (await db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirst())?.email ?? ''

  const testMessage = (): OutgoingMessage => ({
    id: randomUUID(),
    subject: translate('errors.channel.testSubject', 'Test message of {app}', { app: settings.config.APP_NAME }),
    text: translate('errors.channel.testText', 'This message shows that {app} can send reports here.', {
      app: settings.config.APP_NAME,
    }),
    html: null,
    files: [],
    url: settings.baseUrl,
    source: { name: 'Test', description: '', type: 'Test', format: 'NONE', chart_id: null, dashboard_id: null },
  })
}

/** @throws AppError `unprocessable` naming the settings that the channel lacks */
function requireSettings(channel: Channel): void {
  const missing = channel.missingSettings()
  if (missing.length > 0)
    throw unprocessable(message('errors.channel.notSet', 'Set {settings} first.', { settings: missing.join(', ') }))
}

function matches(
  { id, name, is_private }: ListedTarget,
  {
    search_string = '',
    types = [],
    exact_match = false,
  }: { search_string?: string; types?: readonly string[]; exact_match?: boolean },
): boolean {
  if (types.length > 0 && !types.includes(is_private ? 'private_channel' : 'public_channel')) return false
  const searches = search_string
    .toLowerCase()
    .split(',')
    .map((text) => text.trim().replace(/^#/, ''))
    .filter((text) => text !== '')
  if (searches.length === 0) return true
  const words = [id.toLowerCase(), name.toLowerCase()]
  return searches.some((text) => words.some((word) => (exact_match ? word === text : word.includes(text))))
}
