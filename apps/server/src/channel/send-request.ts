import type { IncomingHttpHeaders } from 'node:http'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isLocal, resolveOutgoing, type OutgoingPolicy } from '../runners/outgoing.ts'
import { pinnedLookup } from './pinned-lookup.ts'

export interface SentRequest {
  url: URL
  headers: Record<string, string>
  body: Buffer
  policy: OutgoingPolicy
  timeoutMs: number
  signal: AbortSignal
  /** Certificates that are trusted instead of the usual ones, for tests. */
  authorities?: string | undefined
  /** Bytes of the response that are read; 0 reads the status only. */
  maxResponseBytes: number
}

export interface RequestResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A request without a response. */
export class RequestError extends Error {
  /** Not sent completely; or sent, so that it may have had its effect. */
  readonly isSent: boolean
  constructor(isSent: boolean, cause: unknown) {
    super('the request has no response', { cause })
    this.isSent = isSent
  }
}

/**
 * Sends a POST request to an address that the policy allows, and follows no redirects. The name is resolved once.
 * @throws RequestError
 */
export async function sendRequest(sent: SentRequest): Promise<RequestResponse> {
  const limit = AbortSignal.any([sent.signal, AbortSignal.timeout(sent.timeoutMs)])
  const progress = { isSent: false }
  let socket: Socket | undefined
  try {
    socket = await openSocket(sent, limit)
    return await exchange(sent, socket, limit, progress)
  } catch (error) {
    throw new RequestError(progress.isSent, error)
  } finally {
    socket?.destroy()
  }
}

/** @throws Error for an address that the policy does not allow, like one that cannot be reached */
async function openSocket({ url, policy, authorities }: SentRequest, limit: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = await resolveOutgoing(host, policy)
  if (!policy.loopback && addresses.some(isLocal)) throw new Error('this machine')
  limit.throwIfAborted()
  const isEncrypted = url.protocol === 'https:'
  const port = Number(url.port || (isEncrypted ? 443 : 80))
  const target = { host, port, lookup: pinnedLookup(addresses) }
  const socket = isEncrypted
    ? connectTls({
        ...target,
        minVersion: 'TLSv1.2',
        ...(authorities !== undefined && { ca: authorities }),
        ...(!isIP(host) && { servername: host }),
      })
    : connectTcp(target)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed')))
    socket.once(isEncrypted ? 'secureConnect' : 'connect', resolve)
    limit.addEventListener('abort', () => socket.destroy(new Error('timeout')), { once: true })
  }).catch((error: unknown) => {
    socket.destroy()
    throw error
  })
  // Later errors belong to the request.
  return socket.on('error', () => undefined)
}

async function exchange(
  { url, headers, body, maxResponseBytes }: SentRequest,
  socket: Socket,
  limit: AbortSignal,
  progress: { isSent: boolean },
): Promise<RequestResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = httpRequest({
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      'user-agent': 'Parquetry',
      ...headers,
      'content-length': body.length,
      connection: 'close',
    },
    createConnection: () => socket,
    signal: limit,
  })
  request.on('error', reject)
  request.on('response', resolve)
  request.on('finish', () => (progress.isSent = true))
  request.end(body)
  const response = await promise
  response.on('error', () => undefined)
  const text = await readText(response, maxResponseBytes)
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

/** The beginning of the response. One that breaks off counts as received, because its status is known. */
async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    if (maxBytes > 0)
      for await (const piece of response) {
        pieces.push(piece as Buffer)
        bytes += (piece as Buffer).length
        if (bytes >= maxBytes) break
      }
  } catch {
    // What has arrived is used.
  }
  response.destroy()
  return Buffer.concat(pieces).subarray(0, maxBytes).toString()
}

const maxRetryAfterMs = 3_600_000

/** The time that a response asks to wait, at most an hour. */
export function readRetryAfter({ 'retry-after': text }: IncomingHttpHeaders, now: Date): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : undefined
}
