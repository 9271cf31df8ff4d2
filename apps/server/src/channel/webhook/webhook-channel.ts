import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { message, type RecipientConfig } from '@parquetry/model'
import { resolveOutgoing, type OutgoingPolicy } from '../../runners/outgoing.ts'
import type { Settings } from '../../settings/settings.ts'
import { certificateErrors } from '../certificate-errors.ts'
import { type Channel, ChannelError, type OutgoingMessage } from '../channel.ts'
import { readRetryAfter, RequestError, type RequestResponse, sendRequest } from '../send-request.ts'
import { forbiddenTarget, invalidTarget } from '../target-error.ts'
import { encodeWebhook } from './webhook-body.ts'

type WebhookSettings = Pick<Settings, 'config' | 'flags'>

const maxUrlLength = 2000

/** @throws AppError for a URL that the settings do not allow, whatever its host is */
function parseTarget({ target }: RecipientConfig, { config }: WebhookSettings): URL {
  const text = String(target ?? '').trim()
  const url = text.length > maxUrlLength ? null : URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw invalidTarget(message('errors.channel.webhook.url', 'Enter a URL such as https://example.com/hook.'))
  if (url.username !== '' || url.password !== '')
    throw invalidTarget(
      message('errors.channel.webhook.password', 'The URL of a webhook cannot contain a user name or password.'),
    )
  if (url.protocol === 'http:' && config.ALERT_REPORTS_WEBHOOK_HTTPS_ONLY)
    throw forbiddenTarget(message('errors.channel.webhook.https', 'The URL of a webhook must start with https://.'))
  return url
}

const policyOf = ({ config }: WebhookSettings): OutgoingPolicy => ({
  private: config.ALERT_REPORTS_WEBHOOK_ALLOW_INTERNAL_HOSTS,
  loopback: config.ALERT_REPORTS_WEBHOOK_ALLOW_INTERNAL_HOSTS,
})

/** Refuses addresses written as numbers at once. Names are checked when the message is sent, and answered like silent hosts. */
async function refuseInternal({ hostname }: URL, policy: OutgoingPolicy): Promise<void> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isIP(host) && !/(?:^|\.)localhost\.?$/.test(host)) return
  try {
    await resolveOutgoing(host, policy)
  } catch {
    throw forbiddenTarget(
      message(
        'errors.channel.webhook.internal',
        'Webhooks cannot be sent to addresses of this machine or of private networks.',
      ),
    )
  }
}

/**
 * Headers with which a receiver can verify who sent the body, and when: HMAC-SHA256 of the timestamp, a dot and the body, as
 * `docs/features/report-channels.md` describes.
 */
export function signBody(secret: string, body: Buffer, now: Date): Record<string, string> {
  if (secret === '') return {}
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return { 'x-parquetry-timestamp': timestamp, 'x-parquetry-signature': `sha256=${signature}` }
}

function requireSuccess({ status, headers }: RequestResponse, now: Date): void {
  if (status >= 200 && status < 300) return
  const mayRetry = status === 429 || status >= 500
  const retryAfterMs = mayRetry ? readRetryAfter(headers, now) : undefined
  throw new ChannelError(mayRetry ? 'unavailable' : 'refused', {
    message:
      status >= 300 && status < 400
        ? message(
            'errors.channel.webhook.redirect',
            'The webhook redirects to another address (status {status}). Enter the address that receives it.',
            { status },
          )
        : message('errors.channel.webhook.status', 'The webhook responded with status {status}.', { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

function toChannelError(error: unknown): ChannelError {
  const { isSent, cause } = error as RequestError
  if (isSent)
    return new ChannelError('unknown', {
      message: message(
        'errors.channel.webhook.unknown',
        'The webhook did not respond after it received the message. It may have been processed.',
      ),
      cause: error,
    })
  if (certificateErrors.test(String((cause as { code?: string }).code)))
    return new ChannelError('refused', {
      message: message('errors.channel.webhook.certificate', 'The certificate of the webhook could not be verified.'),
      cause: error,
    })
  return new ChannelError('unavailable', {
    message: message('errors.channel.webhook.unreachable', 'Could not reach the host of the webhook.'),
    cause: error,
  })
}

/**
 * Sends reports to webhooks.
 * @param authorities  certificates that are trusted instead of the usual ones, for tests
 */
export function createWebhookChannel(
  settings: WebhookSettings,
  { now = () => new Date(), authorities }: { now?: () => Date; authorities?: string } = {},
): Channel {
  const { config } = settings
  return {
    type: 'Webhook',
    missingSettings: () => (settings.flags['ALERT_REPORT_WEBHOOK'] === true ? [] : ['ALERT_REPORT_WEBHOOK']),
    checkTarget: (target) => refuseInternal(parseTarget(target, settings), policyOf(settings)),
    async send(target, outgoing: OutgoingMessage, signal) {
      const url = parseTarget(target, settings)
      const { contentType, bytes } = encodeWebhook(outgoing)
      const response = await sendRequest({
        url,
        headers: {
          'content-type': contentType,
          'idempotency-key': outgoing.id,
          ...signBody(config.ALERT_REPORTS_WEBHOOK_SECRET, bytes, now()),
        },
        body: bytes,
        policy: policyOf(settings),
        timeoutMs: config.ALERT_REPORTS_WEBHOOK_TIMEOUT * 1000,
        signal,
        authorities,
        maxResponseBytes: 0,
      }).catch((error: unknown) => {
        throw toChannelError(error)
      })
      requireSuccess(response, now())
    },
  }
}
