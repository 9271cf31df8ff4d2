import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { AsyncEvent } from '@parquetry/model'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AsyncEvents } from './async-events.ts'

type Options = ConstructorParameters<typeof AsyncEvents>[0]

let server: Server
let base: string
/** Server state: pending events, received requests, and open sockets. */
let serverEvents: AsyncEvent[]
let polls: { at: number; lastId: string | null }[]
let sockets: { at: number; lastId: string | null; socket: Socket }[]
let stored: Map<string, string>
let warned: string[]
let open: InstanceType<typeof AsyncEvents>[]

beforeEach(async () => {
  ;[serverEvents, polls, sockets, stored, warned, open] = [[], [], [], new Map(), [], []]
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (url.pathname === '/events') {
      polls.push({ at: performance.now(), lastId: url.searchParams.get('last_id') })
      response.end(JSON.stringify({ result: serverEvents.splice(0) }))
    } else response.end(`result of ${url.pathname}`)
  })
  server.on('upgrade', (request, socket: Socket) => {
    const url = new URL(request.url ?? '', 'http://x')
    sockets.push({ at: performance.now(), lastId: url.searchParams.get('last_id'), socket })
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
  vi.unstubAllGlobals()
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
      const response = await fetch(`http://${base}/events${lastId === null ? '' : `?last_id=${lastId}`}`)
      return ((await response.json()) as { result: AsyncEvent[] }).result
    },
    fetchResult: (url) => fetch(`http://${base}${url}`),
    storage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => void stored.set(name, value) },
    warn: (text) => void warned.push(text),
    failed: 'Query failed.',
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
const readText = async (response: Promise<Response>): Promise<string> => (await response).text()
/** Encodes a text frame of a WebSocket server. */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 255]), Buffer.from(text)])
const soon = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 20_000, interval: 5 })

it('ASYNC-001, ASYNC-002, ASYNC-003: fetches the result of each job from the URL of its event', async () => {
  const events = start()
  const both = [readText(events.waitFor('a', {})), readText(events.waitFor('b', {}))]
  serverEvents.push(event('b'), event('a'))
  expect(await Promise.all(both)).toEqual(['result of /results/a', 'result of /results/b'])
})

it('ASYNC-004: rejects with the error of the job', async () => {
  const waiting = start().waitFor('a', {})
  const extra = { issue_codes: [{ code: 1002, message: 'Issue 1002' }] }
  serverEvents.push(
    event('a', { status: 'error', errors: [{ message: 'no such table', error_type: 'X', level: 'error', extra }] }),
  )
  await expect(waiting).rejects.toMatchObject({
    name: 'ApiError',
    message: 'no such table',
    errors: [{ error_type: 'X' }],
  })
})

it('ASYNC-005: warns about an unknown status and continues waiting', async () => {
  const waiting = readText(start().waitFor('a', {}))
  serverEvents.push(event('a', { status: 'odd' as 'done' }), event('a'))
  expect(await waiting).toContain('/a')
  expect(warned).toEqual(['Unknown status of an event: odd'])
})

/** Uses fake timers and in-process responses: HTTP requests would wait for the fake clock too. */
async function byTheClock(
  then: (events: AsyncEvents, fetched: string[]) => Promise<void>,
  transport: Options['transport'] = 'polling',
): Promise<void> {
  vi.useFakeTimers()
  try {
    const fetched: string[] = []
    const events = start({
      transport,
      pollingDelayMs: 500,
      fetchEvents: async (lastId) => {
        polls.push({ at: Date.now(), lastId })
        return serverEvents.splice(0)
      },
      fetchResult: async (url) => {
        fetched.push(url)
        return new Response(`result of ${url}`)
      },
    })
    await then(events, fetched)
  } finally {
    vi.useRealTimers()
  }
}

/** An event of the job `late` has just arrived without a listener. */
const withLateEvent = (then: (events: AsyncEvents, fetched: string[]) => Promise<void>) =>
  byTheClock(async (events, fetched) => {
    serverEvents.push(event('late'), event('first'))
    await events.waitFor('first', {})
    await then(events, fetched)
  })

it.each([1, 2, 3, 4, 5, 6])(
  'ASYNC-006: an event without a listener is retried, attempt %i after 100 ms times its number',
  async (attempt) => {
    await withLateEvent(async (events, fetched) => {
      for (let before = 1; before < attempt; before++) await vi.advanceTimersByTimeAsync(100 * before)
      const waiting = readText(events.waitFor('late', {}))
      await vi.advanceTimersByTimeAsync(100 * attempt - 1)
      expect(fetched).toEqual(['/results/first'])
      await vi.advanceTimersByTimeAsync(1)
      expect(fetched).toEqual(['/results/first', '/results/late'])
      expect([await waiting, warned]).toEqual(['result of /results/late', []])
    })
  },
)

it('ASYNC-007: drops an event after six tries, with a warning', async () => {
  await withLateEvent(async () => {
    await vi.advanceTimersByTimeAsync(100 + 200 + 300 + 400 + 500 + 600 - 1)
    expect(warned).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(warned).toEqual(['Nobody waits for the job late.'])
  })
})

it('ASYNC-008: stores the id of the last event and sends it', async () => {
  const first = event('a')
  serverEvents.push(first)
  await start().waitFor('a', {})
  const waiting = start().waitFor('b', {})
  await soon(() => polls.some(({ lastId }) => lastId === first.id))
  serverEvents.push(event('b'))
  await waiting
  expect(stored.get('last_async_event_id')).not.toBe(first.id)
})

it('ASYNC-011, ASYNC-012: polls at the configured delay, and only while a job is awaited', async () => {
  await byTheClock(async (events) => {
    const waiting = events.waitFor('a', {})
    const began = Date.now()
    await vi.advanceTimersByTimeAsync(1100)
    serverEvents.push(event('a'))
    await vi.advanceTimersByTimeAsync(5000)
    await waiting
    expect(polls.map(({ at }) => at - began)).toEqual([0, 500, 1000, 1500])
  })
})

it('ASYNC-011: receives events from a socket', async () => {
  const waiting = readText(start({ transport: 'websocket' }).waitFor('a', {}))
  await soon(() => sockets.length === 1)
  sockets[0]!.socket.write(frame('no event'))
  sockets[0]!.socket.write(
    frame(
      JSON.stringify(event('a', { errors: [{ message: 'x'.repeat(200), error_type: '', level: '', extra: null }] })),
    ),
  )
  expect(await waiting).toContain('/a')
  expect([polls, warned]).toEqual([[], ['An event could not be read.']])
})

it('ASYNC-013, ASYNC-014: reconnects after 2.5 s, six times, and then polls', async () => {
  const opened: number[] = []
  class ClosedSocket extends EventTarget {
    constructor() {
      super()
      opened.push(Date.now())
      queueMicrotask(() => this.dispatchEvent(new Event('close')))
    }
  }
  vi.stubGlobal('WebSocket', ClosedSocket)
  await byTheClock(async (events, fetched) => {
    const began = Date.now()
    const waiting = events.waitFor('a', {})
    await vi.advanceTimersByTimeAsync(14_999)
    expect([warned, polls]).toEqual([[], []])
    serverEvents.push(event('a'))
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened.map((index) => index - began)).toEqual([0, 2500, 5000, 7500, 10_000, 12_500, 15_000])
    expect([fetched, warned]).toEqual([['/results/a'], ['The socket of events does not hold. Events are polled for.']])
  }, 'websocket')
})

it('regression: a socket that closes while no job is awaited opens again only for the next one', async () => {
  await byTheClock(async (events) => {
    const sockets: EventTarget[] = []
    class OpenSocket extends EventTarget {
      constructor() {
        super()
        sockets.push(this)
      }
      close(): void {}
    }
    vi.stubGlobal('WebSocket', OpenSocket)
    const leave = new AbortController()
    const first = events.waitFor('a', { signal: leave.signal })
    leave.abort()
    await expect(first).rejects.toThrow('abort')
    sockets[0]!.dispatchEvent(new Event('close'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sockets).toHaveLength(1)
    events.waitFor('b', {}).catch(() => {})
    expect(sockets).toHaveLength(2)
  }, 'websocket')
})

it('rejects when its caller aborts', async () => {
  const leave = new AbortController()
  const waiting = start().waitFor('a', { signal: leave.signal })
  leave.abort()
  await expect(waiting).rejects.toThrow('abort')
})
