import bind, { type LogicalType, type Vector } from '@duckdb/node-bindings'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { formatDate, formatInterval, formatOffset, formatTimestamp, formatTime } from '../shared/format-time.ts'
import { shortestSingleFloat } from '../shared/single-float.ts'
import { formatDuckdbType } from './format-type.ts'

const { Type } = bind

/** Reads single values of one vector as text. Check `isNull` first: the memory of a null is garbage. */
export interface CellReader {
  isNull(row: number): boolean
  /** The value as plain text. */
  text(row: number): string
  /** The value as JSON text. */
  json(row: number): string
}

/** Bytes of a text or blob in place. A long one is read through the pointer in its cell, so it must not be a null. */
export function bytesAt(raw: Uint8Array, view: DataView, row: number): Uint8Array {
  const at = row * 16
  const length = view.getUint32(at, true)
  return length <= 12
    ? raw.subarray(at + 4, at + 4 + length)
    : bind.get_data_from_pointer(raw.buffer as ArrayBuffer, raw.byteOffset + at + 8, length)
}

const utf8 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

type Text = (view: DataView, raw: Uint8Array, row: number) => string

const fixedWidthTypes: Partial<Record<number, { width: number; text: Text; isBare?: boolean }>> = {
  [Type.BOOLEAN]: { width: 1, text: (_, raw, row) => (raw[row] ? 'true' : 'false'), isBare: true },
  [Type.TINYINT]: { width: 1, text: (view, _, row) => String(view.getInt8(row)), isBare: true },
  [Type.UTINYINT]: { width: 1, text: (view, _, row) => String(view.getUint8(row)), isBare: true },
  [Type.SMALLINT]: { width: 2, text: (view, _, row) => String(view.getInt16(row * 2, true)), isBare: true },
  [Type.USMALLINT]: { width: 2, text: (view, _, row) => String(view.getUint16(row * 2, true)), isBare: true },
  [Type.INTEGER]: { width: 4, text: (view, _, row) => String(view.getInt32(row * 4, true)), isBare: true },
  [Type.UINTEGER]: { width: 4, text: (view, _, row) => String(view.getUint32(row * 4, true)), isBare: true },
  [Type.BIGINT]: { width: 8, text: (view, _, row) => String(view.getBigInt64(row * 8, true)), isBare: true },
  [Type.UBIGINT]: { width: 8, text: (view, _, row) => String(view.getBigUint64(row * 8, true)), isBare: true },
  [Type.HUGEINT]: { width: 16, text: (view, _, row) => String(int128At(view, row)), isBare: true },
  [Type.UHUGEINT]: {
    width: 16,
    text: (view, _, row) => String(BigInt.asUintN(128, int128At(view, row))),
    isBare: true,
  },
  [Type.FLOAT]: {
    width: 4,
    text: (view, _, row) => float(shortestSingleFloat(view.getFloat32(row * 4, true))),
    isBare: true,
  },
  [Type.DOUBLE]: { width: 8, text: (view, _, row) => float(view.getFloat64(row * 8, true)), isBare: true },
  [Type.DATE]: { width: 4, text: (view, _, row) => formatDateOrInfinity(view.getInt32(row * 4, true)) },
  [Type.TIMESTAMP]: { width: 8, text: (view, _, row) => instant(view.getBigInt64(row * 8, true), 1n) },
  [Type.TIMESTAMP_TZ]: { width: 8, text: (view, _, row) => `${instant(view.getBigInt64(row * 8, true), 1n)}+00:00` },
  [Type.TIMESTAMP_MS]: { width: 8, text: (view, _, row) => instant(view.getBigInt64(row * 8, true), 1000n) },
  [Type.TIMESTAMP_S]: { width: 8, text: (view, _, row) => instant(view.getBigInt64(row * 8, true), 1_000_000n) },
  [Type.TIMESTAMP_NS]: { width: 8, text: (view, _, row) => instant(view.getBigInt64(row * 8, true), 0n) },
  [Type.TIME]: { width: 8, text: (view, _, row) => formatTime(Number(view.getBigInt64(row * 8, true))) },
  [Type.TIME_NS]: { width: 8, text: (view, _, row) => formatTime(Number(view.getBigInt64(row * 8, true) / 1000n)) },
  [Type.TIME_TZ]: { width: 8, text: (view, _, row) => zonedTime(view.getBigUint64(row * 8, true)) },
  [Type.INTERVAL]: {
    width: 16,
    text: (view, _, row) =>
      formatInterval(
        view.getInt32(row * 16, true),
        view.getInt32(row * 16 + 4, true),
        view.getBigInt64(row * 16 + 8, true),
      ),
  },
  [Type.UUID]: { width: 16, text: (view, _, row) => uuid(int128At(view, row)) },
  [Type.VARCHAR]: { width: 16, text: (view, raw, row) => utf8(bytesAt(raw, view, row)) },
  [Type.BLOB]: { width: 16, text: (view, raw, row) => Buffer.from(bytesAt(raw, view, row)).toString('base64') },
  [Type.BIT]: { width: 16, text: (view, raw, row) => bits(bytesAt(raw, view, row)) },
  [Type.BIGNUM]: { width: 16, text: (view, raw, row) => String(bignum(bytesAt(raw, view, row))), isBare: true },
}

/** A signed 128-bit integer: low word, then high word. */
export const int128At = (view: DataView, row: number): bigint =>
  (view.getBigInt64(row * 16 + 8, true) << 64n) | view.getBigUint64(row * 16, true)

/** JSON has no NaN and infinities, so they are texts in it. */
const float = (n: number) => (Number.isFinite(n) ? String(n) : `"${n}"`)

const infinity = (isNegative: boolean) => (isNegative ? '-infinity' : 'infinity')

const formatDateOrInfinity = (days: number) => (Math.abs(days) >= 0x7fffffff ? infinity(days < 0) : formatDate(days))

function instant(value: bigint, scale: bigint): string {
  if (value >= 0x7fffffffffffffffn || value <= -0x7fffffffffffffffn) return infinity(value < 0n)
  return formatTimestamp(scale === 0n ? floorDivide(value, 1000n) : value * scale)
}

/** Rounds down also before 1970: times are cut. */
const floorDivide = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by

/** 40 bits of microseconds, then 24 bits that contain 57,599 minus the offset in seconds. */
const zonedTime = (value: bigint) =>
  `${formatTime(Number(value >> 24n))}${formatOffset(57_599 - Number(value & 0xffffffn))}`

/** The top bit is inverted in memory, so that UUIDs sort as signed integers. */
function uuid(value: bigint): string {
  const hex = BigInt.asUintN(128, value ^ (1n << 127n))
    .toString(16)
    .padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The first byte is the number of padding bits in the second one. */
const bits = (bytes: Uint8Array) =>
  [...bytes.subarray(1)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(bytes[0])

/** Three bytes of sign and size, then the magnitude, big-endian; all bytes are inverted for negative numbers. */
function bignum(bytes: Uint8Array): bigint {
  const isNegative = (bytes[0]! & 0x80) === 0
  let value = 0n
  for (const byte of bytes.subarray(3)) value = (value << 8n) | BigInt(isNegative ? ~byte & 0xff : byte)
  return isNegative ? -value : value
}

/** Writes a scaled integer with its decimal point. */
export function formatScaledInteger(value: bigint, scale: number): string {
  if (scale === 0) return String(value)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const integerBytes: Partial<Record<number, number>> = {
  [Type.SMALLINT]: 2,
  [Type.INTEGER]: 4,
  [Type.BIGINT]: 8,
  [Type.HUGEINT]: 16,
}

/** Bytes per scaled integer of a DECIMAL. */
export const decimalBytes = (type: LogicalType): number => integerBytes[bind.decimal_internal_type(type)]!

export const integerAt = (view: DataView, width: number, row: number): bigint => {
  if (width === 16) return int128At(view, row)
  if (width === 8) return view.getBigInt64(row * 8, true)
  return BigInt(width === 4 ? view.getInt32(row * 4, true) : view.getInt16(row * 2, true))
}

/** Bytes per code of an ENUM. */
export const enumBytes = (type: LogicalType): 1 | 2 | 4 =>
  ({ [Type.UTINYINT]: 1, [Type.USMALLINT]: 2, [Type.UINTEGER]: 4 } as Record<number, 1 | 2 | 4>)[
    bind.enum_internal_type(type)
  ]!

export const readEnumValues = (type: LogicalType): string[] =>
  Array.from({ length: bind.enum_dictionary_size(type) }, (_, i) => bind.enum_dictionary_value(type, i))

/** Memory of a vector as bytes and as a view; valid as long as its chunk is referenced. */
export function readVectorMemory(vector: Vector, bytes: number): { raw: Uint8Array; view: DataView } {
  const raw = bind.vector_get_data(vector, bytes)
  return { raw, view: new DataView(raw.buffer, raw.byteOffset, raw.byteLength) }
}

function createNullCheck(vector: Vector, rows: number): (row: number) => boolean {
  const valid = bind.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null
  return valid ? (row) => ((valid[row >> 3]! >> (row & 7)) & 1) === 0 : () => false
}

/** @throws AppError `unsupported` for a type whose memory layout is not known here */
export function createCellReader(vector: Vector, type: LogicalType, rows: number): CellReader {
  const isNull = createNullCheck(vector, rows)
  const id = bind.get_type_id(type)
  const nested = nestedCells(vector, type, id, rows)
  if (nested) return { isNull, text: nested, json: nested }
  if (id === Type.DECIMAL) {
    const width = decimalBytes(type)
    const scale = bind.decimal_scale(type)
    const { view } = readVectorMemory(vector, rows * width)
    const text = (row: number) => formatScaledInteger(integerAt(view, width, row), scale)
    return { isNull, text, json: text }
  }
  if (id === Type.ENUM) {
    const enumValues = readEnumValues(type)
    const width = enumBytes(type)
    const { view } = readVectorMemory(vector, rows * width)
    const text = (row: number) =>
      enumValues[
        width === 1 ? view.getUint8(row) : width === 2 ? view.getUint16(row * 2, true) : view.getUint32(row * 4, true)
      ]!
    return { isNull, text, json: (row) => JSON.stringify(text(row)) }
  }
  if (id === Type.SQLNULL) return { isNull: () => true, text: () => '', json: () => 'null' }
  const known = fixedWidthTypes[id]
  if (!known)
    throw new AppError('unsupported', {
      message: message(
        'errors.engines.typeNotShown',
        'Values of type {type} cannot be displayed. Cast them to VARCHAR.',
        {
          type: formatDuckdbType(type),
        },
      ),
    })
  const { raw, view } = readVectorMemory(vector, rows * known.width)
  const text = (row: number) => known.text(view, raw, row)
  const isJson = bind.logical_type_get_alias(type) === 'JSON'
  return { isNull, text, json: known.isBare || isJson ? text : (row) => JSON.stringify(text(row)) }
}

const jsonAt = (cells: CellReader, row: number) => (cells.isNull(row) ? 'null' : cells.json(row))

function nestedCells(vector: Vector, type: LogicalType, id: number, rows: number): ((row: number) => string) | null {
  if (id === Type.LIST || id === Type.MAP) {
    const { view } = readVectorMemory(vector, rows * 16)
    const size = bind.list_vector_get_size(vector)
    const child = bind.list_vector_get_child(vector)
    const range = (row: number) => {
      const start = Number(view.getBigUint64(row * 16, true))
      return Array.from({ length: Number(view.getBigUint64(row * 16 + 8, true)) }, (_, i) => start + i)
    }
    if (id === Type.LIST) {
      const cells = createCellReader(child, bind.list_type_child_type(type), size)
      return (row) =>
        `[${range(row)
          .map((index) => jsonAt(cells, index))
          .join(', ')}]`
    }
    const keys = createCellReader(bind.struct_vector_get_child(child, 0), bind.map_type_key_type(type), size)
    const values = createCellReader(bind.struct_vector_get_child(child, 1), bind.map_type_value_type(type), size)
    return (row) =>
      `{${range(row)
        .map((index) => `${JSON.stringify(keys.text(index))}: ${jsonAt(values, index)}`)
        .join(', ')}}`
  }
  if (id === Type.ARRAY) {
    const length = bind.array_type_array_size(type)
    const cells = createCellReader(bind.array_vector_get_child(vector), bind.array_type_child_type(type), rows * length)
    return (row) => `[${Array.from({ length }, (_, i) => jsonAt(cells, row * length + i)).join(', ')}]`
  }
  if (id === Type.STRUCT) {
    const fields = Array.from({ length: bind.struct_type_child_count(type) }, (_, i) => ({
      name: JSON.stringify(bind.struct_type_child_name(type, i)),
      cells: createCellReader(bind.struct_vector_get_child(vector, i), bind.struct_type_child_type(type, i), rows),
    }))
    return (row) => `{${fields.map(({ name, cells }) => `${name}: ${jsonAt(cells, row)}`).join(', ')}}`
  }
  if (id === Type.UNION) {
    const { view } = readVectorMemory(bind.struct_vector_get_child(vector, 0), rows)
    const members = Array.from({ length: bind.union_type_member_count(type) }, (_, i) =>
      createCellReader(bind.struct_vector_get_child(vector, i + 1), bind.union_type_member_type(type, i), rows),
    )
    return (row) => jsonAt(members[view.getUint8(row)]!, row)
  }
  return null
}
