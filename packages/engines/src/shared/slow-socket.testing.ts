import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** `dial` to a server on which every connection after the first is delayed. */
export function dialSlowSecond({ host, port }: { host: string; port: number }, delayMs: number): () => Promise<Socket> {
  let calls = 0
  return async () => {
    if (calls++ > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const socket = connect({ host, port })
    await once(socket, 'connect')
    return socket
  }
}
