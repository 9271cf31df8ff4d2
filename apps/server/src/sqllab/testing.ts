import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecuteMetadata, QueryView } from '@parquetry/model'
import type { Response } from 'light-my-request'
import { pino } from 'pino'
import { createRunners, type RunnersOptions } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer, type TestServerOptions, type TestUser } from '../testing.ts'

export interface TestLab {
  server: TestServer
  runners: Runners
  /** Id of a DuckDB database over `cars.csv`: 1,ä 2,b 3,c. */
  files: number
  run(sql: string, more?: object, user?: TestUser): Promise<Response>
  /** The query as `updated_since` returns it. */
  findQuery(clientId: string, user?: TestUser): Promise<QueryView>
  /** Waits until a query has a state. */
  until(clientId: string, state: string, user?: TestUser): Promise<QueryView>
  connect(body: object): Promise<number>
  close(): Promise<void>
}

export type ExecuteResult = ExecuteMetadata & { data: Record<string, unknown>[] }

let lastId = 0
export const newId = (): string => `t${process.pid % 10_000}x${++lastId}`

/**
 * Repeats a request until the database behind it, which may still be starting, is available. @throws Error with the last response
 */
export async function retryUntilStarted(ask: () => Promise<Response>): Promise<Response> {
  for (const end = performance.now() + 170_000; ;) {
    const response = await ask()
    if (response.statusCode < 300) return response
    if (performance.now() > end) throw new Error(response.body)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** A server with real runners and a database over a file; `connect` adds others. */
export async function startTestLab(
  options: TestServerOptions = {},
  own: Partial<RunnersOptions> = {},
): Promise<TestLab> {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-lab-'))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'cars.csv'), 'id,name\n1,ä\n2,b\n3,c\n')
  const runners = createRunners({
    log: pino({ level: 'silent' }),
    memoryLimitMb: 256,
    spillFolder: join(folder, 'spill'),
    ...own,
  })
  const server = await startTestServer({
    runners,
    ...options,
    settings: { ...options.settings, files: [folder, ...(options.settings?.files ?? [])] },
  })
  const connect: TestLab['connect'] = async (body) => {
    const response = await server.as('admin').post('/api/v1/database/', body)
    if (response.statusCode !== 201) throw new Error(response.body)
    return response.json<{ id: number }>().id
  }
  const files = await connect({
    database_name: 'files',
    sqlalchemy_uri: `duckdb:///${join(folder, 'files', 'cars.csv')}`,
    allow_ctas: true,
    allow_cvas: true,
    allow_run_async: true,
  })
  const lab: TestLab = {
    server,
    runners,
    files,
    connect,
    run: (sql, more = {}, user = 'admin') =>
      server.as(user).post('/api/v1/sqllab/execute/', { database_id: files, sql, ...more }),
    async findQuery(clientId, user = 'admin') {
      const response = await server.as(user).get('/api/v1/query/updated_since?q=(last_updated_ms:0)')
      const found = response.json<{ result: QueryView[] }>().result.find(({ id }) => id === clientId)
      if (!found) throw new Error(`no query ${clientId}`)
      return found
    },
    async until(clientId, state, user = 'admin') {
      const end = performance.now() + 15_000
      for (;;) {
        const query = await lab.findQuery(clientId, user)
        if (query.state === state) return query
        if (performance.now() > end) throw new Error(`still ${query.state}: ${query.errorMessage}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async close() {
      await server.close()
      await runners.close(0)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return lab
}
