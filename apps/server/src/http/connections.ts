import type { Server, Socket } from 'node:net'

const perAddress = 200
/** Connections per address without a complete request that stay open after `patienceMs`. */
const silentPerAddress = 50
const patienceMs = 1000

interface Caller {
  open: Set<Socket>
  /** Connections without a complete request, with the time when they were opened, oldest first. */
  silent: Map<Socket, number>
}

/**
 * Closes connections of an address beyond 200, and its oldest ones without a request beyond 50. Trusted proxies connect for many
 * clients and are not limited.
 */
export function limitConnections(server: Server, trusted: readonly string[]): void {
  const callers = new Map<string, Caller>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || trusted.includes(address)) return
    const caller = callers.get(address) ?? { open: new Set(), silent: new Map() }
    endSilent(caller)
    if (caller.open.size >= perAddress) {
      socket.destroy()
      return
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
}

function endSilent({ open, silent }: Caller): void {
  for (const [socket, since] of silent) {
    if (silent.size < silentPerAddress || performance.now() - since < patienceMs) return
    silent.delete(socket)
    open.delete(socket)
    socket.destroy()
  }
}
