import { AppError, imageLimits, message, type Message } from '@parquetry/model'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6 } from 'node:net'
import { isLocal, resolveOutgoing, type OutgoingPolicy } from '../runners/outgoing.ts'
import { tooLarge } from './read-image.ts'

const maxMs = 10_000

const imageError = (text: Message, cause?: unknown): AppError => new AppError('unprocessable', { message: text, cause })

/** The message is the same for all causes, so that it does not reveal which hosts exist. */
const unreachable = (host: string, cause?: unknown): AppError =>
  imageError(message('errors.image.unreachable', 'Could not reach the server {host}.', { host }), cause)

function readAddress(address: string): URL {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw imageError(message('errors.image.scheme', 'The image URL must start with https:// or http://.'))
  if (url.username !== '' || url.password !== '')
    throw imageError(message('errors.image.password', 'The image URL cannot contain a username or password.'))
  return url
}

async function resolveAddresses({ host, hostname }: URL, policy: OutgoingPolicy): Promise<string[]> {
  try {
    const found = await resolveOutgoing(hostname, policy)
    if (!policy.loopback && found.some(isLocal)) throw new Error('this machine')
    return found
  } catch (cause) {
    throw unreachable(host, cause)
  }
}

async function fetchResponse(url: URL, addresses: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const options: RequestOptions = {
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, accept: 'image/*', 'user-agent': 'Parquetry' },
    agent: false,
    signal,
    // Connects to the checked addresses; the name is not resolved again.
    lookup: (_name, { all }, done) =>
      all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family ?? 4),
  }
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(options)
  // Errors after the response, or after the timeout, are ignored.
  request.on('error', () => {})
  request.end()
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage]
  return response.on('error', () => {})
}

/** @throws AppError `unprocessable` for a response without a file */
function check(response: IncomingMessage, { host }: URL): void {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400)
    throw imageError(
      headers.location === undefined
        ? message('errors.image.redirect', 'The image URL redirects to another URL. Enter the URL of the image itself.')
        : message('errors.image.redirectTo', 'The image URL redirects to {url}. Enter the URL of the image itself.', {
            url: headers.location.slice(0, 500),
          }),
    )
  if (statusCode !== 200)
    throw imageError(
      message('errors.image.status', 'The server {host} responded with status {status}.', { host, status: statusCode }),
    )
  if (Number(headers['content-length'] ?? 0) > imageLimits.bytes) throw tooLarge()
}

/**
 * Downloads an image with a single request that is subject to the outgoing policy, without cookies or redirects.
 * @throws AppError `unprocessable` with a message for the user who entered the URL; `too_large`
 */
export async function fetchImage(
  address: string,
  policy: OutgoingPolicy,
  callerSignal: AbortSignal,
  limitMs = maxMs,
): Promise<Buffer> {
  const url = readAddress(address)
  const addresses = await resolveAddresses(url, policy)
  const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(limitMs)])
  let response: IncomingMessage | undefined
  try {
    response = await fetchResponse(url, addresses, signal)
    check(response, url)
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of response) {
      bytes += (piece as Buffer).length
      if (bytes > imageLimits.bytes) throw tooLarge()
      pieces.push(piece as Buffer)
    }
    return Buffer.concat(pieces)
  } catch (error) {
    callerSignal.throwIfAborted()
    throw error instanceof AppError ? error : unreachable(url.host, error)
  } finally {
    response?.destroy()
  }
}
