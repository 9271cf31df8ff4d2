import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { asyncEventSocketPath, defineRoute } from '@parquetry/model'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionLimits } from '../concurrency/load-limits.ts'
import { startSession } from '../security/sessions.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { serve } from './serve.ts'

/** Interval at which Node.js checks for late headers; missing in its types. */
interface CheckedServer {
  connectionsCheckingInterval: number
}

const waiting = defineRoute({
  method: 'GET',
  path: '/api/v1/test/waiting',
  summary: 'Waits until the test ends',
  body: 'none',
  reply: 'bytes',
  can: 'anyone',
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})
const endless = defineRoute({ ...waiting, path: '/api/v1/test/endless', can: 'signed-in', isEndless: true })

let server: TestServer
let sockets: Socket[]
let finish: PromiseWithResolvers<string>
let warnings: { limit: string; client: string }[]
/** Streams that have begun. */
let streams: number

async function startServer(trustedProxies: string[] = []): Promise<void> {
  finish = Promise.withResolvers()
  sockets = []
  warnings = []
  streams = 0
  server = await startTestServer({
    settings: { trustedProxies },
    routes: (app) => {
      app.http.get('/test/ping', () => Promise.resolve('pong'))
      serve(app, waiting, () => finish.promise)
      serve(app, endless, () => {
        streams += 1
        return finish.promise
      })
    },
  })
  vi.spyOn(server.deps.log, 'warn').mockImplementation(((facts: (typeof warnings)[number]) => {
    if ('limit' in facts) warnings.push(facts)
  }) as never)
  await server.app.http.listen({ port: 0, host: '127.0.0.1' })
}
beforeEach(() => startServer())
afterEach(async () => {
  finish.resolve('done')
  vi.restoreAllMocks()
  for (const socket of sockets) socket.destroy()
  await server.close()
})

const port = () => (server.app.http.server.address() as AddressInfo).port
const ask = async () =>
  (await fetch(`http://127.0.0.1:${port()}/test/ping`, { headers: { connection: 'close' } })).status

async function open(count: number, sent = '', address = '127.0.0.1'): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () =>
    connect({ port: port(), host: '127.0.0.1', localAddress: address })
      .on('error', () => undefined)
      .resume(),
  )
  sockets.push(...opened)
  await Promise.all(opened.map((socket) => once(socket, 'connect')))
  for (const socket of opened) if (sent) socket.write(sent)
  return opened
}

const requestOf = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

/** The status of a request on an open connection. */
async function request(socket: Socket, path = '/test/ping', headers = ''): Promise<number> {
  const response = once(socket, 'data')
  socket.write(requestOf(path, headers))
  const [data] = (await Promise.race([response, once(socket, 'close').then(() => [''])])) as [Buffer]
  return Number(String(data).split(' ')[1])
}

/** Headers that turn a request of a signed-in user into a WebSocket. */
async function upgradeHeaders(): Promise<string> {
  const { db, now } = server.deps
  const { id } = await db.selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()
  const lines = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    Origin: 'http://a',
    Cookie: `session=${await startSession(db, id, 'cookie', now())}`,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

const countOpen = (all: readonly Socket[]) => all.filter((socket) => !socket.closed).length

describe('connections of one address', () => {
  it('regression: 250 people with one connection each are all answered, before and after a request', async () => {
    const people = await open(250)
    for (const round of ['first', 'second']) {
      const statuses = await Promise.all(people.map((socket) => request(socket)))
      expect(new Set(statuses), round).toEqual(new Set([200]))
    }
    expect(countOpen(people)).toBe(250)
  })

  it('closes the oldest idle connections beyond the limit without an error, and accepts new ones at the limit', async () => {
    const { perAddress, idlePerAddress } = connectionLimits
    const total = perAddress + 100
    const all: Socket[] = []
    const errors: Error[] = []
    for (let done = 0; done < total; done += 100) {
      const opened = await open(100)
      for (const socket of opened) socket.on('error', (error) => errors.push(error))
      all.push(...opened)
      expect(new Set(await Promise.all(opened.map((socket) => request(socket))))).toEqual(new Set([200]))
    }
    await expect.poll(() => countOpen(all)).toBe(idlePerAddress)
    expect(all.slice(-idlePerAddress).every(({ closed }) => !closed)).toBe(true)
    expect(errors).toEqual([])
    expect(await ask()).toBe(200)
    expect(warnings).toEqual([])
  })

  it('refuses connections beyond the limit with one log line', async () => {
    const { perAddress, silentMs } = connectionLimits
    // The connections stay without a request, which are closed only when there are many and some time has passed.
    const openedAt = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(openedAt)
    const [webSocket] = await open(1)
    expect(await request(webSocket!, asyncEventSocketPath, await upgradeHeaders())).toBe(101)
    await open(199)
    for (let done = 200; done < perAddress; done += 200) await open(200)
    const further = await open(2)
    expect(await Promise.all(further.map((socket) => request(socket)))).toEqual([503, 503])
    expect(warnings).toMatchObject([{ limit: 'connections', client: '127.0.0.1' }])
    expect(server.app.connections.counts.connections).toBe(2)
    clock.mockReturnValue(openedAt + silentMs + 1)
    expect(await ask(), 'silent connections make room').toBe(200)
    const answer = once(webSocket!, 'data')
    webSocket!.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]))
    const left = once(webSocket!, 'close').then(() => ['closed'])
    expect(await Promise.race([answer, left]), 'the pong of a WebSocket, which is not silent').toEqual([
      Buffer.from([0x8a, 0]),
    ])
  })

  it('regression: closes connections with unfinished headers in time', async () => {
    const { headersTimeout, connectionsCheckingInterval } = server.app.http.server as Server & CheckedServer
    expect(headersTimeout).toBe(10_000)
    expect(headersTimeout + connectionsCheckingInterval).toBeLessThan(15_000)
    server.app.http.server.headersTimeout = 100
    const [slow, mute] = [...(await open(1, 'GET /health HTTP/1.1\r\nX-Slow: ')), ...(await open(1))]
    await Promise.all([once(slow!, 'close'), once(mute!, 'close')])
  })
})

describe('unfinished requests of one address', () => {
  const { unfinishedPerAddress } = connectionLimits

  async function fill(headers = ''): Promise<void> {
    await open(unfinishedPerAddress, requestOf('/api/v1/test/waiting', headers))
  }

  it('are refused beyond the limit with Retry-After, until others are answered', async () => {
    await fill()
    await expect.poll(ask).toBe(503)
    const response = await fetch(`http://127.0.0.1:${port()}/health`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await response.json()).toEqual({
      message: 'Too many requests from your address are in progress. Try again in a moment.',
    })
    const [other] = await open(1, '', '127.0.0.2')
    expect(await request(other!), 'another address').toBe(200)
    expect(warnings).toMatchObject([{ limit: 'unfinished_requests', client: '127.0.0.1' }])
    finish.resolve('done')
    await expect.poll(ask).toBe(200)
  })

  it('count for the address that a trusted proxy reports, and for no address that others claim', async () => {
    await fill('X-Forwarded-For: 10.0.0.1\r\n')
    await expect.poll(ask).toBe(503)
    finish.resolve('done')
    await server.close()

    await startServer(['127.0.0.0/8'])
    await fill('X-Forwarded-For: 10.0.0.1\r\n')
    const [first, second] = (await open(2)) as [Socket, Socket]
    await expect.poll(() => request(first, '/test/ping', 'X-Forwarded-For: 10.0.0.2\r\n')).toBe(200)
    await expect.poll(() => request(second, '/test/ping', 'X-Forwarded-For: 10.0.0.1\r\n')).toBe(503)
  })
})

it('refuses streams of one user beyond the limit with Retry-After, but not those of others', async () => {
  const signIn = async (username: string) => {
    const credentials = { username, password: username, provider: 'db' }
    const response = await server.as('nobody').post('/api/v1/security/login', credentials)
    return `Authorization: Bearer ${response.json<{ access_token: string }>().access_token}\r\n`
  }
  const { streamsPerUser } = connectionLimits
  const admin = await signIn('admin')
  await open(streamsPerUser, requestOf(endless.path, admin))
  await expect.poll(() => streams).toBe(streamsPerUser)
  const [further] = await open(1)
  expect(await request(further!, endless.path, admin)).toBe(429)
  await open(1, requestOf(endless.path, await signIn('alpha')))
  await expect.poll(() => streams).toBe(streamsPerUser + 1)
  expect(warnings).toMatchObject([{ limit: 'streams' }])
})
