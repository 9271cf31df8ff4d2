import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export interface PasswordProxy {
  port: number
  /** Number of open client connections. */
  open(): number
  close(): Promise<void>
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const cancelCode = 80_877_102
const tlsCode = 80_877_103

const askForPassword = message('R', Buffer.from([0, 0, 0, 3]))

const refusal = (user: string): Buffer => {
  const fields = { S: 'FATAL', V: 'FATAL', C: '28P01', M: `password authentication failed for user "${user}"` }
  const text = Object.entries(fields).map(([name, value]) => `${name}${value}\0`)
  return message('E', Buffer.from(`${text.join('')}\0`))
}

/** Returns a complete client message, or null; the first message of a connection has no type. */
function wholeMessage(data: Buffer, hasType: boolean): Buffer | null {
  const at = hasType ? 1 : 0
  if (data.length < at + 4) return null
  const length = data.readInt32BE(at) + at
  return data.length < length ? null : data.subarray(0, length)
}

/**
 * Starts a proxy in front of a PostgreSQL with trust authentication that first asks for a password.
 * @param tls  key and certificate, if it accepts encrypted connections
 */
export async function startPasswordProxy(
  target: { host: string; port: number },
  password: string,
  tls?: { key: string; cert: string },
): Promise<PasswordProxy> {
  const sockets = new Set<Socket>()
  const answer = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let data = Buffer.alloc(0)
    let startup: Buffer | null = null
    const hand = (first: Buffer): void => {
      socket.off('data', read)
      const behind = connect(target, () => behind.write(first))
      behind.on('error', () => socket.destroy())
      behind.on('close', () => socket.destroy())
      socket.on('close', () => behind.destroy())
      socket.pipe(behind).pipe(socket)
    }
    const encrypt = (): void => {
      if (!tls) return void socket.write('N')
      socket.off('data', read)
      socket.write('S')
      answer(new TLSSocket(socket, { ...tls, isServer: true }))
    }
    const read = (more: Buffer): void => {
      data = Buffer.concat([data, more])
      const found = wholeMessage(data, startup !== null)
      if (!found) return
      data = data.subarray(found.length)
      if (startup) {
        const sentPassword = found.toString('utf8', 5, found.length - 1)
        if (sentPassword === password) return hand(startup)
        const user = /user\0([^\0]*)/.exec(startup.toString('utf8', 8))?.[1] ?? ''
        return void socket.end(refusal(user))
      }
      const code = found.readInt32BE(4)
      if (code === cancelCode) return hand(found)
      if (code === tlsCode) return encrypt()
      startup = Buffer.from(found)
      socket.write(askForPassword)
    }
    socket.on('data', read)
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
