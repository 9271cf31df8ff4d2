import type { Column, Validity } from '@parquetry/frame'
import { DictionaryEncoder } from '../shared/dictionary-encoder.ts'
import { cellTooLarge } from '../shared/too-large.ts'
import { typeCodes, mysqlResultTypeName } from './types.ts'
import type { MysqlField, MysqlRow, MysqlValue } from './row-stream.ts'
import { parseMysqlTime, parseMysqlDecimal, formatMysqlTimeOfDay } from './values.ts'

/** Builds column `at` of a frame from rows. */
export type MysqlColumnReader = (rows: readonly MysqlRow[]) => Column
type Base = Pick<Column, 'name' | 'type'>

const binaryCharset = 63
const unsignedFlag = 32

/** Passes the value of each row to `put`, which returns false for one that counts as null. */
function each(
  rows: readonly MysqlRow[],
  index: number,
  writeValue: (value: NonNullable<MysqlValue>, row: number) => boolean | void,
): Validity {
  let validity: Uint8Array | null = null
  for (let row = 0; row < rows.length; row++) {
    const value = rows[row]![index]
    if (value !== null && value !== undefined && writeValue(value, row) !== false) continue
    validity ??= new Uint8Array(Math.ceil(rows.length / 8)).fill(0xff)
    validity[row >> 3]! &= ~(1 << (row & 7))
  }
  return validity
}

const units = new Map<number, 'date' | 'datetime'>([
  [typeCodes.date, 'date'],
  [typeCodes.newdate, 'date'],
  [typeCodes.datetime, 'datetime'],
  [typeCodes.timestamp, 'datetime'],
])
type IntegerArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
type IntegerArrayType = new (length: number) => IntegerArray

/** Arrays for signed and unsigned integers of each type. */
const integers = new Map<number, [signed: IntegerArrayType, unsigned: IntegerArrayType]>([
  [typeCodes.tiny, [Int8Array, Uint8Array]],
  [typeCodes.short, [Int16Array, Uint16Array]],
  [typeCodes.int24, [Int32Array, Uint32Array]],
  [typeCodes.long, [Int32Array, Uint32Array]],
  [typeCodes.year, [Uint16Array, Uint16Array]],
])

/** @param cellBytes maximum size of a text in bytes */
export function createMysqlColumnReader(field: MysqlField, index: number, cellBytes: number): MysqlColumnReader {
  const base = { name: field.name, type: mysqlResultTypeName(field.columnType) }
  const unit = units.get(field.columnType)
  if (unit) return timeReader(base, index, unit)
  const integer = integers.get(field.columnType)
  if (integer) return integerReader(base, index, integer[(field.flags & unsignedFlag) === 0 ? 0 : 1])
  if (field.columnType === typeCodes.double) return numberReader(base, index, Number)
  // A FLOAT has seven digits; further ones come from the double it is stored in.
  if (field.columnType === typeCodes.float)
    return numberReader(base, index, (value) => Number(Number(value).toPrecision(7)))
  if (field.columnType === typeCodes.bit && field.columnLength <= 48) return bitReader(base, index)
  if (field.columnType === typeCodes.longlong)
    return bigintReader(base, index, (field.flags & unsignedFlag) !== 0, cellBytes)
  const scale = computeDecimalScale(field)
  if (scale !== null) return decimalReader(base, index, scale)
  return textReader(field, base, index, cellBytes)
}

/** Decimal places of a DECIMAL with at most 18 digits, else null. Its length includes a sign and a point. */
function computeDecimalScale({ columnType, columnLength, decimals, flags }: MysqlField): number | null {
  if (columnType !== typeCodes.newdecimal && columnType !== typeCodes.decimal) return null
  const digits = columnLength - (decimals > 0 ? 1 : 0) - ((flags & unsignedFlag) === 0 ? 1 : 0)
  return digits <= 18 && decimals <= digits ? decimals : null
}

const bits = (value: MysqlValue): number => (Buffer.isBuffer(value) ? value.readUIntBE(0, value.length) : Number(value))

const numberReader =
  (base: Base, index: number, read: (value: MysqlValue) => number): MysqlColumnReader =>
  (rows) => {
    const data = new Float64Array(rows.length)
    const validity = each(rows, index, (value, row) => void (data[row] = read(value)))
    return { ...base, kind: 'number', validity, data }
  }

const integerReader =
  (base: Base, index: number, array: IntegerArrayType): MysqlColumnReader =>
  (rows) => {
    const data = new array(rows.length)
    const validity = each(rows, index, (value, row) => void (data[row] = Number(value)))
    return { ...base, kind: 'number', validity, data }
  }

const bitReader =
  (base: Base, index: number): MysqlColumnReader =>
  (rows) => {
    const data = new BigInt64Array(rows.length)
    const validity = each(rows, index, (value, row) => void (data[row] = BigInt(bits(value))))
    return { ...base, kind: 'bigint', validity, data }
  }

const decimalReader =
  (base: Base, index: number, scale: number): MysqlColumnReader =>
  (rows) => {
    const data = new BigInt64Array(rows.length)
    const validity = each(rows, index, (value, row) => void (data[row] = parseMysqlDecimal(String(value), scale)))
    return { ...base, kind: 'decimal', scale, validity, data }
  }

function timeReader(base: Base, index: number, unit: 'date' | 'datetime'): MysqlColumnReader {
  return (rows) => {
    const data = new Float64Array(rows.length)
    const validity = each(rows, index, (value, row) => {
      const time = parseMysqlTime(String(value))
      if (time !== null) data[row] = time
      return time !== null
    })
    return { ...base, kind: 'time', unit, validity, data }
  }
}

const maxInt64Text = '9223372036854775807'

/** Unsigned values may exceed signed 64 bits: a frame with such a value contains digits as text. */
function bigintReader(base: Base, index: number, isUnsigned: boolean, cellBytes: number): MysqlColumnReader {
  const strings = new DictionaryEncoder()
  const isLarge = (value: MysqlValue | undefined) =>
    typeof value === 'string' &&
    value.length >= maxInt64Text.length &&
    (value.length > maxInt64Text.length || value > maxInt64Text)
  return (rows) => {
    if (isUnsigned && rows.some((row) => isLarge(row[index])))
      return { ...textColumn(rows, index, base, strings, cellBytes, String), kind: 'string', numeric: true }
    const data = new BigInt64Array(rows.length)
    const validity = each(rows, index, (value, row) => void (data[row] = BigInt(value as string | number)))
    return { ...base, kind: 'bigint', validity, data }
  }
}

function textReader(field: MysqlField, base: Base, index: number, cellBytes: number): MysqlColumnReader {
  const strings = new DictionaryEncoder()
  const { columnType } = field
  const isNumeric =
    columnType === typeCodes.newdecimal || columnType === typeCodes.decimal || columnType === typeCodes.bit
  const isJson = columnType === typeCodes.json || columnType === typeCodes.geometry || field.extendedFormat === 'json'
  const isBinary = field.characterSet === binaryCharset
  const read =
    columnType === typeCodes.time
      ? (value: MysqlValue) => formatMysqlTimeOfDay(String(value))
      : isBinary && !isNumeric
        ? binary
        : plain
  return (rows) => ({
    ...textColumn(rows, index, base, strings, cellBytes, read),
    kind: isJson ? 'json' : 'string',
    ...(isNumeric && { numeric: true }),
  })
}

function textColumn(
  rows: readonly MysqlRow[],
  index: number,
  base: Base,
  strings: DictionaryEncoder,
  cellBytes: number,
  read: (value: NonNullable<MysqlValue>) => string,
) {
  const longest = Math.floor(cellBytes / 3)
  const values: (string | null)[] = rows.map(() => null)
  const validity = each(rows, index, (value, row) => {
    const text = read(value)
    if (text.length > longest && Buffer.byteLength(text) > cellBytes) throw cellTooLarge(base.name, cellBytes)
    values[row] = text
  })
  return { ...base, validity, text: strings.encode(values) }
}

/** Points and similar values arrive as objects, long BITs as bytes. */
function plain(value: NonNullable<MysqlValue>): string {
  if (Buffer.isBuffer(value)) return String(value.length ? BigInt(`0x${value.toString('hex')}`) : 0n)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const binary = (value: NonNullable<MysqlValue>): string =>
  Buffer.isBuffer(value) ? value.toString('base64') : plain(value)
