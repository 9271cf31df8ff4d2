import bind, {
  type Connection,
  type PreparedStatement,
  type Result,
  type Value as EngineValue,
} from '@duckdb/node-bindings'
import { cellAt, type Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, DescribedColumn, Limits, Statement, Value } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { TempTable, Session } from '../shared/driver.ts'
import { duckdbError } from './errors.ts'
import { formatDuckdbType } from './format-type.ts'
import { genericOf } from './types.ts'
import { createDuckdbColumnReader, fitsNarrow, canBeWide, type DuckdbColumnReader } from './vectors.ts'

/** Results limited to at most this many rows are materialized by the engine before they are read; larger ones are streamed. */
export const streamedFromRows = 100_000

/** An interrupt that arrives before the engine has started is lost, so it is repeated until the query has ended. */
const interruptEveryMs = 10

export class DuckdbSession implements Session {
  #connection: Connection
  #catalogue: (request: DescribeRequest) => Promise<DescribeResult | null>
  #closed: () => void
  #isCancelled = false
  #interrupts: NodeJS.Timeout | null = null

  /** @param describeCatalog describes what the instance knows better than a connection; null: use the connection */
  constructor(
    connection: Connection,
    describeCatalog: (request: DescribeRequest) => Promise<DescribeResult | null>,
    closed: () => void,
  ) {
    this.#connection = connection
    this.#catalogue = describeCatalog
    this.#closed = closed
  }

  async *run(statement: Statement, limits: Limits): AsyncIterable<Frame> {
    const isStreamed = limits.rows > streamedFromRows
    let prepared: PreparedStatement | null = null
    try {
      this.#check()
      if (isStreamed) await bind.query(this.#connection, 'BEGIN')
      prepared = await this.#prepare(statement)
      const frames = isStreamed
        ? this.#streamed(await bind.execute_prepared_streaming(prepared), limits)
        : this.#readBuffered(await bind.execute_prepared(prepared), limits)
      for await (const frame of frames) {
        yield frame
        this.#check()
      }
      this.#check()
    } catch (error) {
      throw this.#isCancelled ? new AppError('query_stopped', { cause: error }) : duckdbError(error, statement.text)
    } finally {
      if (isStreamed) await bind.query(this.#connection, 'ROLLBACK').catch(() => {})
      // A plan over a CSV file holds 30 MB of the engine's memory, and it is unknown when it would be garbage collected.
      if (prepared) bind.destroy_prepare_sync(prepared)
      this.#stopInterrupts()
    }
  }

  /** The statement already contains its limit. */
  async createTempTable({ name, statement }: TempTable, limits: Limits): Promise<number> {
    const create = { ...statement, text: `CREATE TEMP TABLE ${quoteIdentifier(name)} AS ${statement.text}` }
    let rows = 0
    for await (const frame of this.run(create, { ...limits, rows: 1 })) {
      const [countColumn] = frame.columns
      if (countColumn && frame.rows > 0) rows = Number(cellAt(countColumn, 0))
    }
    return rows
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true
    bind.interrupt(this.#connection)
    this.#interrupts ??= setInterval(() => bind.interrupt(this.#connection), interruptEveryMs)
  }

  async describe(request: DescribeRequest): Promise<DescribeResult> {
    if (request.what === 'columns') return { what: 'columns', columns: await this.#columnsOf(request.sql) }
    const known = await this.#catalogue(request)
    if (known) return known
    if (request.what !== 'table') throw new AppError('unsupported')
    const columns = await this.#columnsOf(`SELECT * FROM main.${quoteIdentifier(request.table)}`)
    const listed = await this.#catalogue({ what: 'tables', schema: null })
    const found =
      listed?.what === 'tables' && listed.tables.find(({ name }) => name.toLowerCase() === request.table.toLowerCase())
    const rows = found ? found.rows : undefined
    return { what: 'table', columns, keys: [], comment: null, ...(rows !== undefined && { rows }) }
  }

  async close(): Promise<void> {
    this.#stopInterrupts()
    bind.disconnect_sync(this.#connection)
    this.#closed()
  }

  #check(): void {
    if (this.#isCancelled) throw new AppError('query_stopped')
  }

  #stopInterrupts(): void {
    if (this.#interrupts) clearInterval(this.#interrupts)
    this.#interrupts = null
  }

  async #prepare({ text, values }: Statement): Promise<PreparedStatement> {
    const prepared = await bind.prepare(this.#connection, text)
    values.forEach((value, i) => bindValue(prepared, i + 1, value))
    return prepared
  }

  async *#readBuffered(result: Result, limits: Limits): AsyncIterable<Frame> {
    const chunks = bind.result_chunk_count(result)
    const readers = createReaders(result, limits, (column) => {
      const type = bind.column_logical_type(result, column)
      for (let i = 0; i < chunks; i++) {
        const chunk = bind.result_get_chunk(result, i)
        if (!fitsNarrow(bind.data_chunk_get_vector(chunk, column), type, bind.data_chunk_get_size(chunk))) return false
      }
      return true
    })
    if (chunks === 0) return yield emptyFrame(result, readers)
    let left = limits.rows + 1
    for (let i = 0; i < chunks && left > 0; i++) {
      const frame = readFrame(bind.result_get_chunk(result, i), readers, left)
      left -= frame.rows
      yield frame
    }
  }

  /**
   * A truncated stream looks like a complete one. Only another statement of the same transaction reveals it: it throws when the
   * transaction was aborted.
   */
  async *#streamed(result: Result, limits: Limits): AsyncIterable<Frame> {
    const readers = createReaders(result, limits, () => false)
    let rows = 0
    // The engine works on the next chunk while the reader processes this one.
    let ahead = bind.fetch_chunk(result)
    try {
      while (rows <= limits.rows) {
        const chunk = await ahead
        if (!chunk || bind.data_chunk_get_size(chunk) === 0) {
          if (rows === 0) yield emptyFrame(result, readers)
          await this.#proveWhole(rows)
          return
        }
        const frame = readFrame(chunk, readers, limits.rows + 1 - rows)
        rows += frame.rows
        if (rows <= limits.rows) ahead = bind.fetch_chunk(result)
        yield frame
      }
    } finally {
      // The connection accepts no other statement before that.
      await ahead.catch(() => {})
    }
  }

  async #proveWhole(rows: number): Promise<void> {
    try {
      await bind.query(this.#connection, 'SELECT 1')
    } catch (error) {
      this.#check()
      throw new AppError('query_failed', {
        message: message(
          'errors.engines.endedEarly',
          'The database stopped the query with an error after {rows, plural, one {# row} other {# rows}}. ' +
            'Run the query with fewer rows to see the error.',
          { rows },
        ),
        cause: error,
      })
    }
  }

  async #columnsOf(sql: string): Promise<DescribedColumn[]> {
    try {
      const prepared = await bind.prepare(this.#connection, sql)
      try {
        return Array.from({ length: bind.prepared_statement_column_count(prepared) }, (_, i) => {
          const type = formatDuckdbType(bind.prepared_statement_column_logical_type(prepared, i))
          const name = bind.prepared_statement_column_name(prepared, i)
          return { name, type, generic: genericOf(type), comment: null, nullable: true }
        })
      } finally {
        bind.destroy_prepare_sync(prepared)
      }
    } catch (error) {
      throw duckdbError(error, sql)
    }
  }
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The type of a parameter is inferred from the statement, so a text becomes a date or a number when it is used with one. */
function bindValue(prepared: PreparedStatement, index: number, value: Value): void {
  if (Array.isArray(value)) bind.bind_value(prepared, index, engineValue(value))
  else if (value === null) bind.bind_null(prepared, index)
  else if (typeof value === 'boolean') bind.bind_boolean(prepared, index, value)
  else if (typeof value === 'string') bind.bind_varchar(prepared, index, value)
  else if (Number.isSafeInteger(value)) bind.bind_int64(prepared, index, BigInt(value))
  else bind.bind_double(prepared, index, value)
}

function engineValue(value: Value): EngineValue {
  if (value === null) return bind.create_null_value()
  if (typeof value === 'boolean') return bind.create_bool(value)
  if (typeof value === 'string') return bind.create_varchar(value)
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? bind.create_int64(BigInt(value)) : bind.create_double(value)
  const items = value.map(engineValue)
  const first = value.findIndex((item) => item !== null)
  const type = first < 0 ? bind.create_logical_type(bind.Type.VARCHAR) : bind.get_value_type(items[first]!)
  return bind.create_list_value(type, items)
}

function createReaders(result: Result, limits: Limits, fits: (column: number) => boolean): DuckdbColumnReader[] {
  return Array.from({ length: bind.column_count(result) }, (_, i) => {
    const type = bind.column_logical_type(result, i)
    return createDuckdbColumnReader(bind.column_name(result, i), type, canBeWide(type) && fits(i), limits.cellBytes)
  })
}

type Chunk = ReturnType<typeof bind.result_get_chunk>

function readFrame(chunk: Chunk, readers: DuckdbColumnReader[], maxRows: number): Frame {
  const rows = Math.min(bind.data_chunk_get_size(chunk), maxRows)
  return { rows, columns: readers.map((read, i) => read(bind.data_chunk_get_vector(chunk, i), rows)) }
}

const emptyFrame = (result: Result, readers: DuckdbColumnReader[]): Frame => {
  const types = Array.from({ length: readers.length }, (_, i) => bind.column_logical_type(result, i))
  return readFrame(bind.create_data_chunk(types), readers, 0)
}
