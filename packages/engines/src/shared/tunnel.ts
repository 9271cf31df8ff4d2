import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tunnel } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { Client, type ClientChannel } from 'ssh2'
import { dialAddresses, dialTimeoutMs, dialPath } from './dial.ts'

/** An unused tunnel is closed after this time; drivers retain connections for half of it. */
const idleMs = 60_000

const failed = (text: Message, details: Record<string, unknown>, cause?: unknown): AppError =>
  new AppError('connection_failed', { message: text, details, cause })

const computeFingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

const wrongHostKey = (seen: string): AppError =>
  failed(
    message(
      'errors.engines.sshHostKey',
      'The SSH server presented a different host key ({key}) than at the first connection. ' +
        'If the server was replaced, remove the stored key in the SSH tunnel settings.',
      { key: seen },
    ),
    { invalid: ['ssh_tunnel.server_address'] },
  )

/**
 * Converts an error of ssh2 to a message. The library's own messages contain neither passwords nor keys, but libraries change.
 */
function tunnelError(error: Error & { level?: string }): AppError {
  if (error.level === 'client-authentication')
    return failed(
      message('errors.engines.sshSignIn', 'The SSH server rejected the username, password, or private key.'),
      {
        invalid: ['ssh_tunnel.username'],
      },
    )
  if (/privateKey|passphrase|key data/i.test(error.message))
    return failed(
      message(
        'errors.engines.sshPrivateKey',
        'Could not read the private key of the SSH tunnel. Check the private key password.',
      ),
      {
        invalid: ['ssh_tunnel.private_key'],
      },
    )
  return new AppError('connection_failed', { cause: error, details: { tunnel: true } })
}

/**
 * Two ends of one connection within this process. The channels of the SSH library are not sockets, but drivers, TLS and byte
 * counting need one. The connection uses a socket file that no other user can open and that is deleted once both ends are
 * connected, so that a killed process leaves none behind.
 */
async function socketPair(): Promise<[near: Socket, far: Socket]> {
  const folder = mkdtempSync(join(tmpdir(), 'pq-tunnel-'))
  const path = join(folder, 's')
  const server = createServer({ allowHalfOpen: true })
  try {
    const accepted = new Promise<Socket>((resolve, reject) => server.once('connection', resolve).once('error', reject))
    server.listen(path)
    await Promise.race([once(server, 'listening'), accepted])
    const near = await dialPath(path)
    return [near, await accepted]
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One connection to an SSH server and the sockets that it forwards to a database behind it. */
export class OpenTunnel {
  readonly hostKey: string
  readonly #client: Client
  readonly #target: { host: string; port: number }
  readonly #onClosed: () => void
  readonly #sockets = new Set<Socket>()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  private constructor(client: Client, hostKey: string, target: { host: string; port: number }, onClosed: () => void) {
    this.#client = client
    this.hostKey = hostKey
    this.#target = target
    this.#onClosed = onClosed
    client.on('error', () => {})
    client.on('close', () => this.close())
    this.#rest()
  }

  /**
   * Signs in to the SSH server. Its host key is verified before any of our data is sent.
   * @param addresses  checked addresses of the SSH server
   * @param target     the database as the SSH server knows it
   * @throws AppError `connection_failed`
   */
  static async open(
    tunnel: Tunnel,
    addresses: readonly string[],
    target: { host: string; port: number },
    onClosed: () => void = () => {},
  ): Promise<OpenTunnel> {
    const sock = await dialAddresses(addresses, tunnel.server_port)
    const client = new Client()
    try {
      return new OpenTunnel(client, await signIn(client, tunnel, sock), target, onClosed)
    } catch (error) {
      client.end()
      sock.destroy()
      throw error
    }
  }

  /**
   * Returns a socket connected to the database. @throws AppError `connection_failed`, also when the SSH server cannot reach it
   */
  async dial(): Promise<Socket> {
    this.#wake()
    try {
      const channel = await this.#channel()
      const [near, far] = await socketPair()
      this.#join(far, channel)
      return near
    } finally {
      this.#rest()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    for (const socket of this.#sockets) socket.destroy()
    this.#client.end()
    this.#onClosed()
  }

  #channel(): Promise<ClientChannel> {
    const { host, port } = this.#target
    return new Promise((resolve, reject) => {
      const fail = (cause?: unknown) => reject(new AppError('connection_failed', { cause }))
      const timer = setTimeout(fail, dialTimeoutMs)
      try {
        this.#client.forwardOut('127.0.0.1', 0, host, port, (error, channel) => {
          clearTimeout(timer)
          if (error) fail(error)
          else resolve(channel)
        })
      } catch (error) {
        clearTimeout(timer)
        fail(error)
      }
    })
  }

  #join(socket: Socket, channel: ClientChannel): void {
    this.#sockets.add(socket)
    this.#wake()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#sockets.delete(socket)
      channel.destroy()
      this.#rest()
    })
    channel.on('error', () => socket.destroy())
    channel.on('close', () => socket.destroy())
    socket.pipe(channel).pipe(socket)
  }

  #wake(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #rest(): void {
    this.#wake()
    if (this.#isClosed || this.#sockets.size > 0) return
    this.#timer = setTimeout(() => this.close(), idleMs).unref()
  }
}

function signIn(client: Client, tunnel: Tunnel, sock: Socket): Promise<string> {
  let seen = ''
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error instanceof AppError ? error : tunnelError(error))
    const onClose = () => fail(new Error('the SSH server closed the connection'))
    client.once('ready', () => {
      client.off('error', fail)
      client.off('close', onClose)
      resolve(seen)
    })
    client.on('error', fail)
    client.on('close', onClose)
    try {
      client.connect({
        sock,
        username: tunnel.username,
        ...(tunnel.password && { password: tunnel.password }),
        ...(tunnel.private_key && { privateKey: tunnel.private_key }),
        ...(tunnel.private_key_password && { passphrase: tunnel.private_key_password }),
        readyTimeout: dialTimeoutMs,
        keepaliveInterval: 15_000,
        hostVerifier: (key: Buffer) => {
          seen = computeFingerprint(key)
          if (!tunnel.host_key || tunnel.host_key === seen) return true
          fail(wrongHostKey(seen))
          return false
        },
      })
    } catch (error) {
      fail(error as Error)
    }
  })
}

/** The tunnels of one runner process: one per way and account, shared by its sessions, closed when idle. */
export class Tunnels {
  readonly #open = new Map<string, Promise<OpenTunnel>>()

  get(tunnel: Tunnel, addresses: readonly string[], target: { host: string; port: number }): Promise<OpenTunnel> {
    const key = JSON.stringify([tunnel, addresses, target])
    const known = this.#open.get(key)
    if (known) return known
    const opening = OpenTunnel.open(tunnel, addresses, target, () => {
      if (this.#open.get(key) === opening) this.#open.delete(key)
    })
    this.#open.set(key, opening)
    opening.catch(() => this.#open.delete(key))
    return opening
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) (await opening.catch(() => null))?.close()
  }
}
