import type { Socket } from 'node:net'
import type { Frame } from '@parquetry/frame'
import type { Describe, Described, DescribedColumn, Limits, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import type { Connection } from 'mysql2'
import { atMost } from '../shared/at-most.ts'
import { frameRows, type Session, type SessionContext } from '../shared/driver.ts'
import { ask, connect, cut, end, giveBack, readOnly } from './client.ts'
import { columnReader, type ReadColumn } from './columns.ts'
import { powersOfGrants } from '../shared/grants.ts'
import { describeTable, schemas, tables } from './describe.ts'
import type { Settings } from './engine.ts'
import { mysqlError } from './errors.ts'
import { estimate } from './estimate.ts'
import { functions } from './functions.ts'
import { type Field, Rows } from './rows.ts'
import { genericOf, resultTypeName } from './types.ts'

/** A cancel that comes before the statement has begun is ignored, so it is repeated until the statement has ended. */
const killEveryMs = 250

/** After this long without success the connection itself is cut; the server still hears that the statement is over. */
const cutAfterMs = 1000

/** As much for rows that nobody reads to their end: the session goes on with the next statement, which needs the connection. */
const leaveAfterMs = 5000
const hearMs = 5000

/** What the server works on for us. */
interface Running {
  readonly hasEnded: boolean
  /** Lets everything go that still comes. @returns when the server has ended it */
  drop(): Promise<void>
}

export class MysqlSession implements Session {
  #client: Connection
  #settings: Settings
  #context: SessionContext
  #isCancelled = false
  #isSpoilt = false
  #hasRun = false
  #running: Running | null = null

  constructor(client: Connection, settings: Settings, context: SessionContext) {
    this.#client = client
    this.#settings = settings
    this.#context = context
  }

  async *run({ text, values }: Statement, limits: Limits): AsyncIterable<Frame> {
    this.#check()
    try {
      // A statement before may have changed the session.
      if (this.#hasRun && !this.#context.allowDml) await ask(this.#client, readOnly)
      this.#hasRun = true
      const rows = (this.#running = new Rows(this.#client, text, values, frameRows))
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

  async *#frames(rows: Rows, limits: Limits): AsyncIterable<Frame> {
    const { stream } = this.#client as unknown as { stream: Socket }
    let readers: ReadColumn[] | null = null
    let left = limits.rows + 1
    for (;;) {
      const found = await atMost(stream, limits.bytes, rows.next(Math.min(frameRows, left)), () => this.#cut())
      this.#check()
      const isFirst = readers === null
      readers ??= rows.fields.map((field, at) => columnReader(field, at, limits.cellBytes))
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

  async describe(what: Describe): Promise<Described> {
    this.#check()
    const answer = this.#described(what)
    const running = (this.#running = runningOf(answer))
    try {
      return await answer
    } catch (error) {
      throw this.#isCancelled
        ? new AppError('query_stopped', { cause: error })
        : mysqlError(error, 'sql' in what ? what.sql : null)
    } finally {
      if (this.#running === running) this.#running = null
    }
  }

  async #described(what: Describe): Promise<Described> {
    const client = this.#client
    if (what.what === 'ping') {
      const [row] = await ask(client, 'SELECT VERSION()')
      return { what: 'ping', version: String(row?.[0] ?? 'MySQL') }
    }
    if (what.what === 'powers') {
      const grants = await ask(client, 'SHOW GRANTS')
      return { what: 'powers', powers: powersOfGrants(grants.map(([grant]) => String(grant))) }
    }
    if (what.what === 'schemas') return { what: 'schemas', schemas: await schemas(client) }
    if (what.what === 'tables') return { what: 'tables', tables: await tables(client, what.schema) }
    if (what.what === 'table') return await describeTable(client, what.schema, what.table)
    if (what.what === 'columns') return { what: 'columns', columns: await this.#columnsOf(what.sql) }
    if (what.what === 'functions') return { what: 'functions', names: await functions(client) }
    if (what.what === 'estimate') return { what: 'estimate', cost: await estimate(client, what.sql) }
    throw new AppError('unsupported')
  }

  async close(): Promise<void> {
    if (this.#isCancelled || this.#isSpoilt) end(this.#client)
    else await giveBack(this.#settings, this.#context, this.#client)
  }

  /** Has the server end a statement. Waiting for its rows would take as long as reading them all. */
  async #kill(running: Running): Promise<void> {
    // A server that cannot be reached any more must not hold the job.
    const timer = setTimeout(() => this.#cut(), this.#isCancelled ? cutAfterMs : leaveAfterMs)
    try {
      const other = await connect(this.#settings, this.#context)
      const silent = setTimeout(() => cut(other), hearMs)
      try {
        const ended = running.drop()
        if (this.#isSpoilt) await ask(other, `KILL CONNECTION ${this.#client.threadId}`)
        while (!running.hasEnded) {
          await ask(other, `KILL QUERY ${this.#client.threadId}`)
          await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, killEveryMs))])
        }
      } finally {
        clearTimeout(silent)
        end(other)
      }
    } catch (error) {
      // Too many connections, or none any more: cutting ours is what is left.
      if (!(error instanceof Error)) throw error
      this.#cut()
    } finally {
      clearTimeout(timer)
    }
  }

  #cut(): void {
    this.#isSpoilt = true
    cut(this.#client)
  }

  #check(): void {
    if (this.#isCancelled) throw new AppError('query_stopped')
  }

  /** Prepared and not executed: the server tells the columns and touches no row. */
  async #columnsOf(sql: string): Promise<DescribedColumn[]> {
    const fields = await new Promise<Field[]>((resolve, reject) => {
      this.#client.once('error', reject)
      this.#client.prepare(sql, (error, statement) => {
        this.#client.off('error', reject)
        if (error) return reject(error)
        this.#client.unprepare(sql)
        resolve((statement as unknown as { columns: Field[] }).columns)
      })
    })
    return fields.map(({ name, columnType }) => {
      const type = resultTypeName(columnType)
      return { name, type, generic: genericOf(type), comment: null, nullable: true }
    })
  }
}

function runningOf(answer: Promise<unknown>): Running {
  const running = { hasEnded: false, drop: () => ended }
  const ended = answer.then(
    () => void (running.hasEnded = true),
    () => void (running.hasEnded = true),
  )
  return running
}
