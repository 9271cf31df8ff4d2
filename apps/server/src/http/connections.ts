import type { Server, Socket } from 'node:net'
import type { Logger } from 'pino'

const perAddress = 200
/** Connections beyond the limit that are refused with a message; further ones are closed at once. */
const refusedPerAddress = 50
/** Connections per address without a complete request that stay open after `patienceMs`. */
const silentPerAddress = 50
const patienceMs = 1000

interface Caller {
  open: Set<Socket>
  /** Connections without a complete request, with the time when they were opened, oldest first. */
  silent: Map<Socket, number>
  /** The refusal was logged since the address last had no connection. */
  isLogged: boolean
}

/**
 * Limits an address to 200 connections: requests on further ones are refused, and those that send none are closed, as are the
 * oldest ones without a request beyond 50. Trusted proxies connect for many clients and are not limited.
 * @returns tests if requests on a connection are to be refused
 */
export function limitConnections(server: Server, trusted: readonly string[], log: Logger): (socket: Socket) => boolean {
  const refused = new WeakSet<Socket>()
  const callers = new Map<string, Caller>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || trusted.includes(address)) return
    const caller = callers.get(address) ?? { open: new Set(), silent: new Map(), isLogged: false }
    endSilent(caller)
    if (caller.open.size >= perAddress) {
      if (!caller.isLogged)
        log.warn({ address, perAddress }, 'an address has too many connections: further ones are refused')
      caller.isLogged = true
      if (caller.open.size >= perAddress + refusedPerAddress) {
        socket.destroy()
        return
      }
      refused.add(socket)
      setTimeout(() => socket.destroy(), patienceMs).unref()
    }
    callers.set(address, caller)
    caller.open.add(socket)
    caller.silent.set(socket, performance.now())
    socket.once('close', () => {
      caller.open.delete(socket)
      caller.silent.delete(socket)
      if (caller.open.size === 0 && callers.get(address) === caller) callers.delete(address)
    })
  })
  server.on('request', ({ socket }: { socket: Socket }) => {
    callers.get(socket.remoteAddress ?? '')?.silent.delete(socket)
  })
  return (socket) => refused.has(socket)
}

function endSilent({ open, silent }: Caller): void {
  for (const [socket, since] of silent) {
    if (silent.size < silentPerAddress || performance.now() - since < patienceMs) return
    silent.delete(socket)
    open.delete(socket)
    socket.destroy()
  }
}
