import { defineRoute, type RouteContract } from '@parquetry/model'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { defaultConfig } from '../settings/config.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing.ts'
import { serve } from './serve.ts'

const route = (path: string, more: Partial<RouteContract>) =>
  defineRoute({
    method: 'GET',
    path,
    summary: 'Lasts until the test ends it',
    body: 'none',
    reply: 'bytes',
    can: 'signed-in',
    object: 'none',
    rate: 'query',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: [],
    ...more,
  })

let server: TestServer
let url: string
const tokens = new Map<TestUser, string>()
/** Functions that end the calls in progress, by the name of the call. */
const running = new Map<string, () => void>()

/** Two calls of one user and kind may be in progress. */
beforeAll(async () => {
  server = await startTestServer({
    settings: { config: { ...defaultConfig, API_CALLS_PER_USER: 2 } },
    routes(app) {
      for (const [path, more] of [
        ['/test/query', {}],
        ['/test/write', { rate: 'write' }],
        ['/test/events', { isEndless: true }],
      ] as const)
        serve(app, route(path, more), async ({ request }) => {
          const { name } = request.query as { name: string }
          await new Promise<void>((resolve) => running.set(name, resolve))
          running.delete(name)
          return Buffer.from(name)
        })
    },
  })
  await server.app.http.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(server.app.http.server.address() as AddressInfo).port}`
  for (const user of ['admin', 'gamma'] as const) {
    const payload = { username: user, password: user, provider: 'db' }
    const response = await server.app.http.inject({ method: 'POST', url: '/api/v1/security/login', payload })
    tokens.set(user, response.json<{ access_token: string }>().access_token)
  }
})
afterAll(() => server.close())
/** Calls without a response. */
const sent = new Set<Promise<number>>()
/** Calls that wait begin when others end. */
afterEach(async () => {
  while (sent.size > 0) {
    for (const end of running.values()) end()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})

/** Sends a call and returns its status; 0 when the client has disconnected. */
function send(user: TestUser, path: string, name: string, signal?: AbortSignal): Promise<number> {
  const call = fetch(`${url}/test/${path}?name=${name}`, {
    headers: { authorization: `Bearer ${tokens.get(user)}` },
    ...(signal && { signal }),
  }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  sent.add(call)
  void call.finally(() => sent.delete(call))
  return call
}
const names = () => [...running.keys()].toSorted().join(' ')
/** Waits for calls to be in progress, and for all others that were sent before to have reached the server. */
async function expectRunning(expected: string): Promise<void> {
  await expect.poll(names).toBe(expected)
  await fetch(`${url}/health`)
  await fetch(`${url}/health`)
  expect(names()).toBe(expected)
}

it('lets further calls of a user wait in order, and calls of other users proceed', async () => {
  const calls = []
  for (const name of ['a1', 'a2', 'a3', 'a4']) {
    calls.push(send('admin', 'query', name))
    await fetch(`${url}/health`)
  }
  await expectRunning('a1 a2')
  const other = send('gamma', 'query', 'b1')
  await expectRunning('a1 a2 b1')
  running.get('a1')?.()
  await expectRunning('a2 a3 b1')
  for (const name of ['a2', 'a3', 'b1']) running.get(name)?.()
  await expectRunning('a4')
  running.get('a4')?.()
  expect(await Promise.all([...calls, other])).toEqual([200, 200, 200, 200, 200])
})

it('does not delay writes by queries, or anything by streams of events', async () => {
  const calls = ['e1', 'e2', 'e3'].map((name) => send('admin', 'events', name))
  calls.push(...['q1', 'q2', 'q3'].map((name) => send('admin', 'query', name)))
  await expect.poll(() => running.size).toBe(5)
  calls.push(send('admin', 'write', 'w1'))
  await expect.poll(names).toMatch(/^e1 e2 e3 q\d q\d w1$/)
})

it('drops a waiting call when its client disconnects, and keeps the slot of a call that still works', async () => {
  const [working, waiting] = [new AbortController(), new AbortController()]
  const first = send('admin', 'query', 'a1', working.signal)
  void send('admin', 'query', 'a2')
  await expectRunning('a1 a2')
  const dropped = send('admin', 'query', 'a3', waiting.signal)
  await expectRunning('a1 a2')
  waiting.abort()
  expect(await dropped).toBe(0)
  working.abort()
  expect(await first).toBe(0)
  const last = send('admin', 'query', 'a4')
  // The handler of the first call has not returned, although its client has left.
  await expectRunning('a1 a2')
  running.get('a1')?.()
  await expectRunning('a2 a4')
  running.get('a4')?.()
  expect(await last).toBe(200)
})
