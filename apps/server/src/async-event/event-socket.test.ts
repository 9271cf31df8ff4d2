import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { connectionLimits } from '../concurrency/load-limits.ts'
import { createMemoryPubSub } from '../jobs/memory-pub-sub.ts'
import { type PubSub, userChannel } from '../jobs/pub-sub.ts'
import { startSession } from '../security/sessions.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { sendEvents } from './event-socket.ts'

describe.each(testStores)('the WebSocket of events on %s', (_name, store) => {
  let server: TestServer
  let userId: number
  let otherId: number
  let origin: string
  const sockets: WebSocket[] = []
  beforeAll(async () => {
    server = await startTestServer({ store })
    origin = await server.app.http.listen({ port: 0, host: '127.0.0.1' })
    const users = server.deps.db.selectFrom('user').select('id')
    userId = (await users.where('username', '=', 'alpha').executeTakeFirstOrThrow()).id
    otherId = (await users.where('username', '=', 'gamma').executeTakeFirstOrThrow()).id
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate()
  })
  afterAll(() => server.close())

  async function withoutRoles(work: () => Promise<void>): Promise<void> {
    const { db } = server.deps
    const roles = await db.deleteFrom('user_role').where('user_id', '=', userId).returningAll().execute()
    try {
      await work()
    } finally {
      await db.insertInto('user_role').values(roles).execute()
    }
  }

  const signIn = async (id = userId) => `session=${await startSession(server.deps.db, id, 'cookie', server.deps.now())}`
  const publish = (job_id: string) => server.deps.events.publish(userChannel(userId), { job_id, status: 'done' })

  function connect(headers: Record<string, string>, query = '') {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/async_event/ws${query}`, { headers })
    sockets.push(socket)
    const received: string[] = []
    socket.on('message', (data: Buffer) => received.push((JSON.parse(String(data)) as { job_id: string }).job_id))
    const closed = new Promise<number>((resolve) => {
      socket.on('close', resolve)
      // Refusals are errors too, and end in `unexpected-response`.
      socket.on('error', () => {})
    })
    const opened = new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_request, response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
    })
    return { socket, received, closed, opened }
  }

  it('API-083: sends events that were missed, then those that are published, to their user only', async () => {
    const { id } = await publish('before')
    await publish('missed')
    const mine = connect({ cookie: await signIn(), origin }, `?last_id=${id}`)
    expect(await mine.opened).toBe(101)
    await vi.waitFor(() => expect(mine.received).toEqual(['missed']))
    await server.deps.events.publish(userChannel(userId + 1), { job_id: 'of another', status: 'done' })
    await publish('after')
    await vi.waitFor(() => expect(mine.received).toEqual(['missed', 'after']))
    const all = connect({ cookie: await signIn(), origin })
    await vi.waitFor(() => expect(all.received.slice(-3)).toEqual(['before', 'missed', 'after']))
  })

  it('is refused as the calls that poll are', async () => {
    const cookie = await signIn()
    expect(await connect({}).opened).toBe(401)
    expect(await connect({ cookie: 'session=unknown', origin }).opened).toBe(401)
    expect(await connect({ cookie, origin: 'https://other.example.com' }).opened).toBe(403)
    expect(await connect({ cookie, 'sec-fetch-site': 'cross-site', origin }).opened).toBe(403)
    await withoutRoles(async () => expect(await connect({ cookie, origin }).opened).toBe(403))
    const plain = await server.as('admin').get('/api/v1/async_event/ws')
    expect([plain.statusCode, plain.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringContaining('Poll /api/v1/async_event/'),
    ])
  })

  it('closes with its session, and when rights are taken from its user', async () => {
    const [first, second] = [await signIn(), await signIn()]
    const [ending, staying] = [connect({ cookie: first, origin }), connect({ cookie: second, origin })]
    await Promise.all([ending.opened, staying.opened])
    await fetch(`${origin}/logout/`, { headers: { cookie: first }, redirect: 'manual' })
    await ending.closed
    await publish('still here')
    await vi.waitFor(() => expect(staying.received.at(-1)).toBe('still here'))
    await withoutRoles(async () => void (await staying.closed))
  })

  it('closes for a client that sends messages', async () => {
    const { socket, opened, closed } = connect({ cookie: await signIn(), origin })
    await opened
    socket.send('hello')
    expect(await closed).toBe(1008)
    const long = connect({ cookie: await signIn(), origin })
    await long.opened
    long.socket.send('x'.repeat(2000))
    expect(await long.closed).toBe(1009)
  })

  it('counts as a stream of its user until it is closed', async () => {
    const cookie = await signIn(otherId)
    const open = Array.from({ length: connectionLimits.streamsPerUser }, () => connect({ cookie, origin }))
    expect(new Set(await Promise.all(open.map(({ opened }) => opened)))).toEqual(new Set([101]))
    expect(await connect({ cookie, origin }).opened).toBe(429)
    open[0]!.socket.close()
    await open[0]!.closed
    await vi.waitFor(async () => expect(await connect({ cookie, origin }).opened).toBe(101))
  })

  it('other addresses answer over HTTP, whatever a client would like to upgrade to', async () => {
    for (const upgrade of ['h2c', 'websocket']) {
      const address = new URL('/health', origin)
      const { request } = await import('node:http')
      const call = request(address, { headers: { connection: 'Upgrade', upgrade } }).end()
      const [response] = (await once(call, 'response')) as [{ statusCode: number; resume(): void }]
      response.resume()
      expect(response.statusCode).toBe(200)
    }
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'content-type': 'application/json' }
    const { request } = await import('node:http')
    const call = request(new URL('/api/v1/async_event/ws', origin), { method: 'POST', headers }).end('{}')
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    response.resume()
    expect([response.statusCode, response.headers.connection]).toEqual([405, 'keep-alive'])
  })

  it('a refused connection ends, also for a client that keeps its side open', async () => {
    const accepting = once(server.app.http.server, 'connection')
    const client = createConnection({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    client.write(
      'GET /api/v1/async_event/ws HTTP/1.1\r\nhost: test\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
    )
    const [accepted] = (await accepting) as [Socket]
    const [answer] = (await once(client, 'data')) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    expect(String(answer)).toMatch(/^connection: close\r$/im)
    await vi.waitFor(() => expect(accepted.destroyed).toBe(true))
    client.destroy()
  })
})

/** A server whose sockets send the events of a user. */
async function serveEvents(beatMs: number, onSocket: (socket: Socket) => void = () => {}, pubSub?: PubSub) {
  const http = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const events = pubSub ?? createMemoryPubSub(Date.now)
  http.on('upgrade', (request, socket: Socket, head: Buffer) =>
    sockets.handleUpgrade(request, socket, head, (each) => {
      onSocket(socket)
      void sendEvents(each, events, { userId: 1, lastId: '', beatMs })
    }),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return { http, events, url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

it('ends the subscription of a client that leaves, also when it leaves before it is subscribed', async () => {
  const events = createMemoryPubSub(Date.now)
  const gate = Promise.withResolvers<void>()
  let [begun, ended] = [0, 0]
  const watched: PubSub = {
    ...events,
    async subscribe(...args) {
      begun += 1
      if (begun === 2) await gate.promise
      const end = await events.subscribe(...args)
      return () => {
        ended += 1
        end()
      }
    },
  }
  const { http, url } = await serveEvents(60_000, () => {}, watched)
  const first = new WebSocket(url)
  await once(first, 'open')
  first.close()
  await vi.waitFor(() => expect(ended).toBe(1))
  const accepting = once(http, 'connection')
  const second = new WebSocket(url)
  await once(second, 'open')
  const [accepted] = (await accepting) as [Socket]
  second.terminate()
  await vi.waitFor(() => expect(accepted.destroyed).toBe(true))
  expect([begun, ended]).toEqual([2, 1])
  gate.resolve()
  await vi.waitFor(() => expect(ended).toBe(2))
  http.close()
})

it('a client that takes no events is disconnected before they fill the memory', async () => {
  const { http, events, url } = await serveEvents(60_000, (socket) => socket.cork())
  const client = new WebSocket(url)
  await once(client, 'open')
  client.on('error', () => {})
  let isClosed = false
  client.on('close', () => (isClosed = true))
  const publish = (bytes: number) => events.publish(userChannel(1), { text: 'x'.repeat(bytes) })
  await publish(900_000)
  await publish(900_000)
  expect(isClosed).toBe(false)
  await publish(1)
  await vi.waitFor(() => expect(isClosed).toBe(true))
  http.close()
})

it('a client that sends pings but takes no answers is disconnected', async () => {
  // A corked socket sends nothing, as one whose client reads nothing.
  const { http, url } = await serveEvents(60_000, (socket) => socket.cork())
  const client = new WebSocket(url)
  await once(client, 'open')
  client.on('error', () => {})
  const closed = new Promise((resolve) => client.on('close', resolve))
  for (let sent = 0; sent < 20_000; sent += 1) client.ping('x'.repeat(125))
  await closed
  http.close()
})

it('a client that does not answer pings is disconnected', async () => {
  const { http, url } = await serveEvents(30)
  const [answering, silent] = [new WebSocket(url), new WebSocket(url, { autoPong: false })]
  await once(silent, 'close')
  let pings = 0
  answering.on('ping', () => (pings += 1))
  await vi.waitFor(() => expect(pings).toBeGreaterThan(3), { timeout: 5000 })
  expect(answering.readyState).toBe(WebSocket.OPEN)
  answering.terminate()
  http.close()
})
