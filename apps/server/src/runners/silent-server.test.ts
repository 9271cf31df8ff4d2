import type { RequestListener } from 'node:http'
import type { Source } from '@parquetry/model'
import { startFakeServer, type FakeServer } from '@parquetry/testing/fake-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { code, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners({ cores: 1 })
})
afterAll(() => test.close())

/** A database that responds through `answer` and never completes other requests. */
async function silentDatabase(
  engine: string,
  settings: Record<string, unknown>,
  answer: RequestListener,
): Promise<{ server: FakeServer; source: Source }> {
  const server = await startFakeServer(answer)
  const { host, port } = server
  return {
    server,
    source: {
      kind: 'network',
      engine,
      id: 'silent',
      schema: null,
      settings: { host, port, username: 'lab', ...settings },
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

describe('a database that stops responding', () => {
  it.each(Object.entries(databases))(
    'regression: %s does not end a process with other queries when its query is stopped',
    async (_engine, open) => {
      const { server, source } = await open()
      const requests = source.engine === 'trino' ? 2 : 1
      const run = (signal: AbortSignal) =>
        test.runners.run(test.plan('SELECT 1', { source, guard: 'ours' }), signal).catch(code)
      const stopOther = new AbortController()
      const other = run(stopOther.signal)
      await until(() => server.requests.length === requests)
      const stop = new AbortController()
      const pending = run(stop.signal)
      await until(() => server.requests.length >= 2 * requests)
      stop.abort()
      expect(await pending).toBe('query_stopped')
      await until(() => test.runners.stats().running === 1)
      stopOther.abort()
      expect(await other).toBe('query_stopped')
      server.close()
    },
  )
})
