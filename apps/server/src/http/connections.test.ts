import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

/** Interval at which Node.js checks for late headers; missing in its types. */
interface CheckedServer {
  connectionsCheckingInterval: number
}

let server: TestServer
let sockets: Socket[]
beforeEach(async () => {
  server = await startTestServer()
  sockets = []
  await server.app.http.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const socket of sockets) socket.destroy()
  await server.close()
})

const port = () => (server.app.http.server.address() as AddressInfo).port
const ask = async () => (await fetch(`http://127.0.0.1:${port()}/health`, { headers: { connection: 'close' } })).status

async function open(count: number, sent = ''): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () =>
    connect(port(), '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  )
  sockets.push(...opened)
  await Promise.all(opened.map((socket) => once(socket, 'connect')))
  for (const socket of opened) socket.write(sent)
  return opened
}

it('regression: idle connections do not block others from the same address', async () => {
  const opened = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(opened)
  const silent = await open(200, 'GET /health HTTP/1.1\r\n')
  expect(await ask()).toBe(503)
  clock.mockReturnValue(opened + 999)
  expect(await ask()).toBe(503)
  clock.mockReturnValue(opened + 1000)
  expect(await ask()).toBe(200)
  await expect.poll(() => silent.filter((socket) => !socket.closed).length).toBe(49)
})

it('regression: closes connections with unfinished headers in time', async () => {
  const { headersTimeout, connectionsCheckingInterval } = server.app.http.server as Server & CheckedServer
  expect(headersTimeout).toBe(10_000)
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThan(15_000)
  server.app.http.server.headersTimeout = 100
  const [slow] = await open(1, 'GET /health HTTP/1.1\r\nX-Slow: ')
  await once(slow as Socket, 'close')
})
