import { connect, type AddressInfo, type Server as TcpServer } from 'node:net'
import ssh2 from 'ssh2'

export interface TestSshServer {
  port: number
  /** Private key that the user may sign in with, encrypted with the passphrase `sesame`. */
  privateKey: string
  /** Number of open connections and of forwarded sockets. */
  open(): { clients: number; forwarded: number }
  close(): Promise<void>
}

/** Starts a real SSH server with port forwarding: user `jump`, password `jump` or the key. */
export async function startSshServer({ hostKey = newHostKey() }: { hostKey?: string } = {}): Promise<TestSshServer> {
  const own = newKeys({ passphrase: 'sesame', cipher: 'aes256-ctr', rounds: 4 })
  const allowed = ssh2.utils.parseKey(own.public)
  if (allowed instanceof Error) throw allowed
  const clients = new Set<ssh2.Connection>()
  let forwarded = 0
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.on('authentication', (attempt) => {
      const isPassword = attempt.method === 'password' && attempt.password === 'jump'
      const isKey =
        attempt.method === 'publickey' &&
        attempt.key.data.equals(allowed.getPublicSSH()) &&
        (!attempt.signature || allowed.verify(attempt.blob!, attempt.signature, attempt.hashAlgo) === true)
      if (attempt.username === 'jump' && (isPassword || isKey)) attempt.accept()
      else attempt.reject(['password', 'publickey'])
    })
    client.on('tcpip', (accept, reject, { destIP, destPort }) => {
      const socket = connect({ host: destIP, port: destPort })
      socket.once('error', () => reject())
      socket.once('connect', () => {
        socket.removeAllListeners('error')
        socket.on('error', () => socket.destroy())
        const channel = accept()
        forwarded++
        channel.on('error', () => {})
        channel.on('close', () => {
          forwarded--
          socket.destroy()
        })
        socket.on('close', () => channel.destroy())
        socket.pipe(channel).pipe(socket)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const tcp = server as unknown as TcpServer
  return {
    port: (tcp.address() as AddressInfo).port,
    privateKey: own.private,
    open: () => ({ clients: clients.size, forwarded }),
    async close() {
      for (const client of clients) client.end()
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}

export const newHostKey = (): string => newKeys().private

/** Generates keys. The library writes about one key in 200 in a form that it cannot read; such keys are generated again. */
function newKeys(...options: [object?]): { private: string; public: string } {
  for (;;) {
    const keys = ssh2.utils.generateKeyPairSync('ed25519', ...(options as []))
    if (!(ssh2.utils.parseKey(keys.private, 'sesame') instanceof Error)) return keys
  }
}
