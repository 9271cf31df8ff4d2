import { randomUUID } from 'node:crypto'
import type { Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, Limits, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { lex } from '@parquetry/model/lex'
import { maxFrameRows, type Session, type SessionContext } from '../shared/driver.ts'
import { JsonFrameBuilder } from '../shared/json-frame-builder.ts'
import { Client } from './client.ts'
import { describe, type ClickhouseStatement } from './describe.ts'
import type { Settings } from './engine.ts'
import { readRowBatches } from './rows.ts'
import { createClickhouseDecoder } from './decoders.ts'

/** Added to the server's own limit, so that its own error arrives first. */
const graceMs = 2000

/** Generated statements return few and short rows. */
const maxInternalLineBytes = 16 << 20

export class ClickhouseSession implements Session {
  readonly #client: Client
  readonly #context: SessionContext
  readonly #settings: Settings
  readonly #stop = new AbortController()
  #runs: string | null = null

  constructor(settings: Settings, context: SessionContext) {
    this.#settings = settings
    this.#context = context
    this.#client = new Client(settings, context)
  }

  async *run({ text, values }: Statement, limits: Limits): AsyncIterable<Frame> {
    rejectFormatSettings(text)
    let head: unknown[][] = []
    let columns: JsonFrameBuilder | null = null
    let left = limits.rows + 1
    for await (const lists of this.#read({ sql: text, values, userText: text }, limits.bytes)) {
      let rows = lists
      if (!columns) {
        head = [...head, ...lists]
        if (head.length < 2) continue
        columns = createFrameBuilder(head, limits.cellBytes)
        rows = head.slice(2)
      }
      rows = rows.slice(0, left)
      left -= rows.length
      for (let index = 0; index < rows.length; index += maxFrameRows) {
        yield columns.build(rows.slice(index, index + maxFrameRows))
        this.#check()
      }
      if (left === 0) return
    }
    if (left === limits.rows + 1) yield (columns ?? new JsonFrameBuilder([], limits.cellBytes)).build([])
  }

  async cancel(): Promise<void> {
    this.#stop.abort()
    if (this.#runs !== null) await this.#client.kill(this.#runs)
  }

  describe(request: DescribeRequest): Promise<DescribeResult> {
    const database = this.#context.schema ?? this.#settings.database
    return describe(request, { database, all: (statement) => this.#all(statement) })
  }

  async close(): Promise<void> {
    if (this.#runs !== null) await this.cancel()
    this.#client.close()
  }

  /** Returns the few rows of a generated statement, without the two lines of names and types. */
  async #all(statement: ClickhouseStatement): Promise<unknown[][]> {
    const lists: unknown[][] = []
    for await (const some of this.#read(statement, maxInternalLineBytes)) lists.push(...some)
    return lists.slice(2)
  }

  /** Yields names, types and rows as they arrive; ends the statement on the server when the reader stops. */
  async *#read(
    { sql, values = [], userText, before = 0 }: ClickhouseStatement,
    lineBytes: number,
  ): AsyncGenerator<unknown[][]> {
    this.#check()
    const queryId = randomUUID()
    const time = new Timer(this.#context.timeoutMs + graceMs)
    const signal = AbortSignal.any([this.#stop.signal, time.signal])
    let hasEnded = false
    this.#runs = queryId
    try {
      const request = { sql, values, queryId, signal }
      const stream = await time.around(() =>
        this.#client.ask(request, userText === null ? null : { sql: userText, before }),
      )
      const end = () => stream.destroy()
      signal.addEventListener('abort', end, { once: true })
      const lists = readRowBatches(stream, userText, lineBytes)
      try {
        for (;;) {
          const { value, done } = await time.around(() => lists.next())
          this.#check()
          if (done) break
          yield value
        }
        hasEnded = true
      } finally {
        stream.destroy()
        signal.removeEventListener('abort', end)
      }
    } catch (error) {
      if (this.#stop.signal.aborted) throw new AppError('query_stopped', { cause: error })
      if (time.signal.aborted) throw new AppError('query_timeout', { cause: error })
      // The server itself ended the statement with this error.
      hasEnded = error instanceof AppError && !error.code.startsWith('connection_') && error.code !== 'result_too_large'
      throw error
    } finally {
      this.#runs = null
      if (!hasEnded) await this.#client.kill(queryId)
    }
  }

  #check(): void {
    if (this.#stop.signal.aborted) throw new AppError('query_stopped')
  }
}

/** Rejects a statement whose own settings change how rows are written, because it would be misread. */
function rejectFormatSettings(sql: string): void {
  const keywords = lex(sql, 'clickhouse').filter(({ kind }) => kind === 'word')
  const from = keywords.findIndex(({ text }) => text === 'SETTINGS')
  const refused =
    from < 0 ? undefined : keywords.slice(from).find(({ text }) => /^(OUTPUT|DATE_TIME_OUTPUT)_FORMAT/.test(text))
  if (!refused) return
  const name = refused.text.toLowerCase()
  throw new AppError('sql_not_allowed', {
    message: message(
      'errors.engines.clickhouseSetting',
      'The setting "{name}" is not allowed because the result format is set automatically.',
      { name },
    ),
  })
}

const createFrameBuilder = ([names = [], types = []]: unknown[][], cellBytes: number): JsonFrameBuilder =>
  new JsonFrameBuilder(
    names.map((name, index) => createClickhouseDecoder(String(name), String(types[index]))),
    cellBytes,
  )

/** Counts the time spent waiting for the server, not the time of the reader. */
class Timer {
  readonly #abort = new AbortController()
  #left: number

  constructor(ms: number) {
    this.#left = ms
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  async around<T>(wait: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const timer = setTimeout(() => this.#abort.abort(), Math.max(1, this.#left))
    try {
      return await wait()
    } finally {
      clearTimeout(timer)
      this.#left -= performance.now() - startedAt
    }
  }
}
