import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppError, defaultLimits, type EmbeddedTable, type Limits, type Plan, type Source } from '@parquetry/model'
import { pino } from 'pino'
import { createRunners, type RunnersOptions } from './create-runners.ts'
import type { Runners } from './runners.ts'

type Embedded = Extract<Source, { kind: 'embedded' }>

export interface TestRunners {
  runners: Runners
  /** An embedded database with two tables: `numbers` (`i` from 0 to 299,999 and its text `t`) and `words` (`a`, `b`). */
  source: Embedded
  /** Folder of the table files; `secret.csv` and `secret.duckdb` are beside it. */
  folder: string
  spillFolder: string
  plan(sql: string | string[], own?: Partial<Omit<Plan, 'limits'>> & { limits?: Partial<Limits> }): Plan
  /** The rows of a query. */
  ask(sql: string, own?: Parameters<TestRunners['plan']>[1]): Promise<Record<string, unknown>[]>
  pids(kind: string): number[]
  close(): Promise<void>
}

export const neverAborted: AbortSignal = new AbortController().signal

export const code = (error: unknown): unknown => (error as AppError).code ?? error

/** Starts runner processes like those of a server, with temporary files. */
export async function startTestRunners(own: Partial<RunnersOptions> = {}): Promise<TestRunners> {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-runners-'))
  const folder = join(home, 'data')
  const spillFolder = join(home, 'spill')
  mkdirSync(folder)
  const runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 512, spillFolder, cores: 2, ...own })
  const path = join(home, 'secret.csv')
  writeFileSync(path, 'secret\nhidden\n')
  const selects = {
    numbers: `SELECT range AS i, 'text ' || range AS t FROM range(300000)`,
    words: `SELECT 'a' || range AS a, 'b' AS b FROM range(3)`,
  }
  const tables: EmbeddedTable[] = []
  for (const [name, select] of Object.entries(selects)) {
    const table: EmbeddedTable = { name, file: `${name}.1.duckdb`, version: 1, format: 'duckdb', table: 'data' }
    await runners.load(folder, table, { path, format: 'csv', select }, neverAborted)
    tables.push(table)
  }
  const secret: EmbeddedTable = { name: 'secret', file: 'secret.duckdb', version: 1, format: 'duckdb', table: 'data' }
  await runners.load(home, secret, { path, format: 'csv', select: null }, neverAborted)
  const source: Embedded = { kind: 'embedded', engine: 'duckdb', id: 'test', folder, tables }
  const plan: TestRunners['plan'] = (sql, { limits, ...rest } = {}) => ({
    source,
    statements: [sql].flat().map((text, index) => ({ name: `statement ${index + 1}`, text, values: [] })),
    joins: [],
    steps: [],
    columns: [],
    encode: { as: 'rows', times: 'ms' },
    limits: { ...defaultLimits, ...limits },
    guard: 'user-sql',
    ...rest,
  })
  return {
    runners,
    source,
    folder,
    spillFolder,
    plan,
    ask: async (sql, rest) =>
      JSON.parse((await runners.run(plan(sql, rest), neverAborted)).body.toString()) as Record<string, unknown>[],
    pids: (kind) => runners.stats().runners.flatMap((runner) => (runner.kind === kind ? [runner.pid] : [])),
    async close() {
      await runners.close(0)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** @param application_name  identifies its sessions */
export function networkSource(url: string, application_name: string): Source {
  const { hostname, port, username, password, pathname } = new URL(url)
  const settings = { host: hostname, port: Number(port), database: pathname.slice(1), username, password }
  const query = { application_name }
  return { kind: 'network', engine: 'postgresql', id: 'network', settings: { ...settings, query }, schema: null }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean, withinMs = 25_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not so after ${withinMs} ms: ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
