import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { AsyncEvent } from '@parquetry/model'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AsyncEvents } from './async-events.ts'

type Options = ConstructorParameters<typeof AsyncEvents>[0]

let server: Server
let base: string
/** Of the server: what it has to tell, when it was asked, and the sockets that are open. */
let told: AsyncEvent[]
let asked: { at: number; lastId: string | null }[]
let sockets: { at: number; lastId: string | null; socket: Socket }[]
let takesSockets: boolean
let kept: Map<string, string>
let warned: string[]
let open: InstanceType<typeof AsyncEvents>[]

beforeEach(async () => {
  ;[told, asked, sockets, takesSockets, kept, warned, open] = [[], [], [], true, new Map(), [], []]
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (url.pathname === '/events') {
      asked.push({ at: performance.now(), lastId: url.searchParams.get('last_id') })
      response.end(JSON.stringify({ result: told.splice(0) }))
    } else response.end(`result of ${url.pathname}`)
  })
  server.on('upgrade', (request, socket: Socket) => {
    const url = new URL(request.url ?? '', 'http://x')
    sockets.push({ at: performance.now(), lastId: url.searchParams.get('last_id'), socket })
    if (!takesSockets) return void socket.destroy()
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  for (const events of open) events.close()
  for (const { socket } of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
})

function start(own: Partial<Options> = {}): InstanceType<typeof AsyncEvents> {
  const events = new AsyncEvents({
    transport: 'polling',
    pollingDelayMs: 20,
    socketUrl: `ws://${base}/socket`,
    fetchEvents: async (lastId) => {
      const answer = await fetch(`http://${base}/events${lastId === null ? '' : `?last_id=${lastId}`}`)
      return ((await answer.json()) as { result: AsyncEvent[] }).result
    },
    fetchResult: (url) => fetch(`http://${base}${url}`),
    storage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) },
    warn: (text) => void warned.push(text),
    failed: 'The query failed.',
    ...own,
  })
  open.push(events)
  return events
}

let lastEvent = 0
const event = (job_id: string, own: Partial<AsyncEvent> = {}): AsyncEvent => ({
  id: `${++lastEvent}-0`,
  channel_id: 'c',
  job_id,
  user_id: 1,
  status: 'done',
  errors: [],
  result_url: `/results/${job_id}`,
  ...own,
})
const textOf = async (response: Promise<Response>): Promise<string> => (await response).text()
/** A text frame of a socket's server. */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 255]), Buffer.from(text)])
const soon = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 10_000, interval: 5 })

it('ASYNC-001, ASYNC-002, ASYNC-003: fetches the result of each job from where its event says', async () => {
  const events = start()
  const both = [textOf(events.waitFor('a', {})), textOf(events.waitFor('b', {}))]
  told.push(event('b'), event('a'))
  expect(await Promise.all(both)).toEqual(['result of /results/a', 'result of /results/b'])
})

it('ASYNC-004: rejects with the error of the job', async () => {
  const waiting = start().waitFor('a', {})
  const extra = { issue_codes: [{ code: 1002, message: 'Issue 1002' }] }
  told.push(
    event('a', { status: 'error', errors: [{ message: 'no such table', error_type: 'X', level: 'error', extra }] }),
  )
  await expect(waiting).rejects.toMatchObject({
    name: 'ApiError',
    message: 'no such table',
    errors: [{ error_type: 'X' }],
  })
})

it('ASYNC-005: warns of a status that it does not know, and waits on', async () => {
  const waiting = textOf(start().waitFor('a', {}))
  told.push(event('a', { status: 'odd' as 'done' }), event('a'))
  expect(await waiting).toContain('/a')
  expect(warned).toEqual(['Unknown status of an event: odd'])
})

it('ASYNC-006: looks again for the listener of an event that came too early', async () => {
  const events = start()
  const first = events.waitFor('first', {})
  told.push(event('late'), event('first'))
  await first
  const began = performance.now()
  expect(await textOf(events.waitFor('late', {}))).toContain('/late')
  expect(performance.now() - began).toBeLessThan(1000)
  expect(warned).toEqual([])
})

it('ASYNC-007: drops an event after six tries, with a warning', async () => {
  const events = start()
  const first = events.waitFor('first', {})
  const began = performance.now()
  told.push(event('nobody'), event('first'))
  await first
  await soon(() => warned.length > 0)
  expect(warned).toEqual(['Nobody waits for the job nobody.'])
  // 100 + 200 + ... + 600
  expect(performance.now() - began).toBeGreaterThan(2000)
})

it('ASYNC-008: keeps the id of the last event and sends it', async () => {
  const first = event('a')
  told.push(first)
  await start().waitFor('a', {})
  const waiting = start().waitFor('b', {})
  await soon(() => asked.some(({ lastId }) => lastId === first.id))
  told.push(event('b'))
  await waiting
  expect(kept.get('last_async_event_id')).not.toBe(first.id)
})

it('ASYNC-011, ASYNC-012: polls with the delay, and only as long as somebody waits', async () => {
  const events = start({ pollingDelayMs: 500 })
  const waiting = events.waitFor('a', {})
  await soon(() => asked.length === 3)
  const gaps = asked.slice(1).map(({ at }, index) => at - asked[index]!.at)
  for (const gap of gaps) expect(gap).toBeGreaterThan(480)
  told.push(event('a'))
  await waiting
  const count = asked.length
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(asked.length).toBe(count)
})

it('ASYNC-011: takes events from a socket', async () => {
  const waiting = textOf(start({ transport: 'websocket' }).waitFor('a', {}))
  await soon(() => sockets.length === 1)
  sockets[0]!.socket.write(frame('no event'))
  sockets[0]!.socket.write(
    frame(
      JSON.stringify(event('a', { errors: [{ message: 'x'.repeat(200), error_type: '', level: '', extra: null }] })),
    ),
  )
  expect(await waiting).toContain('/a')
  expect([asked, warned]).toEqual([[], ['An event could not be read.']])
})

it('ASYNC-013, ASYNC-014: connects again after 2.5 s, six times, and polls then', async () => {
  takesSockets = false
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const waiting = textOf(start({ transport: 'websocket' }).waitFor('a', {}))
    for (let count = 1; count <= 7; count++) {
      await vi.waitUntil(() => sockets.length === count, { timeout: 5000 })
      // Its end is known a little later.
      await vi.waitUntil(() => vi.getTimerCount() > 0 || warned.length > 0, { timeout: 5000 })
      await vi.advanceTimersByTimeAsync(2400)
      expect(sockets.length).toBe(count)
      await vi.advanceTimersByTimeAsync(100)
    }
    vi.useRealTimers()
    told.push(event('a'))
    expect(await waiting).toContain('/a')
    expect([sockets.length, warned]).toEqual([7, ['The socket of events does not hold. Events are polled for.']])
  } finally {
    vi.useRealTimers()
  }
})

it('gives up when its caller does', async () => {
  const leave = new AbortController()
  const waiting = start().waitFor('a', { signal: leave.signal })
  leave.abort()
  await expect(waiting).rejects.toThrow('abort')
})
