import type { Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, DescribedColumn, Limits, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import pg, { type FieldDef } from 'pg'
import { withByteLimit } from '../shared/byte-limit.ts'
import { maxFrameRows, type TempTable, type Session, type SessionContext } from '../shared/driver.ts'
import {
  connectPostgres,
  connectionOf,
  destroyPostgresClient,
  closePostgresClient,
  releasePostgresClient,
} from './client.ts'
import { createPostgresColumnReader, type PostgresColumnReader, type PostgresRow } from './columns.ts'
import { Cursor } from './cursor.ts'
import { describePostgresTable, readAccountPowers, listPostgresSchemas, listPostgresTables } from './describe.ts'
import { estimatePostgresCost } from './estimate.ts'
import { listPostgresFunctions } from './functions.ts'
import type { Settings } from './engine.ts'
import { postgresError } from './errors.ts'
import { rollbackToTempTable, createPostgresTempTable } from './temp-table.ts'
import { genericOf, postgresResultTypeName } from './types.ts'

/** The server ignores a cancel that arrives while it waits for us, so it is repeated until the statement has ended. */
const cancelEveryMs = 250

/** After this long without success the connection itself is cut; the server still receives the request to end the statement. */
const destroyAfterMs = 1000
const cancelTimeoutMs = 5000

const asText = { getTypeParser: () => (text: string) => text }

export class PostgresSession implements Session {
  #client: pg.Client
  #settings: Settings
  #context: SessionContext
  #isCancelled = false
  #isSpoilt = false
  /** True while the server works or a cursor is closed; between frames there is nothing to cancel. */
  #isWaiting = false
  /** Rejects when the connection ends, because a cursor then never calls back. */
  #lost = Promise.withResolvers<never>()
  /** Status of the last ReadyForQuery: `I` outside a transaction, `T` inside, `E` failed. */
  #status = ''
  #table: TempTable | null = null

  constructor(client: pg.Client, settings: Settings, context: SessionContext) {
    this.#client = client
    this.#settings = settings
    this.#context = context
    connectionOf(client).on('readyForQuery', this.#note)
    client.on('end', this.#lose)
    this.#lost.promise.catch(() => {})
  }

  async *run({ text, values }: Statement, limits: Limits): AsyncIterable<Frame> {
    this.#check()
    if (this.#isSpoilt) throw new AppError('sql_not_allowed')
    const cursor = this.#client.query(new Cursor(text, [...values], { rowMode: 'array', types: asText }))
    let readers: PostgresColumnReader[] | null = null
    let left = limits.rows + 1
    let hasFailed = false
    try {
      for (;;) {
        const { rows, fields } = await this.#wait(this.#read(cursor, Math.min(maxFrameRows, left), limits.bytes))
        this.#check()
        const isFirst = readers === null
        readers ??= fields.map((field, index) => createPostgresColumnReader(field, index, limits.cellBytes))
        const isLast = rows.length === 0 || rows.length === left
        left -= rows.length
        if (rows.length > 0 || isFirst) yield { rows: rows.length, columns: readers.map((column) => column(rows)) }
        if (isLast) break
        this.#check()
      }
      await this.#wait(cursor.close())
      if (this.#hasLeftReadOnly()) throw new AppError('sql_not_allowed')
    } catch (error) {
      hasFailed = true
      this.#isSpoilt ||= this.#hasLeftReadOnly()
      throw this.#isCancelled ? new AppError('query_stopped', { cause: error }) : postgresError(error, text)
    } finally {
      await this.#wait(cursor.close()).catch(() => {})
      if (hasFailed && this.#table && !this.#isCancelled)
        await this.#wait(rollbackToTempTable(this.#client, this.#table)).catch(() => {})
    }
  }

  async createTempTable(table: TempTable, limits: Limits): Promise<number> {
    this.#check()
    // No other statement may run in the session until it is read-only again.
    this.#isSpoilt = true
    try {
      const rows = await this.#wait(createPostgresTempTable(this.#client, table, limits))
      this.#check()
      this.#isSpoilt = false
      this.#table = table
      return rows
    } catch (error) {
      throw this.#isCancelled ? new AppError('query_stopped', { cause: error }) : postgresError(error, null)
    }
  }

  #read(cursor: Cursor, rows: number, maxBytes: number) {
    const { stream } = connectionOf(this.#client)
    return withByteLimit(stream, maxBytes, readCursor(cursor, rows), () => {
      this.#isSpoilt = true
      stream.destroy()
    })
  }

  async cancel(): Promise<void> {
    if (this.#isCancelled) return
    this.#isCancelled = true
    const processId = (this.#client as unknown as { processID: number }).processID
    if (!this.#isWaiting) return
    // An unreachable server must not block the job.
    let isCut = false
    const timer = setTimeout(() => {
      isCut = true
      destroyPostgresClient(this.#client)
    }, destroyAfterMs)
    try {
      const other = await connectPostgres(this.#settings, this.#context)
      const silent = setTimeout(() => destroyPostgresClient(other), cancelTimeoutMs)
      try {
        const requestCancel = () => other.query('SELECT pg_cancel_backend($1)', [processId])
        if (isCut) await requestCancel()
        while (this.#isWaiting) {
          await requestCancel()
          await new Promise((resolve) => setTimeout(resolve, cancelEveryMs))
        }
      } finally {
        clearTimeout(silent)
        void closePostgresClient(other)
      }
    } catch (error) {
      // There are too many connections, or none can be opened any more: cutting ours is the only option left.
      if (!(error instanceof Error)) throw error
      destroyPostgresClient(this.#client)
    } finally {
      clearTimeout(timer)
    }
  }

  async describe(request: DescribeRequest): Promise<DescribeResult> {
    this.#check()
    try {
      return await this.#wait(this.#described(request))
    } catch (error) {
      if (this.#isCancelled) throw new AppError('query_stopped', { cause: error })
      throw postgresError(error, 'sql' in request ? request.sql : null)
    }
  }

  async #described(request: DescribeRequest): Promise<DescribeResult> {
    if (request.what === 'ping') {
      const { rows } = await this.#client.query<{ version: string }>('SELECT version()')
      return { what: 'ping', version: rows[0]?.version ?? 'PostgreSQL' }
    }
    if (request.what === 'powers') return { what: 'powers', powers: await readAccountPowers(this.#client) }
    if (request.what === 'schemas') return { what: 'schemas', schemas: await listPostgresSchemas(this.#client) }
    if (request.what === 'tables')
      return { what: 'tables', tables: await listPostgresTables(this.#client, request.schema) }
    if (request.what === 'table') return await describePostgresTable(this.#client, request.schema, request.table)
    if (request.what === 'columns') return { what: 'columns', columns: await this.#columnsOf(request.sql) }
    if (request.what === 'functions') return { what: 'functions', names: await listPostgresFunctions(this.#client) }
    if (request.what === 'estimate')
      return { what: 'estimate', cost: await estimatePostgresCost(this.#client, request.sql) }
    throw new AppError('unsupported')
  }

  async close(): Promise<void> {
    connectionOf(this.#client).off('readyForQuery', this.#note)
    this.#client.off('end', this.#lose)
    if (this.#isCancelled || this.#isSpoilt) await closePostgresClient(this.#client)
    else await releasePostgresClient(this.#settings, this.#context, this.#client)
  }

  #note = ({ status }: { status: string }) => {
    this.#status = status
  }

  #lose = () => this.#lost.reject(new Error('the connection has ended'))

  async #wait<T>(answer: Promise<T>): Promise<T> {
    this.#isWaiting = true
    try {
      return await Promise.race([answer, this.#lost.promise])
    } finally {
      this.#isWaiting = false
    }
  }

  #check(): void {
    if (this.#isCancelled) throw new AppError('query_stopped')
  }

  /** True when a statement such as COMMIT ended the read-only transaction of this session. */
  #hasLeftReadOnly(): boolean {
    return !this.#context.allowDml && this.#status === 'I'
  }

  /** Parses, binds and describes the statement without executing it: the server returns the columns and reads no row. */
  async #columnsOf(sql: string): Promise<DescribedColumn[]> {
    const cursor = new Cursor(sql, [], { rowMode: 'array', types: asText })
    const connection = connectionOf(this.#client)
    const { promise, resolve, reject } = Promise.withResolvers<FieldDef[]>()
    const onFields = ({ fields: found }: { fields: FieldDef[] }) => resolve(found)
    const onNoData = () => resolve([])
    connection.once('rowDescription', onFields)
    connection.once('noData', onNoData)
    cursor.on('error', reject)
    this.#client.query(cursor)
    // The connection is used again by others.
    const fields = await promise.finally(() => {
      connection.off('rowDescription', onFields)
      connection.off('noData', onNoData)
    })
    await cursor.close()
    return fields.map(({ name, dataTypeID }) => {
      const type = postgresResultTypeName(dataTypeID)
      return { name, type, generic: genericOf(type), comment: null, nullable: true }
    })
  }
}

const readCursor = (cursor: Cursor, rows: number) =>
  new Promise<{ rows: PostgresRow[]; fields: FieldDef[] }>((resolve, reject) => {
    cursor.read(rows, (error, found, result) => {
      if (error) reject(error)
      else resolve({ rows: found, fields: result?.fields ?? [] })
    })
  })
