import bind, { type LogicalType, type Vector } from '@duckdb/node-bindings'
import type { BigintColumn, Column, DecimalColumn, NumberColumn, TextColumn, Validity } from '@parquetry/frame'
import { TextBuilder } from '../shared/text-builder.ts'
import { cellTooLarge } from '../shared/too-large.ts'
import {
  bytesAt,
  createCellReader,
  decimalBytes,
  enumBytes,
  readEnumValues,
  int128At,
  integerAt,
  readVectorMemory,
} from './cells.ts'
import { Dictionary } from './dictionary.ts'
import { shortestSingleFloat } from '../shared/single-float.ts'
import { formatDuckdbType } from './format-type.ts'

const { Type } = bind

/** Copies the first `rows` values of a vector into a column. The vector's chunk must stay referenced meanwhile. */
export type DuckdbColumnReader = (vector: Vector, rows: number) => Column

const numbers: Partial<Record<number, { width: number; make: (buffer: ArrayBuffer) => NumberColumn['data'] }>> = {
  [Type.TINYINT]: { width: 1, make: (buffer) => new Int8Array(buffer) },
  [Type.UTINYINT]: { width: 1, make: (buffer) => new Uint8Array(buffer) },
  [Type.SMALLINT]: { width: 2, make: (buffer) => new Int16Array(buffer) },
  [Type.USMALLINT]: { width: 2, make: (buffer) => new Uint16Array(buffer) },
  [Type.INTEGER]: { width: 4, make: (buffer) => new Int32Array(buffer) },
  [Type.UINTEGER]: { width: 4, make: (buffer) => new Uint32Array(buffer) },
  [Type.FLOAT]: { width: 4, make: (buffer) => Float64Array.from(new Float32Array(buffer), shortestSingleFloat) },
  [Type.DOUBLE]: { width: 8, make: (buffer) => new Float64Array(buffer) },
}

/** Units of a TIMESTAMP per millisecond. */
const perMillisecond: Partial<Record<number, number>> = {
  [Type.TIMESTAMP]: 1e3,
  [Type.TIMESTAMP_TZ]: 1e3,
  [Type.TIMESTAMP_MS]: 1,
  [Type.TIMESTAMP_S]: 1e-3,
  [Type.TIMESTAMP_NS]: 1e6,
}

/** Types whose values may exceed 64 bits: `fits` of a result decides how the whole column is sent. */
export const canBeWide = (type: LogicalType): boolean => {
  const id = bind.get_type_id(type)
  return (
    id === Type.HUGEINT ||
    id === Type.UHUGEINT ||
    id === Type.UBIGINT ||
    (id === Type.DECIMAL && bind.decimal_width(type) > 18)
  )
}

const maxInt64 = 0x7fffffffffffffffn
const decimalBound = 10n ** 18n

/** True when all values of a wide column fit: integers into 64 bits, decimals into 18 digits. */
export function fitsNarrow(vector: Vector, type: LogicalType, rows: number): boolean {
  const id = bind.get_type_id(type)
  const { view } = readVectorMemory(vector, rows * (id === Type.UBIGINT ? 8 : 16))
  const valid = readValidity(vector, rows)
  const limit = id === Type.DECIMAL ? decimalBound - 1n : maxInt64
  for (let row = 0; row < rows; row++) {
    if (valid && !((valid[row >> 3]! >> (row & 7)) & 1)) continue
    const value = wideAt(view, id, row)
    if (value > limit || value < -limit) return false
  }
  return true
}

function wideAt(view: DataView, id: number, row: number): bigint {
  if (id === Type.UBIGINT) return view.getBigUint64(row * 8, true)
  const value = int128At(view, row)
  return id === Type.UHUGEINT ? BigInt.asUintN(128, value) : value
}

/** DuckDB's validity bitmap has the format of ours: a 1 bit marks a value, little-endian. */
function readValidity(vector: Vector, rows: number): Validity {
  const bitmap = bind.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null
  if (!bitmap) return null
  const bytes = bitmap.slice(0, Math.ceil(rows / 8))
  for (let row = 0; row < rows; row++) if (!((bytes[row >> 3]! >> (row & 7)) & 1)) return bytes
  return null
}

const isNullAt = (validity: Validity, row: number) =>
  validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0

/** Adds one null to the bitmap. */
function withNull(validity: Validity, rows: number, row: number): Uint8Array {
  const bytes = validity ?? new Uint8Array(Math.ceil(rows / 8)).fill(0xff)
  bytes[row >> 3]! &= ~(1 << (row & 7))
  return bytes
}

const copied = (vector: Vector, bytes: number): ArrayBuffer => {
  const memory = new ArrayBuffer(bytes)
  if (bytes) new Uint8Array(memory).set(bind.vector_get_data(vector, bytes))
  return memory
}

/**
 * @param isNarrow  for `canBeWide` types: every value fits, so the column is `bigint` or `decimal` instead of digits as text
 * @param cellBytes maximum size of a text in bytes
 */
export function createDuckdbColumnReader(
  name: string,
  type: LogicalType,
  isNarrow: boolean,
  cellBytes: number,
): DuckdbColumnReader {
  const id = bind.get_type_id(type)
  const base = { name, type: formatDuckdbType(type) }
  const number = numbers[id]
  if (number)
    return (vector, rows) => ({
      ...base,
      kind: 'number',
      validity: readValidity(vector, rows),
      data: number.make(copied(vector, rows * number.width)),
    })
  if (id === Type.BOOLEAN)
    return (vector, rows) => ({
      ...base,
      kind: 'boolean',
      validity: readValidity(vector, rows),
      data: new Uint8Array(copied(vector, rows)),
    })
  if (id === Type.BIGINT)
    return (vector, rows) => ({
      ...base,
      kind: 'bigint',
      validity: readValidity(vector, rows),
      data: new BigInt64Array(copied(vector, rows * 8)),
    })
  if (id === Type.DATE) return (vector, rows) => dates(base, vector, rows)
  const scale = perMillisecond[id]
  if (scale !== undefined)
    return (vector, rows) => times(base, vector, rows, scale, id === Type.TIMESTAMP_TZ ? 'zoned' : 'datetime')
  if (canBeWide(type) ? isNarrow : id === Type.DECIMAL) return createIntegerReader(base, type, id)
  if (id === Type.ENUM) return createEnumReader(base, type)
  if (id === Type.VARCHAR && !bind.logical_type_get_alias(type)) return createTextReader(base, cellBytes)
  return createCellTextReader(base, type, id, cellBytes)
}

type Base = Pick<Column, 'name' | 'type'>

function dates(base: Base, vector: Vector, rows: number): Column {
  const { raw } = readVectorMemory(vector, rows * 4)
  const days = new Int32Array(raw.buffer, raw.byteOffset, rows)
  const data = new Float64Array(rows)
  let validity = readValidity(vector, rows)
  for (let row = 0; row < rows; row++) {
    const day = days[row]!
    if (Math.abs(day) >= 0x7fffffff && !isNullAt(validity, row)) validity = withNull(validity, rows, row)
    data[row] = day * 86_400_000
  }
  return { ...base, kind: 'time', unit: 'date', validity, data }
}

/** Rounds down, so that the last nanosecond of a day is not the next day. */
const nanosOf = (nanos: bigint): number => Number(((nanos % 1000n) + 1000n) % 1000n)
const floorToMicros = (nanos: bigint): bigint => (nanos - BigInt(nanosOf(nanos))) / 1000n

/**
 * Computed from the two halves of the 64-bit integer: no BigInt per row, exact below 2^53; only nanoseconds are divided
 * as BigInt. Infinities become null.
 */
function times(base: Base, vector: Vector, rows: number, scale: number, unit: 'datetime' | 'zoned'): Column {
  const { raw } = readVectorMemory(vector, rows * 8)
  const halves = new Int32Array(raw.buffer, raw.byteOffset, rows * 2)
  const whole = scale === 1e6 ? new BigInt64Array(raw.buffer, raw.byteOffset, rows) : null
  const nanos = whole && Uint16Array.from(whole, nanosOf)
  const data = new Float64Array(rows)
  let validity = readValidity(vector, rows)
  for (let row = 0; row < rows; row++) {
    const low = halves[row * 2]! >>> 0
    const high = halves[row * 2 + 1]!
    const isInfinite = (high === 0x7fffffff && low === 0xffffffff) || (high === -0x80000000 && low <= 1)
    if (isInfinite && !isNullAt(validity, row)) validity = withNull(validity, rows, row)
    data[row] = whole ? Number(floorToMicros(whole[row]!)) / 1000 : (high * 4_294_967_296 + low) / scale
  }
  return { ...base, kind: 'time', unit, validity, data, ...(nanos?.some((each) => each > 0) && { nanos }) }
}

function createIntegerReader(base: Base, type: LogicalType, id: number): DuckdbColumnReader {
  const isDecimal = id === Type.DECIMAL
  const width = isDecimal ? decimalBytes(type) : id === Type.UBIGINT ? 8 : 16
  const scale = isDecimal ? bind.decimal_scale(type) : 0
  return (vector, rows) => {
    const validity = readValidity(vector, rows)
    const data = new BigInt64Array(rows)
    const { view } = readVectorMemory(vector, rows * width)
    for (let row = 0; row < rows; row++) if (!isNullAt(validity, row)) data[row] = integerAt(view, width, row)
    return isDecimal
      ? ({ ...base, kind: 'decimal', scale, validity, data } satisfies DecimalColumn)
      : ({ ...base, kind: 'bigint', validity, data } satisfies BigintColumn)
  }
}

function createEnumReader(base: Base, type: LogicalType): DuckdbColumnReader {
  const all = readEnumValues(type)
  const list = new TextBuilder(all.length)
  for (const value of all) list.push(value)
  const plain = list.build()
  const width = enumBytes(type)
  return (vector, rows) => {
    const memory = copied(vector, rows * width)
    const codes = width === 1 ? new Uint8Array(memory) : width === 2 ? new Uint16Array(memory) : new Uint32Array(memory)
    const validity = readValidity(vector, rows)
    for (let row = 0; row < rows; row++) if (isNullAt(validity, row)) codes[row] = 0
    return { ...base, kind: 'string', validity, text: { as: 'dictionary', codes, words: plain } }
  }
}

/** Number of rows after which a dictionary must have paid off. */
const trialRows = 4096

/** Encodes short texts with a dictionary as long as they repeat; all others stay plain. */
function createTextReader(base: Base, cellBytes: number): DuckdbColumnReader {
  const dictionary = new Dictionary()
  let rowsSeen = 0
  let isWorthIt = true
  return (vector, rows) => {
    const { raw, view } = readVectorMemory(vector, rows * 16)
    const validity = readValidity(vector, rows)
    const codes = isWorthIt ? toDictionaryCodes(dictionary, raw, validity, rows) : null
    rowsSeen += rows
    isWorthIt = codes !== null && (rowsSeen < trialRows || dictionary.size * 2 < rowsSeen)
    if (codes === null || dictionary.size === 0) return readPlainTexts(base, raw, view, validity, rows, cellBytes)
    return { ...base, kind: 'string', validity, text: { as: 'dictionary', codes, words: dictionary.words() } }
  }
}

/** Null when a text is longer than 12 bytes or the dictionary is full. */
function toDictionaryCodes(
  dictionary: Dictionary,
  raw: Uint8Array,
  validity: Validity,
  rows: number,
): Uint16Array | null {
  const lengths = new Uint32Array(raw.buffer, raw.byteOffset, rows * 4)
  const codes = new Uint16Array(rows)
  for (let row = 0; row < rows; row++) {
    if (isNullAt(validity, row)) continue
    if (lengths[row * 4]! > 12 || dictionary.isFull) return null
    codes[row] = dictionary.code(lengths, raw, row * 4)
  }
  return codes
}

function readPlainTexts(
  base: Base,
  raw: Uint8Array,
  view: DataView,
  validity: Validity,
  rows: number,
  cellBytes: number,
): TextColumn {
  const list = new TextBuilder(rows)
  for (let row = 0; row < rows; row++) {
    if (isNullAt(validity, row)) list.pushNull()
    else {
      if (view.getUint32(row * 16, true) > cellBytes) throw cellTooLarge(base.name, cellBytes)
      list.pushBytes(bytesAt(raw, view, row))
    }
  }
  return { ...base, kind: 'string', validity, text: list.build() }
}

const variable = new Set<number>([Type.VARCHAR, Type.BLOB, Type.BIT, Type.BIGNUM])
const nested = new Set<number>([Type.LIST, Type.MAP, Type.STRUCT, Type.ARRAY, Type.UNION])
const digits = new Set<number>([Type.HUGEINT, Type.UHUGEINT, Type.UBIGINT, Type.DECIMAL, Type.BIGNUM])

function createCellTextReader(base: Base, type: LogicalType, id: number, cellBytes: number): DuckdbColumnReader {
  const kind = nested.has(id) || bind.logical_type_get_alias(type) === 'JSON' ? 'json' : 'string'
  return (vector, rows) => {
    const values = createCellReader(vector, type, rows)
    const validity = id === Type.SQLNULL ? new Uint8Array(Math.ceil(rows / 8)) : readValidity(vector, rows)
    const lengths = variable.has(id) ? readVectorMemory(vector, rows * 16).view : null
    const list = new TextBuilder(rows)
    for (let row = 0; row < rows; row++) {
      if (values.isNull(row)) {
        list.pushNull()
        continue
      }
      if (lengths && lengths.getUint32(row * 16, true) > cellBytes) throw cellTooLarge(base.name, cellBytes)
      const text = values.text(row)
      if (text.length > cellBytes) throw cellTooLarge(base.name, cellBytes)
      list.push(text)
    }
    return { ...base, kind, validity, text: list.build(), ...(digits.has(id) && { numeric: true }) }
  }
}
