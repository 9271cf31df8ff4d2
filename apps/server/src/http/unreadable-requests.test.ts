import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

/** Sends bytes over a new connection. @returns the status and the JSON body of the response */
async function send(bytes: string): Promise<[status: number, body: unknown]> {
  const socket = connect((server.app.http.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/content-type: application\/json/i)
  return [Number(head.split(' ')[1]), JSON.parse(body)]
}

const errorWith = (message: RegExp): object => ({
  errors: [{ message: expect.stringMatching(message) as string, error_type: expect.any(String) as string }],
})

it('an address that is too long is answered with 431 and an error that says what to do', async () => {
  const [status, body] = await send(`GET /health?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  expect(status).toBe(431)
  expect(body).toMatchObject(errorWith(/too long\. Shorten the address/))
})

it('bytes that are not HTTP are answered with 400', async () => {
  const [status, body] = await send('this is not HTTP\r\n\r\n')
  expect(status).toBe(400)
  expect(body).toMatchObject(errorWith(/not valid/))
})

it('headers that do not arrive are answered with 408', async () => {
  server.app.http.server.headersTimeout = 100
  const [status, body] = await send('GET /health HTTP/1.1\r\nX-Slow: ')
  expect(status).toBe(408)
  expect(body).toMatchObject(errorWith(/did not arrive in time/))
})
