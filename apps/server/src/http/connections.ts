import type { Server, Socket } from 'node:net'

const perAddress = 200
/** Of these may not have sent a whole request yet, once they had time for it. */
const silentPerAddress = 50
const patienceMs = 1000

interface Caller {
  open: Set<Socket>
  /** Since when each has been open without a whole request, oldest first. */
  silent: Map<Socket, number>
}

/**
 * Ends connections of an address beyond 200 at once, and the oldest that have asked nothing where they are more than 50; proxies
 * that we trust speak for many and may open more.
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
