import type { Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, Limits, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { maxFrameRows, type Session, type SessionContext } from '../shared/driver.ts'
import { JsonFrameBuilder } from '../shared/json-frame-builder.ts'
import { ClientState } from './client-state.ts'
import { Connection } from './connection.ts'
import { describe } from './describe.ts'
import type { Settings } from './engine.ts'
import { RunningStatement, type TrinoStatement, type ResultPage } from './statement.ts'
import { createTrinoDecoder } from './decoders.ts'

/** Added to the server's own limit, so that its own error arrives first. */
const graceMs = 2000

/** Pages of a server with default settings are far smaller. */
const minPageBytes = 32 << 20

/** Error of a cluster that has just started and has no workers yet. */
const noWorkers = /NO_NODES_AVAILABLE/
const workersPauseMs = 500

export class TrinoSession implements Session {
  readonly #connection: Connection
  readonly #state: ClientState
  readonly #context: SessionContext
  readonly #settings: Settings
  readonly #stop = new AbortController()
  #running: RunningStatement | null = null

  constructor(settings: Settings, context: SessionContext) {
    this.#settings = settings
    this.#context = context
    this.#connection = new Connection(settings, context)
    const { query = {} } = settings
    const own = Object.entries(query).flatMap(([name, value]) =>
      name.startsWith('session.') ? [[name.slice('session.'.length), value] as const] : [],
    )
    const catalog = context.catalog ?? settings.catalog
    this.#state = new ClientState({
      user: context.user ?? settings.username,
      source: query['source'] ?? 'Parquetry',
      catalog,
      schema: context.schema ?? (catalog === settings.catalog ? (settings.schema ?? null) : null),
      properties: {
        ...Object.fromEntries(own),
        query_max_run_time: `${Math.max(1, Math.ceil(context.timeoutMs))}ms`,
      },
    })
  }

  async *run({ text }: Statement, limits: Limits): AsyncIterable<Frame> {
    let columns: JsonFrameBuilder | null = null
    let left = limits.rows + 1
    const maxBytes = Math.max(limits.bytes, minPageBytes)
    for await (const page of this.#read({ sql: text, userText: text }, maxBytes)) {
      if (!columns && page.columns)
        columns = new JsonFrameBuilder(page.columns.map(createTrinoDecoder), limits.cellBytes)
      const rows = page.rows.slice(0, left)
      left -= rows.length
      for (let index = 0; columns && index < rows.length; index += maxFrameRows)
        yield columns.build(rows.slice(index, index + maxFrameRows))
      this.#check()
      if (left === 0 && page.updateType === null) return
    }
    if (left === limits.rows + 1) yield (columns ?? new JsonFrameBuilder([], limits.cellBytes)).build([])
  }

  async cancel(): Promise<void> {
    this.#stop.abort()
    await this.#running?.end()
  }

  describe(request: DescribeRequest): Promise<DescribeResult> {
    const catalog = this.#context.catalog ?? this.#settings.catalog
    const schema = this.#context.schema ?? this.#settings.schema ?? null
    return describe(request, { catalog, schema, all: (statement) => this.#all(statement) })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running?.end()
    await this.#leave()
    this.#connection.close()
  }

  /** Returns all rows of a generated statement, which are few. */
  async #all(statement: TrinoStatement) {
    const rows: unknown[][] = []
    let columns: ResultPage['columns'] = null
    for await (const page of this.#read(statement)) {
      columns ??= page.columns
      rows.push(...page.rows)
    }
    return { columns: columns ?? [], rows }
  }

  async *#read(statement: TrinoStatement, maxBytes?: number): AsyncGenerator<ResultPage> {
    this.#check()
    const until = performance.now() + this.#context.timeoutMs + graceMs
    let hasEnded = false
    for (let hasRead = false; ;) {
      try {
        await this.#enter(until)
        for await (const page of this.#pages(statement, until, maxBytes)) {
          hasRead ||= page.rows.length > 0
          yield page
        }
        if (!this.#context.allowDml && this.#state.transaction === null) throw new AppError('sql_not_allowed')
        hasEnded = true
        return
      } catch (error) {
        if (this.#stop.signal.aborted) throw new AppError('query_stopped', { cause: error })
        if (hasRead || this.#context.allowDml || !isWithoutWorkers(error) || performance.now() > until) throw error
        await new Promise((resolve) => setTimeout(resolve, workersPauseMs))
      } finally {
        // A statement that failed or was stopped leaves a transaction in which nothing can run any more.
        if (!hasEnded) await this.#leave()
      }
    }
  }

  async *#pages(statement: TrinoStatement, until: number, maxBytes?: number) {
    const running = new RunningStatement(this.#connection, this.#state)
    this.#running = running
    try {
      const timeMs = Math.max(1, until - performance.now())
      yield* running.pages(statement, { signal: this.#stop.signal, timeMs, maxBytes })
    } finally {
      this.#running = null
    }
  }

  /** Without write permission everything runs in a read-only transaction. */
  async #enter(until: number): Promise<void> {
    if (this.#context.allowDml || this.#state.transaction !== null) return
    for await (const _ of this.#pages({ sql: 'START TRANSACTION READ ONLY', userText: null }, until));
  }

  async #leave(): Promise<void> {
    if (this.#state.transaction === null) return
    const running = new RunningStatement(this.#connection, this.#state)
    const limits = { signal: AbortSignal.timeout(graceMs), timeMs: graceMs }
    try {
      for await (const _ of running.pages({ sql: 'ROLLBACK', userText: null }, limits));
    } catch (error) {
      // The server ends idle transactions automatically.
      if (!(error instanceof AppError)) throw error
    }
    this.#state.transaction = null
  }

  #check(): void {
    if (this.#stop.signal.aborted) throw new AppError('query_stopped')
  }
}

const isWithoutWorkers = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof Error && noWorkers.test(error.cause.message)
