import type { Socket } from 'node:net'
import type { Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, DescribedColumn, Limits, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import type { Connection } from 'mysql2'
import { withByteLimit } from '../shared/byte-limit.ts'
import { maxFrameRows, type Session, type SessionContext } from '../shared/driver.ts'
import {
  queryMysql,
  connectMysql,
  destroyMysqlClient,
  closeMysqlClient,
  releaseMysqlClient,
  setReadOnlySql,
} from './client.ts'
import { createMysqlColumnReader, type MysqlColumnReader } from './columns.ts'
import { parseGrants } from '../shared/grants.ts'
import { describeMysqlTable, listMysqlSchemas, listMysqlTables } from './describe.ts'
import type { Settings } from './engine.ts'
import { mysqlError } from './errors.ts'
import { estimateMysqlCost } from './estimate.ts'
import { listMysqlFunctions } from './functions.ts'
import { type MysqlField, MysqlRowStream } from './row-stream.ts'
import { genericOf, mysqlResultTypeName } from './types.ts'

/** A cancel that arrives before the statement has started is ignored, so it is repeated until the statement has ended. */
const killEveryMs = 250

/** After this long without success the connection itself is cut; the server still receives the request to end the statement. */
const destroyAfterMs = 1000

/** The same for a statement whose reader stopped: the session continues with its next statement, which needs the connection. */
const drainTimeoutMs = 5000
const cancelTimeoutMs = 5000

/** The work that the server is doing for this session. */
interface RunningStatement {
  readonly hasEnded: boolean
  /** Discards what remains. @returns when the server has ended it */
  drop(): Promise<void>
}

export class MysqlSession implements Session {
  #client: Connection
  #settings: Settings
  #context: SessionContext
  #isCancelled = false
  #isSpoilt = false
  #hasRun = false
  #running: RunningStatement | null = null

  constructor(client: Connection, settings: Settings, context: SessionContext) {
    this.#client = client
    this.#settings = settings
    this.#context = context
  }

  async *run({ text, values }: Statement, limits: Limits): AsyncIterable<Frame> {
    this.#check()
    try {
      // A previous statement may have changed the session.
      if (this.#hasRun && !this.#context.allowDml) await queryMysql(this.#client, setReadOnlySql)
      this.#hasRun = true
      const rows = (this.#running = new MysqlRowStream(this.#client, text, values, maxFrameRows))
      try {
        yield* this.#frames(rows, limits)
      } finally {
        if (!rows.hasEnded) await this.#kill(rows)
        this.#running = null
      }
      this.#check()
    } catch (error) {
      throw this.#isCancelled ? new AppError('query_stopped', { cause: error }) : mysqlError(error, text)
    }
  }

  async *#frames(rows: MysqlRowStream, limits: Limits): AsyncIterable<Frame> {
    const { stream } = this.#client as unknown as { stream: Socket }
    let readers: MysqlColumnReader[] | null = null
    let left = limits.rows + 1
    for (;;) {
      const found = await withByteLimit(stream, limits.bytes, rows.next(Math.min(maxFrameRows, left)), () =>
        this.#cut(),
      )
      this.#check()
      const isFirst = readers === null
      readers ??= rows.fields.map((field, index) => createMysqlColumnReader(field, index, limits.cellBytes))
      left -= found.length
      if (found.length > 0 || isFirst) yield { rows: found.length, columns: readers.map((column) => column(found)) }
      if (found.length === 0 || left === 0) return
      this.#check()
    }
  }

  async cancel(): Promise<void> {
    if (this.#isCancelled) return
    this.#isCancelled = true
    if (this.#running) await this.#kill(this.#running)
  }

  async describe(request: DescribeRequest): Promise<DescribeResult> {
    this.#check()
    const answer = this.#described(request)
    const running = (this.#running = trackRunning(answer))
    try {
      return await answer
    } catch (error) {
      throw this.#isCancelled
        ? new AppError('query_stopped', { cause: error })
        : mysqlError(error, 'sql' in request ? request.sql : null)
    } finally {
      if (this.#running === running) this.#running = null
    }
  }

  async #described(request: DescribeRequest): Promise<DescribeResult> {
    const client = this.#client
    if (request.what === 'ping') {
      const [row] = await queryMysql(client, 'SELECT VERSION()')
      return { what: 'ping', version: String(row?.[0] ?? 'MySQL') }
    }
    if (request.what === 'powers') {
      const grants = await queryMysql(client, 'SHOW GRANTS')
      return { what: 'powers', powers: parseGrants(grants.map(([grant]) => String(grant))) }
    }
    if (request.what === 'schemas') return { what: 'schemas', schemas: await listMysqlSchemas(client) }
    if (request.what === 'tables') return { what: 'tables', tables: await listMysqlTables(client, request.schema) }
    if (request.what === 'table') return await describeMysqlTable(client, request.schema, request.table)
    if (request.what === 'columns') return { what: 'columns', columns: await this.#columnsOf(request.sql) }
    if (request.what === 'functions') return { what: 'functions', names: await listMysqlFunctions(client) }
    if (request.what === 'estimate') return { what: 'estimate', cost: await estimateMysqlCost(client, request.sql) }
    throw new AppError('unsupported')
  }

  async close(): Promise<void> {
    if (this.#isCancelled || this.#isSpoilt) closeMysqlClient(this.#client)
    else await releaseMysqlClient(this.#settings, this.#context, this.#client)
  }

  /** Makes the server end a statement. Waiting for its rows would be as slow as reading them all. */
  async #kill(running: RunningStatement): Promise<void> {
    // An unreachable server must not block the job.
    const timer = setTimeout(() => this.#cut(), this.#isCancelled ? destroyAfterMs : drainTimeoutMs)
    try {
      const other = await connectMysql(this.#settings, this.#context)
      const silent = setTimeout(() => destroyMysqlClient(other), cancelTimeoutMs)
      try {
        const ended = running.drop()
        if (this.#isSpoilt) await queryMysql(other, `KILL CONNECTION ${this.#client.threadId}`)
        while (!running.hasEnded) {
          await queryMysql(other, `KILL QUERY ${this.#client.threadId}`)
          await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, killEveryMs))])
        }
      } finally {
        clearTimeout(silent)
        closeMysqlClient(other)
      }
    } catch (error) {
      // There are too many connections, or none can be opened any more: cutting ours is the only option left.
      if (!(error instanceof Error)) throw error
      this.#cut()
    } finally {
      clearTimeout(timer)
    }
  }

  #cut(): void {
    this.#isSpoilt = true
    destroyMysqlClient(this.#client)
  }

  #check(): void {
    if (this.#isCancelled) throw new AppError('query_stopped')
  }

  /** Prepares the statement without executing it: the server returns the columns and reads no row. */
  async #columnsOf(sql: string): Promise<DescribedColumn[]> {
    const fields = await new Promise<MysqlField[]>((resolve, reject) => {
      this.#client.once('error', reject)
      this.#client.prepare(sql, (error, statement) => {
        this.#client.off('error', reject)
        if (error) return reject(error)
        this.#client.unprepare(sql)
        resolve((statement as unknown as { columns: MysqlField[] }).columns)
      })
    })
    return fields.map(({ name, columnType }) => {
      const type = mysqlResultTypeName(columnType)
      return { name, type, generic: genericOf(type), comment: null, nullable: true }
    })
  }
}

function trackRunning(answer: Promise<unknown>): RunningStatement {
  const running = { hasEnded: false, drop: () => ended }
  const ended = answer.then(
    () => void (running.hasEnded = true),
    () => void (running.hasEnded = true),
  )
  return running
}
