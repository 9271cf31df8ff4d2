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

/** A server that sends these responses in order and repeats the last one. DELETE requests are not counted. */
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

describe('an unhealthy server', () => {
  it.each([502, 503, 504])('is retried while it responds with %i', async (code) => {
    expect(await outcome(await serve(status(code), startedResponse, status(code), status(code), rows))).toBe(1)
  })

  it('is given up when it stays busy for the time limit of the query', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    let now = 0
    const server = await serve((response) => {
      clock.mockReturnValue((now += 16_000))
      status(503)(response, '')
    })
    // With the two extra seconds for the server's own error, the fourth response is too late.
    expect(await outcome(server, { timeoutMs: 60_000 })).toBe('connection_failed')
    expect(server.requests).toEqual(Array(4).fill('POST /v1/statement'))
  })

  it('is retried once for a lost page', async () => {
    const lost: Reply = (response) => response.destroy()
    expect(await outcome(await serve(startedResponse, lost, rows))).toBe(1)
    expect(await outcome(await serve(startedResponse, lost, lost, rows))).toBe('connection_failed')
  })

  it('never receives a statement twice when its response was lost', async () => {
    const server = await serve((response) => response.destroy())
    expect(await outcome(server)).toBe('connection_failed')
    expect(server.requests).toEqual(['POST /v1/statement'])
  })

  it('causes an error instead of a short result when it breaks off every response', async () => {
    const half: Reply = (response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('{"id": "q", "data": [[1]', () => setImmediate(() => response.destroy()))
    }
    const server = await serve(startedResponse, half)
    expect(await outcome(server)).toBe('connection_failed')
    expect(server.requests.at(-1)).toBe('DELETE /v1/statement/executing/q/1')
  })

  it('causes a timeout when it never responds, and the query is deleted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const late = new AbortController()
      setTimeout(() => late.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms)
      return late.signal
    })
    const server = await serve(startedResponse, () => {})
    const pending = outcome(server, { timeoutMs: 1000 })
    await expect.poll(() => server.requests.length).toBe(2)
    // The time limit, and two seconds for the server's own error.
    vi.advanceTimersByTime(3000)
    expect(await pending).toBe('query_timeout')
    expect(server.requests.at(-1)).toBe('DELETE /v1/statement/executing/q/1')
  })

  it('is retried while it has no workers', async () => {
    const none = json(() => ({
      id: 'q',
      error: { errorName: 'NO_NODES_AVAILABLE', errorType: 'INSUFFICIENT_RESOURCES', message: 'No nodes' },
    }))
    const started = json(() => ({ id: 'q' }), { 'X-Trino-Started-Transaction-Id': 't' })
    const ended = json(() => ({ id: 'q' }), { 'X-Trino-Clear-Transaction-Id': 'true' })
    expect(await outcome(await serve(started, none, ended, started, rows, ended), { allowDml: false })).toBe(1)
  })
})

describe('an unexpected response', () => {
  it.each([
    ['a redirect', status(307, '', { Location: 'http://127.0.0.1:1/v1/statement' })],
    ['a page', status(200, '<html></html>')],
    ['JSON of another kind', status(200, '{"a": 1}')],
    ['nothing', status(200)],
    ['an error', status(500, 'oops')],
    ['a refusal', status(403, 'no')],
  ])('%s fails with connection_failed and no details', async (_, reply) => {
    const server = await serve(reply)
    const session = await open(server)
    await expect(readAll(session, 'SELECT 1')).rejects.toMatchObject({
      code: 'connection_failed',
      message: 'Connection failed, please check your connection settings',
    })
    await session.close()
    expect(server.requests).toEqual(['POST /v1/statement'])
  })

  it('of status 401 fails with connection_password', async () => {
    expect(await outcome(await serve(status(401, 'Unauthorized')))).toBe('connection_password')
  })

  it('with a link to another server is not followed', async () => {
    const other = await serve(rows)
    const server = await serve(json(() => ({ id: 'q', nextUri: `http://${other.host}:${other.port}/v1/statement/x` })))
    expect(await outcome(server)).toBe('connection_failed')
    expect(other.requests).toEqual([])
  })
})

it('ends a statement that was stopped before the server returned its address', async () => {
  const late = Promise.withResolvers<void>()
  const server = await serve((response, base) => void late.promise.then(() => startedResponse(response, base)))
  const session = await open(server)
  const reading = readAll(session, 'SELECT 1').catch((error: AppError) => error.code)
  await expect.poll(() => server.requests).toEqual(['POST /v1/statement'])
  await session.cancel()
  expect(await reading).toBe('query_stopped')
  late.resolve()
  await expect.poll(() => server.requests.at(-1)).toBe('DELETE /v1/statement/executing/q/1')
  await session.close()
})
