import type { ServerResponse } from 'node:http'
import { cellAt } from '@parquetry/frame'
import { AppError } from '@parquetry/model'
import { startFakeServer, type FakeServer } from '@parquetry/testing/fake-server'
import { readAll } from '@parquetry/testing/sessions'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SessionContext } from '../shared/driver.ts'
import { trinoDriver } from './driver.ts'

const servers: FakeServer[] = []
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const server of servers.splice(0)) server.close()
})

type Reply = (response: ServerResponse, base: string) => void

/** A server that gives these answers one after the other, and the last one again and again. Endings are not counted. */
async function serve(...replies: Reply[]): Promise<FakeServer> {
  let at = 0
  const server = await startFakeServer((request, response) => {
    if (request.method === 'DELETE') return void response.writeHead(204).end()
    const reply = replies[Math.min(at++, replies.length - 1)]
    reply?.(response, `http://${request.headers.host}`)
  })
  servers.push(server)
  return server
}

const json =
  (body: (base: string) => object, headers: Record<string, string> = {}): Reply =>
  (response, base) =>
    void response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body(base)))
const next = (base: string) => `${base}/v1/statement/executing/q/1`
const columns = [{ name: 'n', type: 'integer', typeSignature: { rawType: 'integer', arguments: [] } }]
const startedResponse = json((base) => ({ id: 'q', nextUri: next(base) }))
const rows = json(() => ({ id: 'q', columns, data: [[1]] }))
const status =
  (code: number, text = '', headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end(text)

const open = ({ host, port }: FakeServer, context: Partial<SessionContext> = {}) =>
  trinoDriver.open(
    { host, port, catalog: 'c', username: 'u' },
    { schema: null, timeoutMs: 2000, allowDml: true, ...context },
  )

async function outcome(server: FakeServer, context: Partial<SessionContext> = {}): Promise<unknown> {
  const session = await open(server, context)
  try {
    const { frame } = await readAll(session, 'SELECT 1 AS n')
    return cellAt(frame.columns[0]!, 0)
  } catch (error) {
    return error instanceof AppError ? error.code : error
  } finally {
    await session.close()
  }
}

describe('a server that is not well', () => {
  it.each([502, 503, 504])('is asked again while it answers %i', async (code) => {
    expect(await outcome(await serve(status(code), startedResponse, status(code), status(code), rows))).toBe(1)
  })

  it('is given up when it stays busy for the time of the question', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    let now = 0
    const server = await serve((response) => {
      clock.mockReturnValue((now += 16_000))
      status(503)(response, '')
    })
    // With the two seconds that the server has for its own words, the fourth answer comes too late.
    expect(await outcome(server, { timeoutMs: 60_000 })).toBe('connection_failed')
    expect(server.asked).toEqual(Array(4).fill('POST /v1/statement'))
  })

  it('is asked again for a page that was lost on the way, once', async () => {
    const lost: Reply = (response) => response.destroy()
    expect(await outcome(await serve(startedResponse, lost, rows))).toBe(1)
    expect(await outcome(await serve(startedResponse, lost, lost, rows))).toBe('connection_failed')
  })

  it('gets no statement twice whose answer was lost', async () => {
    const server = await serve((response) => response.destroy())
    expect(await outcome(server)).toBe('connection_failed')
    expect(server.asked).toEqual(['POST /v1/statement'])
  })

  it('that breaks off in the middle of each answer is an error, and no short result', async () => {
    const half: Reply = (response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('{"id": "q", "data": [[1]', () => setImmediate(() => response.destroy()))
    }
    const server = await serve(startedResponse, half)
    expect(await outcome(server)).toBe('connection_failed')
    expect(server.asked.at(-1)).toBe('DELETE /v1/statement/executing/q/1')
  })

  it('that never answers costs the time limit and no more, and is told to stop', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const late = new AbortController()
      setTimeout(() => late.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms)
      return late.signal
    })
    const server = await serve(startedResponse, () => {})
    const asked = outcome(server, { timeoutMs: 1000 })
    await expect.poll(() => server.asked.length).toBe(2)
    // The limit, and two seconds for the words of the server.
    vi.advanceTimersByTime(3000)
    expect(await asked).toBe('query_timeout')
    expect(server.asked.at(-1)).toBe('DELETE /v1/statement/executing/q/1')
  })

  it('that has no workers yet is asked again', async () => {
    const none = json(() => ({
      id: 'q',
      error: { errorName: 'NO_NODES_AVAILABLE', errorType: 'INSUFFICIENT_RESOURCES', message: 'No nodes' },
    }))
    const started = json(() => ({ id: 'q' }), { 'X-Trino-Started-Transaction-Id': 't' })
    const ended = json(() => ({ id: 'q' }), { 'X-Trino-Clear-Transaction-Id': 'true' })
    expect(await outcome(await serve(started, none, ended, started, rows, ended), { allowDml: false })).toBe(1)
  })
})

describe('an answer of something else', () => {
  it.each([
    ['a redirect', status(307, '', { Location: 'http://127.0.0.1:1/v1/statement' })],
    ['a page', status(200, '<html></html>')],
    ['JSON of another kind', status(200, '{"a": 1}')],
    ['nothing', status(200)],
    ['an error', status(500, 'oops')],
    ['a refusal', status(403, 'no')],
  ])('%s is a connection that failed, and says no more', async (_, reply) => {
    const server = await serve(reply)
    const session = await open(server)
    await expect(readAll(session, 'SELECT 1')).rejects.toMatchObject({
      code: 'connection_failed',
      message: 'Connection failed, please check your connection settings',
    })
    await session.close()
    expect(server.asked).toEqual(['POST /v1/statement'])
  })

  it('asks for another password when it is refused', async () => {
    expect(await outcome(await serve(status(401, 'Unauthorized')))).toBe('connection_password')
  })

  it('that sends us to another server is not followed', async () => {
    const other = await serve(rows)
    const server = await serve(json(() => ({ id: 'q', nextUri: `http://${other.host}:${other.port}/v1/statement/x` })))
    expect(await outcome(server)).toBe('connection_failed')
    expect(other.asked).toEqual([])
  })
})

it('ends a statement that was stopped before the server said its address', async () => {
  const late = Promise.withResolvers<void>()
  const server = await serve((response, base) => void late.promise.then(() => startedResponse(response, base)))
  const session = await open(server)
  const reading = readAll(session, 'SELECT 1').catch((error: AppError) => error.code)
  await expect.poll(() => server.asked).toEqual(['POST /v1/statement'])
  await session.cancel()
  expect(await reading).toBe('query_stopped')
  late.resolve()
  await expect.poll(() => server.asked.at(-1)).toBe('DELETE /v1/statement/executing/q/1')
  await session.close()
})
