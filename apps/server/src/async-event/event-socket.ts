import { AppError, message } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import { findUpgrade } from '../http/upgrade.ts'
import { type PubSub, userChannel } from '../jobs/pub-sub.ts'
import { followEvents } from './follow-events.ts'

/** Clients only answer pings. */
const maxMessageBytes = 1024
/** A client that takes this little is disconnected; what it missed is sent when it connects again. */
const maxWaitingBytes = 1 << 20
const policyViolation = 1008

export interface SocketOptions {
  userId: number
  /** The last event that the client received. */
  lastId: string
  beatMs: number
}

let opened: Promise<WebSocketServer> | undefined

/** The library is loaded for the first socket. */
const getServer = (): Promise<WebSocketServer> =>
  (opened ??= import('ws').then(
    ({ WebSocketServer: Server }) =>
      new Server({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false }),
  ))

/**
 * Turns a request into a WebSocket that sends the events of a user's jobs. `openCalls` closes its connection with the session, and
 * when the rights of the user change.
 * @throws AppError `bad_request` for a request that does not ask for a WebSocket
 */
export async function openEventSocket(
  events: PubSub,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  options: SocketOptions,
): Promise<FastifyReply> {
  const upgrade = findUpgrade(request)
  if (!upgrade)
    throw new AppError('bad_request', {
      message: message(
        'errors.asyncEvents.noSocket',
        'This address is for WebSockets. Poll /api/v1/async_event/ instead.',
      ),
    })
  const server = await getServer()
  reply.hijack()
  server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
    void sendEvents(socket, events, options)
  })
  return reply
}

/** Sends events until the client leaves, does not answer a ping, or sends anything itself. */
export async function sendEvents(
  socket: WebSocket,
  events: PubSub,
  { userId, lastId, beatMs }: SocketOptions,
): Promise<void> {
  let isAlive = true
  const heartbeat = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, beatMs).unref()
  socket.on('pong', () => (isAlive = true))
  socket.on('message', () => socket.close(policyViolation, 'this socket only sends'))
  socket.on('error', () => socket.terminate())
  let unfollow = (): void => {}
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
    clearInterval(heartbeat)
    unfollow()
  })
  try {
    unfollow = await followEvents(events, userChannel(userId), lastId, (event) => {
      if (socket.bufferedAmount > maxWaitingBytes) socket.terminate()
      else socket.send(JSON.stringify(event))
    })
    if (isClosed) unfollow()
  } catch {
    socket.terminate()
  }
}
