import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { connectionLimits } from '../concurrency/load-limits.ts'
import { onClose } from './on-close.ts'
import { toPlainAddress } from './trusted-proxies.ts'

export type ConnectionLimits = { readonly [Name in keyof typeof connectionLimits]: number }

/** Limits that can be exceeded. */
export type ConnectionLimit = 'connections' | 'unfinished_requests' | 'streams'

/** Open connections of one address. */
interface Caller {
  open: Set<Socket>
  /** Connections without a complete request, with the time when they were opened, oldest first. */
  silent: Map<Socket, number>
  /** Connections whose last response is complete, oldest first. */
  idle: Set<Socket>
}

export interface ConnectionLimiterOptions {
  isTrustedProxy(address: string): boolean
  log: Pick<Logger, 'warn'>
  limits?: ConnectionLimits
}

/**
 * Limits connections, requests and streams, so that one client does not use up those of all others. Trusted proxies connect for
 * many clients: their connections are not limited, and their requests count for the clients' addresses.
 */
export class ConnectionLimiter {
  /** How often each limit was exceeded. */
  readonly counts: Record<ConnectionLimit, number> = { connections: 0, unfinished_requests: 0, streams: 0 }
  readonly #isTrustedProxy: (address: string) => boolean
  readonly #log: Pick<Logger, 'warn'>
  readonly #limits: ConnectionLimits
  readonly #callers = new Map<string, Caller>()
  readonly #refused = new WeakSet<Socket>()
  readonly #unfinished = new Map<string, number>()
  readonly #streams = new Map<string, number>()
  readonly #loggedAt = new Map<ConnectionLimit, number>()

  constructor(server: Server, { isTrustedProxy, log, limits = connectionLimits }: ConnectionLimiterOptions) {
    this.#isTrustedProxy = isTrustedProxy
    this.#log = log
    this.#limits = limits
    server.on('connection', (socket: Socket) => this.#addConnection(socket))
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#trackIdle(request, response))
  }

  /** Stops waiting for a request on a connection that has become a WebSocket. */
  addSocket(socket: Socket): void {
    this.#callers.get(toPlainAddress(socket.remoteAddress ?? ''))?.silent.delete(socket)
  }

  /** Tests if requests on a connection are to be refused, because its address has too many connections. */
  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket)
  }

  /**
   * Counts a request until its response is complete.
   * @param address  of the client, as trusted proxies report it
   * @returns false when the address has too many unfinished requests
   */
  beginRequest(address: string, response: ServerResponse): boolean {
    if (this.#isTrustedProxy(address)) return true
    const { unfinishedPerAddress: max } = this.#limits
    return this.#count(this.#unfinished, toPlainAddress(address), response, { limit: 'unfinished_requests', max })
  }

  /** Counts a stream of a user until it ends. @returns false when the user has too many streams */
  beginStream(user: string, response: ServerResponse): boolean {
    return this.#count(this.#streams, user, response, { limit: 'streams', max: this.#limits.streamsPerUser })
  }

  #count(
    counts: Map<string, number>,
    key: string,
    response: ServerResponse,
    { limit, max }: { limit: ConnectionLimit; max: number },
  ): boolean {
    const count = counts.get(key) ?? 0
    if (count >= max) {
      this.#reportExceeded(limit, key, max)
      return false
    }
    counts.set(key, count + 1)
    onClose(response, () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    })
    return true
  }

  #addConnection(socket: Socket): void {
    const address = toPlainAddress(socket.remoteAddress ?? '')
    if (address === '' || this.#isTrustedProxy(address)) return
    const caller = this.#callers.get(address) ?? { open: new Set(), silent: new Map(), idle: new Set() }
    this.#endSilent(caller)
    const { perAddress, refusedPerAddress, silentMs } = this.#limits
    if (caller.open.size >= perAddress) endOldestIdle(caller)
    if (caller.open.size >= perAddress) {
      this.#reportExceeded('connections', address, perAddress)
      if (caller.open.size >= perAddress + refusedPerAddress) {
        socket.destroy()
        return
      }
      this.#refused.add(socket)
      setTimeout(() => socket.destroy(), silentMs).unref()
    }
    this.#callers.set(address, caller)
    caller.open.add(socket)
    caller.silent.set(socket, performance.now())
    socket.once('close', () => {
      caller.open.delete(socket)
      caller.silent.delete(socket)
      caller.idle.delete(socket)
      if (caller.open.size === 0 && this.#callers.get(address) === caller) this.#callers.delete(address)
    })
  }

  #endSilent({ open, silent }: Caller): void {
    const { silentPerAddress, silentMs } = this.#limits
    for (const [socket, since] of silent) {
      if (silent.size < silentPerAddress || performance.now() - since < silentMs) return
      silent.delete(socket)
      open.delete(socket)
      socket.destroy()
    }
  }

  #trackIdle({ socket }: IncomingMessage, response: ServerResponse): void {
    const caller = this.#callers.get(toPlainAddress(socket.remoteAddress ?? ''))
    if (!caller?.open.has(socket)) return
    caller.silent.delete(socket)
    caller.idle.delete(socket)
    onClose(response, () => {
      if (socket.destroyed || !caller.open.has(socket)) return
      caller.idle.add(socket)
      if (caller.idle.size > this.#limits.idlePerAddress) endOldestIdle(caller)
    })
  }

  /** Writes one line per limit and interval. */
  #reportExceeded(limit: ConnectionLimit, client: string, max: number): void {
    this.counts[limit] += 1
    const now = performance.now()
    if (now - (this.#loggedAt.get(limit) ?? -Infinity) < this.#limits.logIntervalMs) return
    this.#loggedAt.set(limit, now)
    this.#log.warn({ limit, client, max }, 'a client exceeds a limit of connections, requests or streams')
  }
}

/** Closes the connection that has been idle for longest, without an error for its client. */
function endOldestIdle({ open, idle }: Caller): void {
  const [oldest] = idle
  if (!oldest) return
  idle.delete(oldest)
  open.delete(oldest)
  oldest.destroySoon()
}
