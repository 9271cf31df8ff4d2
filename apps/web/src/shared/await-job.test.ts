import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** Calls of the page, polls that return no event yet, and the browser's storage. */
let calls: string[]
let silent: number
let stored: Map<string, string>
beforeEach(() => void ([calls, silent, stored] = [[], 0, new Map()]))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

function answer(path: string): Response {
  if (path === '/api/v1/chart/data')
    return Response.json({ job_id: 'j', status: 'pending', result_url: null }, { status: 202 })
  if (!path.startsWith('/api/v1/async_event/')) return Response.json({ of: path })
  const event = { id: '7-0', job_id: 'j', status: 'done', errors: [], result_url: '/api/v1/chart/data/of-the-job' }
  return Response.json({ result: silent-- > 0 ? [] : [event] })
}

/** Loads the API of a page with these server settings. */
async function pageWith(conf: Record<string, unknown>): Promise<typeof import('./api.ts')> {
  const textContent = JSON.stringify({ user: {}, common: { conf, locale: 'en', feature_flags: {} } })
  vi.stubGlobal('document', { getElementById: () => ({ textContent }), querySelector: () => null })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  })
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    calls.push(`${method} ${path}`)
    return answer(path)
  })
  return import('./api.ts')
}
const ask = ({ api }: typeof import('./api.ts')) => api.post('/api/v1/chart/data', { body: {} })

it('ASYNC-003, ASYNC-008, ASYNC-009: a 202 of chart data is a job, polled until its result can be fetched', async () => {
  const page = await pageWith({})
  expect(await ask(page)).toEqual({ of: '/api/v1/chart/data/of-the-job' })
  expect(calls).toEqual(['POST /api/v1/chart/data', 'GET /api/v1/async_event/', 'GET /api/v1/chart/data/of-the-job'])
  expect([...stored]).toEqual([['last_async_event_id', '7-0']])
  await ask(page)
  expect(calls[4]).toBe('GET /api/v1/async_event/?last_id=7-0')
})

it('ASYNC-010: a 200 is the result', async () => {
  const page = await pageWith({})
  const answered = await page.send({ method: 'POST', url: '/api/v1/chart/data/', headers: {} })
  expect(await answered.json()).toEqual({ of: '/api/v1/chart/data/' })
  expect(calls).toEqual(['POST /api/v1/chart/data/'])
})

it.each([
  ['500 ms where the server says nothing', {}, 500],
  ['what the server says', { GLOBAL_ASYNC_QUERIES_POLLING_DELAY: 1200 }, 1200],
])('ASYNC-011, ASYNC-012: the interval between two polls is %s', async (_what, conf, ms) => {
  const page = await pageWith(conf)
  silent = 1
  await import('./await-job.ts')
  vi.useFakeTimers()
  const answered = ask(page)
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(calls).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(await answered).toEqual({ of: '/api/v1/chart/data/of-the-job' })
  expect(calls).toHaveLength(4)
})

it.each([
  ['ws', 'ws://events.example.com/', 'ws://events.example.com/'],
  ['websocket', 'ws://events.example.com/', 'ws://events.example.com/'],
  ['ws', null, 'wss://here.example.com/api/v1/async_event/ws'],
])('ASYNC-011: the transport %s to %s opens a socket and does not poll', async (name, configured, address) => {
  vi.stubGlobal('location', { href: 'https://here.example.com/superset/dashboard/1/' })
  const page = await pageWith({
    GLOBAL_ASYNC_QUERIES_TRANSPORT: name,
    GLOBAL_ASYNC_QUERIES_WEBSOCKET_URL: configured,
  })
  const opened = new Promise<string>((resolve) => {
    class Socket extends EventTarget {
      constructor(address: URL) {
        super()
        resolve(address.href)
        const event = { id: '8-0', job_id: 'j', status: 'done', errors: [], result_url: '/by-socket' }
        setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) })))
      }
    }
    vi.stubGlobal('WebSocket', Socket)
  })
  expect(await ask(page)).toEqual({ of: '/by-socket' })
  expect(await opened).toBe(address)
  expect(calls).toEqual(['POST /api/v1/chart/data', 'GET /by-socket'])
})
