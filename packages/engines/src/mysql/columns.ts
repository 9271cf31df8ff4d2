import type { Column, Validity } from '@parquetry/frame'
import { Strings } from '../shared/strings.ts'
import { tooLong } from '../shared/too-long.ts'
import { code, resultTypeName } from './types.ts'
import type { Field, Row, Value } from './rows.ts'
import { milliseconds, scaledInteger, time } from './values.ts'

/** Makes column `at` of a frame from rows. */
export type ReadColumn = (rows: readonly Row[]) => Column
type Base = Pick<Column, 'name' | 'type'>

const binaryCharset = 63
const unsignedFlag = 32

/** The value of each row through `put`, which answers false for one that counts as null. */
function each(
  rows: readonly Row[],
  at: number,
  put: (value: NonNullable<Value>, row: number) => boolean | void,
): Validity {
  let validity: Uint8Array | null = null
  for (let row = 0; row < rows.length; row++) {
    const value = rows[row]![at]
    if (value !== null && value !== undefined && put(value, row) !== false) continue
    validity ??= new Uint8Array(Math.ceil(rows.length / 8)).fill(0xff)
    validity[row >> 3]! &= ~(1 << (row & 7))
  }
  return validity
}

const units = new Map<number, 'date' | 'datetime'>([
  [code.date, 'date'],
  [code.newdate, 'date'],
  [code.datetime, 'datetime'],
  [code.timestamp, 'datetime'],
])
const numbers = new Set<number>([code.tiny, code.short, code.long, code.int24, code.year, code.double])

/** @param cellBytes largest text */
export function columnReader(field: Field, at: number, cellBytes: number): ReadColumn {
  const base = { name: field.name, type: resultTypeName(field.columnType) }
  const unit = units.get(field.columnType)
  if (unit) return timeReader(base, at, unit)
  if (numbers.has(field.columnType)) return numberReader(base, at, Number)
  // A FLOAT has seven digits; the others are those of the double that it was put into.
  if (field.columnType === code.float) return numberReader(base, at, (value) => Number(Number(value).toPrecision(7)))
  if (field.columnType === code.bit && field.columnLength <= 48) return numberReader(base, at, bits)
  if (field.columnType === code.longlong) return bigintReader(base, at, (field.flags & unsignedFlag) !== 0, cellBytes)
  const scale = scaleOf(field)
  if (scale !== null) return decimalReader(base, at, scale)
  return textReader(field, base, at, cellBytes)
}

/** Digits after the point of a DECIMAL that fits 18 digits. Its length counts a sign and a point. */
function scaleOf({ columnType, columnLength, decimals, flags }: Field): number | null {
  if (columnType !== code.newdecimal && columnType !== code.decimal) return null
  const digits = columnLength - (decimals > 0 ? 1 : 0) - ((flags & unsignedFlag) === 0 ? 1 : 0)
  return digits <= 18 && decimals <= digits ? decimals : null
}

const bits = (value: Value): number => (Buffer.isBuffer(value) ? value.readUIntBE(0, value.length) : Number(value))

const numberReader =
  (base: Base, at: number, read: (value: Value) => number): ReadColumn =>
  (rows) => {
    const data = new Float64Array(rows.length)
    const validity = each(rows, at, (value, row) => void (data[row] = read(value)))
    return { ...base, kind: 'number', validity, data }
  }

const decimalReader =
  (base: Base, at: number, scale: number): ReadColumn =>
  (rows) => {
    const data = new BigInt64Array(rows.length)
    const validity = each(rows, at, (value, row) => void (data[row] = scaledInteger(String(value), scale)))
    return { ...base, kind: 'decimal', scale, validity, data }
  }

function timeReader(base: Base, at: number, unit: 'date' | 'datetime'): ReadColumn {
  return (rows) => {
    const data = new Float64Array(rows.length)
    const validity = each(rows, at, (value, row) => {
      const time = milliseconds(String(value))
      if (time !== null) data[row] = time
      return time !== null
    })
    return { ...base, kind: 'time', unit, validity, data }
  }
}

const largest = '9223372036854775807'

/** Unsigned ones may be too large for 64 bits with a sign: the rows of such a frame come as digits. */
function bigintReader(base: Base, at: number, isUnsigned: boolean, cellBytes: number): ReadColumn {
  const strings = new Strings()
  const isLarge = (value: Value | undefined) =>
    typeof value === 'string' && value.length >= largest.length && (value.length > largest.length || value > largest)
  return (rows) => {
    if (isUnsigned && rows.some((row) => isLarge(row[at])))
      return { ...textColumn(rows, at, base, strings, cellBytes, String), kind: 'string', numeric: true }
    const data = new BigInt64Array(rows.length)
    const validity = each(rows, at, (value, row) => void (data[row] = BigInt(value as string | number)))
    return { ...base, kind: 'bigint', validity, data }
  }
}

function textReader(field: Field, base: Base, at: number, cellBytes: number): ReadColumn {
  const strings = new Strings()
  const { columnType } = field
  const isNumeric = columnType === code.newdecimal || columnType === code.decimal || columnType === code.bit
  const isJson = columnType === code.json || columnType === code.geometry || field.extendedFormat === 'json'
  const isBinary = field.characterSet === binaryCharset
  const read =
    columnType === code.time ? (value: Value) => time(String(value)) : isBinary && !isNumeric ? binary : plain
  return (rows) => ({
    ...textColumn(rows, at, base, strings, cellBytes, read),
    kind: isJson ? 'json' : 'string',
    ...(isNumeric && { numeric: true }),
  })
}

function textColumn(
  rows: readonly Row[],
  at: number,
  base: Base,
  strings: Strings,
  cellBytes: number,
  read: (value: NonNullable<Value>) => string,
) {
  const longest = Math.floor(cellBytes / 3)
  const values: (string | null)[] = rows.map(() => null)
  const validity = each(rows, at, (value, row) => {
    const text = read(value)
    if (text.length > longest && Buffer.byteLength(text) > cellBytes) throw tooLong(base.name, cellBytes)
    values[row] = text
  })
  return { ...base, validity, text: strings.text(values) }
}

/** Points and their kin come as objects, long BITs as bytes. */
function plain(value: NonNullable<Value>): string {
  if (Buffer.isBuffer(value)) return String(value.length ? BigInt(`0x${value.toString('hex')}`) : 0n)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const binary = (value: NonNullable<Value>): string => (Buffer.isBuffer(value) ? value.toString('base64') : plain(value))
