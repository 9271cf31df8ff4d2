import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sendPieces } from './send-pieces.ts'

const http = fastify()
let released: Buffer[] = []
let isOver = false
let failsAt = Infinity
let most = 40

/** Pieces like those of the runners: 256 KB in memory of their own. */
async function* pieces() {
  try {
    for (let index = 0; index < most; index++) {
      if (index === failsAt) throw new Error('the engine has gone')
      const piece = Buffer.allocUnsafeSlow(262_144).fill(index)
      released.push(piece)
      yield piece
    }
  } finally {
    isOver = true
  }
}
http.get('/file', (_, reply) => sendPieces(reply.type('text/csv').header('X-Own', 'kept'), pieces()))

let url = ''
beforeAll(async () => {
  await http.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/file`
})
afterAll(() => http.close())
beforeEach(() => {
  released = []
  isOver = false
  failsAt = Infinity
  most = 40
})
const openResponse = async (): Promise<IncomingMessage> => {
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage]
  return answer
}

it('sends all pieces in order with the headers of the response', async () => {
  const response = await fetch(url)
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-own')]).toEqual([
    200,
    'text/csv',
    'kept',
  ])
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.equals(Buffer.concat(Array.from({ length: 40 }, (_, index) => Buffer.alloc(262_144, index))))).toBe(true)
})

it('releases the memory of a piece once it is written, so that a large response leaves nothing to collect', async () => {
  await (await fetch(url)).arrayBuffer()
  expect(released.map(({ buffer }) => buffer.byteLength)).toEqual(Array.from({ length: 40 }, () => 0))
})

it('reads no more than a slow client accepts, and stops when it disconnects', async () => {
  most = 100_000
  const response = await openResponse()
  response.pause()
  await once(response, 'readable')
  while (released.length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(released.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(1)
  response.destroy()
  while (!isOver) await new Promise((resolve) => setImmediate(resolve))
  expect(released.length).toBeLessThan(most)
})

it('responds with the error of the first piece', async () => {
  failsAt = 0
  const response = await fetch(url)
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
    500,
    'the engine has gone',
  ])
})

it('aborts the response when a later piece fails, so that it is not mistaken for complete', async () => {
  failsAt = 3
  const response = await openResponse()
  await expect(response.toArray()).rejects.toThrow('aborted')
  expect(isOver).toBe(true)
})
