import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { asyncEventSocketPath } from '@parquetry/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ConnectionLimiter } from './connections.ts'

/** Connection of a request that asks for a WebSocket, and what arrived after its head. */
export interface Upgrade {
  socket: Socket
  head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** The connection of a request that asks for a WebSocket; undefined for any other request. */
export const findUpgrade = (request: FastifyRequest): Upgrade | undefined => upgrades.get(request.raw)

/**
 * Tests if a request may become a WebSocket. All others are answered over HTTP, whatever they would like to upgrade to: clients ask
 * for HTTP/2 that way.
 */
export const isSocketRequest = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && url.split('?')[0] === asyncEventSocketPath && headers.upgrade?.toLowerCase() === 'websocket'

/** Routes requests for WebSockets like all others, so that they pass the same checks and are refused with the same bodies. */
export function routeUpgrades(http: FastifyInstance, connections: ConnectionLimiter): void {
  http.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    connections.addSocket(socket)
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    // A refusal is the last answer on the connection. The server does not read from it any more, so it would stay open until its
    // client closes it.
    response.shouldKeepAlive = false
    response.once('finish', () => socket.destroySoon())
    http.routing(request, response)
  })
}
