import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import bind, { type Appender, type Connection, type LogicalType, type Vector } from '@duckdb/node-bindings'
import { type Column, type Frame, isNull, makeNamesUnique, textAt } from '@parquetry/frame'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { FileWriter, InstanceLimits } from '../shared/driver.ts'
import { duckdbError } from './errors.ts'
import { readVectorMemory } from './cells.ts'
import { quoteLiteral } from './files.ts'
import { hasMixedFrames, listStoredTypes, storedDecimalType, storedIntegerType } from './parquet-types.ts'
import { quoteIdentifier } from './session.ts'

/** Writing needs little memory: the rest is in the draft on disk. */
const maxMemoryMb = 256
const chunkRows = 2048

/** How a column is stored in the file. */
interface ColumnEncoder {
  type: string
  logical: () => LogicalType
  /** Type in the file if it is another one, which holds all values as well. */
  stored?: string
  /** Column whose texts may be stored as another type at the end. */
  text?: Column
  /** Writes the values of the rows from `start` on into the engine's memory. */
  fill(vector: Vector, column: Column, start: number, rows: number): void
}

/**
 * Writes frames to a Parquet file. They pass through a table on disk, so that memory stays bounded for any number of frames.
 * Values keep their type: integers of every width, decimals up to 38 digits, times of day, UUIDs, binary data, lists and structs.
 * A column stays text if its type is not known here (intervals, enums) or one of its values does not fit.
 */
export async function createParquetWriter(path: string, limits: InstanceLimits): Promise<FileWriter> {
  const draft = join(limits.spillFolder, `${randomUUID()}.duckdb`)
  const database = await bind.open(':memory:')
  const connection = await bind.connect(database)
  const run = async (sql: string): Promise<void> => {
    try {
      await bind.query(connection, sql)
    } catch (error) {
      throw duckdbError(error, sql)
    }
  }
  let appender: Appender | null = null
  let columns: ColumnEncoder[] = []
  let names: string[] = []
  let kinds: Column['kind'][] = []

  async function createAppender(frame: Frame): Promise<Appender> {
    if (frame.columns.length === 0)
      throw new AppError('unsupported', {
        message: message('errors.engines.noColumns', 'There are no columns to download.'),
      })
    await run(`SET memory_limit = '${Math.min(maxMemoryMb, limits.memoryLimitMb)}MiB'`)
    await run(`SET temp_directory = ${quoteLiteral(limits.spillFolder)}`)
    await run(`SET threads = ${limits.threads}`)
    await run(`SET preserve_insertion_order = true`)
    await run(`ATTACH ${quoteLiteral(draft)} AS draft`)
    columns = frame.columns.map(toColumnEncoder)
    kinds = frame.columns.map(({ kind }) => kind)
    names = toColumnNames(frame.columns)
    const list = columns.map(({ type }, index) => `${quoteIdentifier(names[index]!)} ${type}`).join(', ')
    await run(`CREATE TABLE draft.main.data (${list})`)
    return bind.appender_create_ext(connection, 'draft', 'main', 'data')
  }

  return {
    async frame(frame) {
      appender ??= await createAppender(frame)
      for (let start = 0; start < frame.rows; start += chunkRows) {
        const rows = Math.min(chunkRows, frame.rows - start)
        const chunk = bind.create_data_chunk(columns.map(({ logical }) => logical()))
        bind.data_chunk_set_size(chunk, rows)
        columns.forEach((buffer, index) => {
          const vector = bind.data_chunk_get_vector(chunk, index)
          const column = frame.columns[index]!
          if (column.kind !== kinds[index] && !buffer.text) throw mixedColumn(names[index]!)
          buffer.fill(vector, column, start, rows)
          fillNulls(vector, column, start, rows)
        })
        bind.append_data_chunk(appender, chunk)
      }
    },
    async end() {
      if (appender) bind.appender_close_sync(appender)
      const selected: string[] = []
      for (const [at, { text, stored }] of columns.entries())
        selected.push(await selectStored(connection, names[at]!, stored, text))
      await run(
        `COPY (SELECT ${selected.join(', ')} FROM draft.main.data) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`,
      )
    },
    async close() {
      bind.disconnect_sync(connection)
      bind.close_sync(database)
      for (const file of [draft, `${draft}.wal`]) rmSync(file, { force: true })
    },
  }
}

const mixedColumn = (name: string): AppError =>
  new AppError('unsupported', {
    message: message(
      'errors.engines.mixedColumn',
      'The column {name} contains values of different types. Download the data as CSV.',
      { name },
    ),
  })

/** SQL of a column of the file; texts are converted if that loses none of them. */
async function selectStored(
  connection: Connection,
  name: string,
  stored: string | undefined,
  text: Column | undefined,
): Promise<string> {
  const column = quoteIdentifier(name)
  if (stored) return `CAST(${column} AS ${stored}) AS ${column}`
  if (!text) return column
  const first = async (sql: string): Promise<number> => {
    const result = await bind.query(connection, `SELECT ${sql} FROM draft.main.data`)
    const { view } = readVectorMemory(bind.data_chunk_get_vector(bind.result_get_chunk(result, 0), 0), 8)
    return Number(view.getBigInt64(0, true))
  }
  const isNumeric = text.kind !== 'json' && !(text.kind === 'string' && text.numeric !== true)
  try {
    const scale = isNumeric ? await first(`CAST(coalesce(max(length(split_part(${column}, '.', 2))), 0) AS BIGINT)`) : 0
    for (const { convert } of listStoredTypes(text, scale)) {
      const converted = convert(column)
      const lost = await first(`count(${column}) - count(TRY(${converted}))`)
      if (lost === 0) return `${converted} AS ${column}`
    }
    return column
  } catch {
    // The engine cannot convert the type at all.
    return column
  }
}

function fillNulls(vector: Vector, column: Column, start: number, rows: number): void {
  if (!column.validity && column.kind !== 'time') return
  const bits = new Uint8Array(Math.ceil(rows / 64) * 8).fill(255)
  for (let row = 0; row < rows; row++) {
    const isNothing = isNull(column, start + row) || (column.kind === 'time' && Number.isNaN(column.data[start + row]!))
    if (isNothing) bits[row >> 3]! &= ~(1 << (row & 7))
  }
  bind.vector_ensure_validity_writable(vector)
  bind.copy_data_to_vector_validity(vector, 0, bits.buffer, 0, bits.length)
}

interface Values {
  readonly buffer: ArrayBuffer
  readonly byteLength: number
  [index: number]: number
}

function writeVector(vector: Vector, { buffer, byteLength }: Pick<Values, 'buffer' | 'byteLength'>): void {
  bind.copy_data_to_vector(vector, 0, buffer, 0, byteLength)
}

const numbers = (type: string, logical: number, array: new (length: number) => Values): ColumnEncoder => ({
  type,
  logical: () => bind.create_logical_type(logical),
  fill(vector, column, start, rows) {
    const to = new array(rows)
    const { data } = column as { data: { [index: number]: number } }
    for (let row = 0; row < rows; row++) to[row] = data[start + row]!
    writeVector(vector, to)
  },
})

const integers = (
  type: string,
  logical: () => LogicalType,
  at: (column: Column, row: number) => bigint,
): ColumnEncoder => ({
  type,
  logical,
  fill(vector, column, start, rows) {
    const to = new BigInt64Array(rows)
    for (let row = 0; row < rows; row++) to[row] = at(column, start + row)
    writeVector(vector, to)
  },
})

const microsAt = (column: Column, row: number): bigint => {
  const ms = (column as { data: Float64Array }).data[row]!
  return Number.isFinite(ms) ? BigInt(Math.round(ms * 1000)) : 0n
}
const nanosAt = (column: Column, row: number): bigint =>
  microsAt(column, row) * 1000n + BigInt((column.kind === 'time' && column.nanos?.[row]) || 0)
const storedAt = (column: Column, row: number): bigint => (column as { data: BigInt64Array }).data[row]!
const dayMs = 86_400_000

const dates: ColumnEncoder = {
  type: 'DATE',
  logical: () => bind.create_logical_type(bind.Type.DATE),
  fill(vector, column, start, rows) {
    const to = new Int32Array(rows)
    const { data } = column as { data: Float64Array }
    for (let row = 0; row < rows; row++) {
      const ms = data[start + row]!
      to[row] = Number.isFinite(ms) ? Math.floor(ms / dayMs) : 0
    }
    writeVector(vector, to)
  },
}

/** Writes the values of a frame whose column has another kind than in the first frame. */
function writeTexts(vector: Vector, column: Column, start: number, rows: number): void {
  for (let row = 0; row < rows; row++) {
    const text = textAt(column, start + row)
    if (text !== null) bind.vector_assign_string_element_len(vector, row, Buffer.from(text))
  }
}

const texts: ColumnEncoder = {
  type: 'VARCHAR',
  logical: () => bind.create_logical_type(bind.Type.VARCHAR),
  fill(vector, column, start, rows) {
    if (column.kind !== 'string' && column.kind !== 'json') return writeTexts(vector, column, start, rows)
    const { text } = column
    const { bytes, offsets } = text.as === 'plain' ? text : text.words
    for (let row = 0; row < rows; row++) {
      if (isNull(column, start + row)) continue
      const word = text.as === 'plain' ? start + row : text.codes[start + row]!
      bind.vector_assign_string_element_len(vector, row, bytes.subarray(offsets[word]!, offsets[word + 1]!))
    }
  },
}

/** Integers below 32 bits, by the type names of the engines whose results have them. */
const narrowIntegers: Record<string, [type: string, logical: number, array: new (length: number) => Values]> = {
  TINYINT: ['TINYINT', bind.Type.TINYINT, Int8Array],
  INT8: ['TINYINT', bind.Type.TINYINT, Int8Array],
  UTINYINT: ['UTINYINT', bind.Type.UTINYINT, Uint8Array],
  UINT8: ['UTINYINT', bind.Type.UTINYINT, Uint8Array],
  SMALLINT: ['SMALLINT', bind.Type.SMALLINT, Int16Array],
  INT16: ['SMALLINT', bind.Type.SMALLINT, Int16Array],
  USMALLINT: ['USMALLINT', bind.Type.USMALLINT, Uint16Array],
  UINT16: ['USMALLINT', bind.Type.USMALLINT, Uint16Array],
}

function toColumnEncoder(column: Column): ColumnEncoder {
  const { Type } = bind
  switch (column.kind) {
    case 'number': {
      const { data, type } = column
      const isFloating = data instanceof Float64Array || data instanceof Float32Array
      if (isFloating)
        return /^(FLOAT|REAL|FLOAT4|FLOAT32)$/i.test(type ?? '')
          ? numbers('REAL', Type.FLOAT, Float32Array)
          : numbers('DOUBLE', Type.DOUBLE, Float64Array)
      const narrow = narrowIntegers[type?.toUpperCase() ?? '']
      if (narrow) return numbers(...narrow)
      if (data instanceof Uint32Array) return numbers('UINTEGER', Type.UINTEGER, Uint32Array)
      return numbers('INTEGER', Type.INTEGER, Int32Array)
    }
    case 'bigint': {
      if (hasMixedFrames(column.type)) return { ...texts, text: column }
      const wide = storedIntegerType(column.type)
      const encoder = integers('BIGINT', () => bind.create_logical_type(Type.BIGINT), storedAt)
      return wide ? { ...encoder, stored: wide } : encoder
    }
    case 'decimal': {
      const encoder = integers(
        `DECIMAL(18, ${column.scale})`,
        () => bind.create_decimal_type(18, column.scale),
        storedAt,
      )
      const own = storedDecimalType(column.type, column.scale)
      return own ? { ...encoder, stored: own } : encoder
    }
    case 'time':
      if (column.unit === 'date') return dates
      return column.unit === 'zoned'
        ? integers('TIMESTAMPTZ', () => bind.create_logical_type(Type.TIMESTAMP_TZ), microsAt)
        : column.type === 'TIMESTAMP_NS'
          ? integers('TIMESTAMP_NS', () => bind.create_logical_type(Type.TIMESTAMP_NS), nanosAt)
          : integers('TIMESTAMP', () => bind.create_logical_type(Type.TIMESTAMP), microsAt)
    case 'boolean':
      return numbers('BOOLEAN', Type.BOOLEAN, Uint8Array)
    default:
      return { ...texts, text: column }
  }
}

/** The engine ignores the case of names and does not allow empty ones. */
const toColumnNames = (columns: readonly Column[]): string[] =>
  makeNamesUnique(
    columns.map(({ name }) => name || 'column'),
    (name) => name.toLowerCase(),
  )
