import { message, type Message } from '@parquetry/model'
import { ChannelError, type FailedOutcome } from '../channel.ts'
import { readRetryAfter, RequestError, sendRequest } from '../send-request.ts'

/** How Slack is reached. Users can set nothing of it. */
export interface SlackAccess {
  token: string
  /** `https://slack.com/api`, except in tests. */
  baseUrl: string
  now: () => Date
  /** For tests. */
  authorities?: string | undefined
  allowsLoopback?: boolean | undefined
}

/** Response of Slack besides `ok`. */
export type SlackResponse = Record<string, unknown> & { response_metadata?: { next_cursor?: string } }

const timeoutMs = 60_000
const maxResponseBytes = 16 << 20

/** Errors after which the same call may succeed. */
const temporaryErrors = new Set([
  'ratelimited',
  'rate_limited',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
])
/** Errors after which parts of the call may have had their effect. */
const unclearErrors = new Set(['fatal_error', 'internal_error'])

const failure = (outcome: FailedOutcome, sentence: Message, cause?: unknown, retryAfterMs?: number): ChannelError =>
  new ChannelError(outcome, { message: sentence, cause, ...(retryAfterMs !== undefined && { retryAfterMs }) })

const unreachable = message('errors.channel.slack.unreachable', 'Could not reach Slack.')
const unclear = message('errors.channel.slack.unknown', 'Slack did not confirm the message. It may have been posted.')

const policyOf = ({ allowsLoopback = false }: SlackAccess) => ({ private: false, loopback: allowsLoopback })

/** @param posts  whether the call shows something to users, so that its outcome is unknown without a response */
async function post(
  access: SlackAccess,
  url: URL,
  {
    body,
    headers,
    posts,
    signal,
  }: { body: Buffer; headers: Record<string, string>; posts: boolean; signal: AbortSignal },
) {
  const { authorities, now } = access
  const response = await sendRequest({
    url,
    headers,
    body,
    policy: policyOf(access),
    timeoutMs,
    signal,
    authorities,
    maxResponseBytes,
  }).catch((error: RequestError) => {
    throw error.isSent && posts ? failure('unknown', unclear, error) : failure('unavailable', unreachable, error)
  })
  const { status, headers: received } = response
  if (status === 429)
    throw failure(
      'unavailable',
      message('errors.channel.slack.busy', 'Slack asked to send fewer messages.'),
      undefined,
      readRetryAfter(received, now()),
    )
  if (status >= 500 && posts) throw failure('unknown', unclear)
  if (status !== 200)
    throw failure(
      status >= 500 ? 'unavailable' : 'refused',
      message('errors.channel.slack.status', 'Slack responded with status {status}.', { status }),
    )
  return response
}

/**
 * Calls a method of the Web API.
 * @throws ChannelError
 */
export async function callSlack(
  access: SlackAccess,
  method: string,
  parameters: Readonly<Record<string, string>>,
  { posts = false, signal }: { posts?: boolean; signal: AbortSignal },
): Promise<SlackResponse> {
  const { text } = await post(access, new URL(`${access.baseUrl}/${method}`), {
    body: Buffer.from(new URLSearchParams(parameters).toString()),
    headers: {
      authorization: `Bearer ${access.token}`,
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    },
    posts,
    signal,
  })
  const answer = parse(text)
  if (!answer) throw posts ? failure('unknown', unclear) : failure('unavailable', unreachable)
  if (answer['ok'] === true) return answer
  const error = String(answer['error'] ?? '')
    .replaceAll(/[^\w-]/g, '')
    .slice(0, 60)
  const sentence = message('errors.channel.slack.error', 'Slack responded with the error {error}.', { error })
  if (unclearErrors.has(error)) throw posts ? failure('unknown', unclear) : failure('unavailable', sentence)
  throw failure(temporaryErrors.has(error) ? 'unavailable' : 'refused', sentence)
}

function parse(text: string): SlackResponse | undefined {
  try {
    const answer = JSON.parse(text) as unknown
    return typeof answer === 'object' && answer !== null ? (answer as SlackResponse) : undefined
  } catch {
    return undefined
  }
}

/**
 * Uploads a file to the address that Slack named. Users see it only after `files.completeUploadExternal`.
 * @throws ChannelError
 */
export async function uploadToSlack(
  access: SlackAccess,
  address: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const url = URL.parse(address)
  const own = new URL(access.baseUrl)
  const isSlack = url?.host === own.host || (url?.protocol === 'https:' && /(?:^|\.)slack\.com$/.test(url.hostname))
  if (!url || !isSlack) throw failure('unavailable', unreachable)
  await post(access, url, {
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
    posts: false,
    signal,
  })
}
