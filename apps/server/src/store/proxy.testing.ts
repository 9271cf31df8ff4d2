import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where the connection is cut: the client's message is not forwarded, or the server's response to it is not. */
export type Cut = 'before' | 'after'

/** A proxy between the server and its store that breaks connections. */
export interface Proxy {
  /** Address of the store through the proxy. */
  address: string
  /**
   * Cuts the connection at the n-th message of a client from now on, 1 being the next; a statement is one message.
   * @param andRefuse  refuses all connections after it
   */
  cutAt(n: number, cut: Cut, andRefuse?: boolean): void
  /** True when the requested cut has happened. */
  hasCut(): boolean
  /** Cuts every connection. */
  cutAll(): void
  /** Refuses all new connections. */
  refuse(): void
  /** Stops forwarding, while connections stay open. */
  stall(): void
  /** Restores normal operation. */
  heal(): void
  close(): Promise<unknown>
}

export async function startProxy(store: string): Promise<Proxy> {
  const target = new URL(store)
  const pairs = new Set<readonly [Socket, Socket]>()
  let waiting: { n: number; cut: Cut; andRefuse: boolean } | undefined
  let isRefusing = false
  let isStalled = false
  const end = (pair: readonly [Socket, Socket]) => {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    for (const socket of pair) socket.on('error', () => undefined).on('close', () => end(pair))
    if (isRefusing) return end(pair)
    pairs.add(pair)
    let isAnswerCut = false
    client.on('data', (bytes) => {
      if (waiting && --waiting.n === 0) {
        const { cut, andRefuse } = waiting
        waiting = undefined
        isRefusing ||= andRefuse
        if (cut === 'before') return end(pair)
        isAnswerCut = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isAnswerCut) end(pair)
      else client.write(bytes)
    })
    if (isStalled) for (const socket of pair) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: Object.assign(new URL(store), { host: `127.0.0.1:${port}` }).href,
    cutAt: (n, cut, andRefuse = false) => {
      waiting = { n, cut, andRefuse }
    },
    hasCut: () => waiting === undefined,
    cutAll: () => pairs.forEach(end),
    refuse: () => {
      isRefusing = true
    },
    stall: () => {
      isStalled = true
      for (const socket of [...pairs].flat()) socket.pause()
    },
    heal: () => {
      waiting = undefined
      isRefusing = false
      isStalled = false
      for (const socket of [...pairs].flat()) socket.resume()
    },
    close: () => {
      pairs.forEach(end)
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
