import type { IncomingMessage, ServerResponse } from 'node:http'
import { cellAt } from '@parquetry/frame'
import { AppError, defaultLimits } from '@parquetry/model'
import { startFakeServer, type FakeServer } from '@parquetry/testing/fake-server'
import { errorCodeOf, readAll } from '@parquetry/testing/sessions'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SessionContext } from '../shared/driver.ts'
import { clickhouseDriver } from './driver.ts'

const servers: FakeServer[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) server.close()
})

/** Replies to the first request; the others are KILL QUERY. */
async function serve(reply: (response: ServerResponse, request: IncomingMessage) => void): Promise<FakeServer> {
  let isFirst = true
  const server = await startFakeServer((request, response) => {
    if (isFirst) reply(response, request)
    else response.end()
    isFirst = false
  })
  servers.push(server)
  return server
}

const open = ({ host, port }: FakeServer, context: Partial<SessionContext> = {}) =>
  clickhouseDriver.open(
    { host, port, database: 'd', username: 'u' },
    { schema: null, timeoutMs: 2000, allowDml: false, ...context },
  )

async function outcome(server: FakeServer, context: Partial<SessionContext> = {}): Promise<unknown> {
  const session = await open(server, context)
  try {
    const { frame } = await readAll(session, 'SELECT n')
    return Array.from({ length: frame.rows }, (_, row) => cellAt(frame.columns[0]!, row))
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : error
  } finally {
    await session.close()
  }
}

const head = '["n"]\n["UInt8"]\n'
const exception = `Code: 395. DB::Exception: Value passed to 'throwIf' is "non-zero" [1]. (FUNCTION_THROW_IF) (version 24.3.1.1 (official build))`
const body =
  (...pieces: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'X-ClickHouse-Format': 'JSONCompactEachRowWithNamesAndTypes' })
    const write = () => {
      const piece = pieces.shift()
      if (piece === undefined) return void response.end()
      // The reader runs in this process and receives each piece before the next one is written.
      response.write(piece, () => setImmediate(write))
    }
    write()
  }

describe('response body', () => {
  it('may arrive in pieces of any size', async () => {
    const text = `${head}[1]\n[null]\n[200]\n`
    expect(await outcome(await serve(body(...text)))).toEqual([1, null, 200])
  })

  it.each([
    ['as a server before 25.11 writes it', `[1]\n${exception}\n`],
    ['in the middle of a row', `[1]\n[2${exception}\n`],
    ['as JSON', `[1]\n{"exception": "${exception.replaceAll('"', '\\"')}"}\n`],
    ['in a frame of its own', `[1]\n\r\n__exception__\r\nabcdef\r\n${exception}\n150 abcdef\r\n__exception__\r\n`],
  ])('fails when it ends with an exception, %s', async (_, text) => {
    const expected = expect.stringMatching(
      /^query_failed: Value passed to 'throwIf' is \\?"non-zero\\?" \[1\]\. \(FUNCTION_THROW_IF\)/,
    )
    expect(await outcome(await serve(body(head + text)))).toEqual(expected)
    expect(await outcome(await serve(body(head, ...text)))).toEqual(expected)
  })

  it('does not return totals and extremes as rows', async () => {
    expect(await outcome(await serve(body(`${head}[1]\n[2]\n\n[3]\n\n[1]\n[2]\n`)))).toEqual([1, 2])
  })

  it.each([
    ['inside of a row', `${head}[1]\n[2`],
    ['with a word of something in between', `${head}[1]\n<html>504</html>\n`],
  ])('fails with connection_failed when it ends %s', async (_, text) => {
    expect(await outcome(await serve(body(text)))).toMatch(/^connection_failed/)
  })

  it('fails with connection_failed when the connection is cut', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'X-ClickHouse-Format': 'JSONCompactEachRowWithNamesAndTypes' })
      response.write(`${head}[1]\n`, () => setImmediate(() => response.destroy()))
    })
    expect(await outcome(server)).toMatch(/^connection_failed/)
    expect(server.requests).toEqual(['POST /', 'POST /'])
  })

  it('times out when it stalls, and the statement is killed', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'X-ClickHouse-Format': 'JSONCompactEachRowWithNamesAndTypes' })
      response.write(`${head}[1]\n`)
    })
    const session = await open(server, { timeoutMs: 1000 })
    const frames = session.run({ name: 'test', text: 'SELECT n', values: [] }, defaultLimits)[Symbol.asyncIterator]()
    expect((await frames.next()).value).toMatchObject({ rows: 1 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const next = frames.next().catch(errorCodeOf)
    await new Promise((resolve) => setImmediate(resolve))
    // The time limit, and two seconds for the server's own error.
    vi.advanceTimersByTime(3000)
    vi.useRealTimers()
    expect(await next).toBe('query_timeout')
    await session.close()
    expect(server.requests).toEqual(['POST /', 'POST /'])
  })

  it('is not buffered indefinitely without a line break', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'X-ClickHouse-Format': 'JSONCompactEachRowWithNamesAndTypes' })
      response.write(head)
      const more = () => {
        if (!response.destroyed && response.write('x'.repeat(1 << 20))) setImmediate(more)
        else response.once('drain', more)
      }
      more()
    })
    expect(await outcome(server, { timeoutMs: 60_000 })).toMatch(/^(result_too_large|connection_failed)/)
  })
})

it.each([
  ['a redirect', 307, { Location: 'http://127.0.0.1:1/' }, ''],
  ['an error of something else', 500, {}, 'oops'],
  ['a refusal of something else', 403, {}, '<html>no</html>'],
])('%s fails with connection_failed and no details', async (_, status, headers, text) => {
  const server = await serve((response) => void response.writeHead(status, headers).end(text))
  expect(await outcome(server)).toBe('connection_failed: Connection failed, please check your connection settings')
})

it('sends the credentials, and requests read-only mode without write permission', async () => {
  const seen = Promise.withResolvers<{ query: URLSearchParams; authorization: string | undefined }>()
  const server = await serve((response, request) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server')
    seen.resolve({ query: searchParams, authorization: request.headers.authorization })
    body(`${head}[1]\n`)(response)
  })
  expect(await outcome(server)).toEqual([1])
  const { query, authorization } = await seen.promise
  expect(Object.fromEntries(query)).toMatchObject({ readonly: '2', max_execution_time: '2', database: 'd' })
  expect(authorization).toBe(`Basic ${btoa('u:')}`)
})
