import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Source } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { code, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners({ cores: 1 })
})
afterAll(() => test.close())

interface Silent {
  source: Source
  asked: string[]
  close(): void
}

/** A database that answers as `answer` says, and whatever that leaves unanswered for ever. */
async function silentDatabase(
  engine: string,
  settings: Record<string, unknown>,
  answer: RequestListener,
): Promise<Silent> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    source: {
      kind: 'network',
      engine,
      id: 'silent',
      schema: null,
      settings: { host: '127.0.0.1', port, username: 'lab', ...settings },
    },
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const databases = {
  clickhouse: () => silentDatabase('clickhouse', { database: 'default' }, () => {}),
  trino: () =>
    silentDatabase('trino', { catalog: 'memory' }, ({ method, headers }, response) => {
      if (method === 'POST')
        response.end(JSON.stringify({ id: 'q', nextUri: `http://${headers.host}/v1/statement/q/1` }))
    }),
}

describe('a server that falls silent', () => {
  it.each(Object.entries(databases))(
    'regression: %s ends no process in which others work when its query is stopped',
    async (_engine, open) => {
      const { source, asked, close } = await open()
      const requests = source.engine === 'trino' ? 2 : 1
      const run = (signal: AbortSignal) =>
        test.runners.run(test.plan('SELECT 1', { source, guard: 'ours' }), signal).catch(code)
      const stopOther = new AbortController()
      const other = run(stopOther.signal)
      await until(() => asked.length === requests)
      const stop = new AbortController()
      const asking = run(stop.signal)
      await until(() => asked.length >= 2 * requests)
      stop.abort()
      expect(await asking).toBe('query_stopped')
      await until(() => test.runners.stats().running === 1)
      stopOther.abort()
      expect(await other).toBe('query_stopped')
      close()
    },
  )
})
