import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppError, Tunnel } from '@parquetry/model'
import { readAll } from '@parquetry/testing/sessions'
import { startSshServer, type TestSshServer } from '@parquetry/testing/ssh-server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { postgresDriver } from '../postgres/driver.ts'
import { postgres } from '../postgres/engine.ts'
import { OpenTunnel, Tunnels } from './tunnel.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const local = ['127.0.0.1']

const until = async (holds: () => boolean) => {
  const end = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not so after 20 s: ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function listening(answer: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

describe('an SSH tunnel', () => {
  let ssh: TestSshServer
  const opened: OpenTunnel[] = []
  const folder = mkdtempSync(join(tmpdir(), 'pq-test-'))
  const before = process.env['TMPDIR']
  beforeAll(async () => {
    process.env['TMPDIR'] = folder
    ssh = await startSshServer()
  })
  afterEach(() => {
    for (const tunnel of opened.splice(0)) tunnel.close()
  })
  afterAll(async () => {
    await ssh.close()
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true })
  })

  const tunnelSettings = (own: Partial<Tunnel> = {}): Tunnel => ({
    server_address: 'jump.example.com',
    server_port: ssh.port,
    username: 'jump',
    password: 'jump',
    ...own,
  })
  async function open(own: Partial<Tunnel> = {}, target = { host: '127.0.0.1', port: 1 }): Promise<OpenTunnel> {
    const tunnel = await OpenTunnel.open(tunnelSettings(own), local, target)
    opened.push(tunnel)
    return tunnel
  }
  const failure = (own: Partial<Tunnel>) =>
    open(own).then(
      () => 'it opened',
      ({ code, message }: AppError) => `${code}: ${message}`,
    )

  it('signs in with a password, and with a password-protected private key', async () => {
    expect((await open()).hostKey).toMatch(/^SHA256:[\w+/]{43}$/)
    const { password: _, ...byKey } = tunnelSettings({ private_key: ssh.privateKey, private_key_password: 'sesame' })
    opened.push(await OpenTunnel.open(byKey, local, { host: '127.0.0.1', port: 1 }))
  })

  it('reports problems without revealing secrets', async () => {
    expect(await failure({ password: 'hunter2' })).toBe(
      'connection_failed: The SSH server rejected the username, password, or private key.',
    )
    expect(await failure({ private_key: 'hunter2' })).toMatch(/Could not read the private key of the SSH tunnel/)
    expect(await failure({ private_key: ssh.privateKey, private_key_password: 'hunter2' })).toMatch(
      /Could not read the private key of the SSH tunnel/,
    )
    expect(await failure({ server_port: 1 })).toMatch(/^connection_failed: Connection failed/)
    await until(() => ssh.open().clients === 0)
  })

  it('connects only to a server with the host key of the first connection', async () => {
    const { hostKey } = await open()
    await open({ host_key: hostKey })
    expect(await failure({ host_key: 'SHA256:another' })).toContain(`presented a different host key (${hostKey})`)
    await until(() => ssh.open().clients === 2)
  })

  it('gives up on a silent server, and on one that is not an SSH server', async () => {
    const silent = await listening(() => {})
    const wrong = await listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const both = await Promise.all([failure({ server_port: silent.port }), failure({ server_port: wrong.port })])
    expect(both).toEqual(Array(2).fill(expect.stringMatching(/^connection_failed: Connection failed/)))
    silent.server.close()
    wrong.server.close()
  })

  it('reports that the server behind it cannot be reached', async () => {
    const tunnel = await open()
    await expect(tunnel.dial()).rejects.toMatchObject({ code: 'connection_failed' })
  })

  it('closes its sockets when it ends, and leaves no file', async () => {
    const echo = await listening((socket) => socket.pipe(socket))
    const tunnel = await open({}, { host: '127.0.0.1', port: echo.port })
    const socket = await tunnel.dial()
    const answer = new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())))
    socket.write('hello')
    expect(await answer).toBe('hello')
    expect(ssh.open().forwarded).toBe(1)
    expect(readdirSync(folder)).toEqual([])
    const closed = new Promise((resolve) => socket.once('close', resolve))
    tunnel.close()
    await closed
    await until(() => ssh.open().clients === 0 && ssh.open().forwarded === 0)
    expect(readdirSync(folder)).toEqual([])
    echo.server.close()
  })

  it.skipIf(!url)('fails a running query promptly when it breaks', async () => {
    const breaking = await startSshServer()
    const settings = postgres.fromUri(url!)
    const target = { host: String(settings['host']), port: Number(settings['port']) }
    const tunnels = new Tunnels()
    const way = tunnelSettings({ server_port: breaking.port })
    const dial = async () => (await tunnels.get(way, local, target)).dial()
    const context = { schema: null, timeoutMs: 60_000, allowDml: false, dial, way: 'breaking' }
    const session = await postgresDriver.open(settings, context)
    const reading = readAll(session, 'SELECT pg_sleep(30)').catch(({ code }: AppError) => code)
    await until(() => breaking.open().forwarded === 1)
    // The query ends because of the break and not because of a time limit.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true })
    try {
      await breaking.close()
      expect(await reading).toBe('connection_failed')
    } finally {
      vi.useRealTimers()
    }
    await session.close()
    await expect(dial()).rejects.toMatchObject({ code: 'connection_failed' })
    await tunnels.close()
  })

  it.skipIf(!url)('carries several concurrent PostgreSQL sessions and long results', async () => {
    const settings = postgres.fromUri(url!)
    const tunnels = new Tunnels()
    const target = { host: String(settings['host']), port: Number(settings['port']) }
    const dial = async () => (await tunnels.get(tunnelSettings(), local, target)).dial()
    const session = () =>
      postgresDriver.open(
        { ...settings, host: 'db.internal.example.com' },
        { schema: null, timeoutMs: 10_000, allowDml: false, dial, routeKey: 'test' },
      )
    const sessions = await Promise.all([session(), session(), session()])
    expect(ssh.open()).toEqual({ clients: 1, forwarded: 3 })
    const { frame } = await readAll(sessions[0], "SELECT i, repeat('x', 100) FROM generate_series(1, 50000) AS i")
    expect(frame.rows).toBe(50_000)
    await Promise.all(sessions.map((one) => one.close()))
    await tunnels.close()
    await until(() => ssh.open().clients === 0)
  })
})
