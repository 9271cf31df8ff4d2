import type { Server } from 'node:net'

const perAddress = 200

/** Ends connections of an address beyond 200 at once; proxies that we trust speak for many and may open more. */
export function limitConnections(server: Server, trusted: readonly string[]): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || trusted.includes(address)) return
    const count = (open.get(address) ?? 0) + 1
    if (count > perAddress) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
