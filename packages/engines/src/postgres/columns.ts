import type { Column, Validity } from '@parquetry/frame'
import type { FieldDef } from 'pg'
import { DictionaryEncoder } from '../shared/dictionary-encoder.ts'
import { cellTooLarge } from '../shared/too-large.ts'
import { arrayElements, oid, postgresResultTypeName } from './types.ts'
import {
  arrayToJson,
  hexToBase64,
  formatPostgresInterval,
  parsePostgresTime,
  parsePostgresDecimal,
  formatPostgresTimeOfDay,
} from './values.ts'

export type PostgresRow = readonly (string | null)[]

/** Builds column `at` of a frame from rows of text. */
export type PostgresColumnReader = (rows: readonly PostgresRow[]) => Column

const bitmap = (rows: number) => new Uint8Array(Math.ceil(rows / 8)).fill(0xff)

/**
 * Passes the text of each row to `put`, which returns false for one that counts as null (an infinite time).
 * @returns the bitmap of the rows with a value; null when all have one
 */
function each(
  rows: readonly PostgresRow[],
  index: number,
  writeValue: (text: string, row: number) => boolean | void,
): Validity {
  let validity: Uint8Array | null = null
  for (let row = 0; row < rows.length; row++) {
    const text = rows[row]![index]
    if (text !== null && text !== undefined && writeValue(text, row) !== false) continue
    validity ??= bitmap(rows.length)
    validity[row >> 3]! &= ~(1 << (row & 7))
  }
  return validity
}

const numberArrays = new Map<number, new (rows: number) => Int16Array | Int32Array | Uint32Array | Float64Array>([
  [oid.int2, Int16Array],
  [oid.int4, Int32Array],
  [oid.oid, Uint32Array],
  [oid.float4, Float64Array],
  [oid.float8, Float64Array],
])

const units = new Map([
  [oid.date as number, 'date' as const],
  [oid.timestamp, 'datetime' as const],
  [oid.timestamptz, 'zoned' as const],
])

/** Decimal places of a NUMERIC with at most 18 digits; null if its size is unknown or larger. */
export function computeDecimalScale({ dataTypeModifier }: Pick<FieldDef, 'dataTypeModifier'>): number | null {
  if (dataTypeModifier < 4) return null
  const precision = ((dataTypeModifier - 4) >> 16) & 0xffff
  const scale = (dataTypeModifier - 4) & 0x7ff
  return precision <= 18 && scale <= precision ? scale : null
}

/** @param cellBytes maximum size of a text in bytes */
export function createPostgresColumnReader(field: FieldDef, index: number, cellBytes: number): PostgresColumnReader {
  const typeId = field.dataTypeID
  const base = { name: field.name, type: postgresResultTypeName(typeId) }
  const NumberArray = numberArrays.get(typeId)
  if (NumberArray)
    return (rows) => {
      const data = new NumberArray(rows.length)
      return {
        ...base,
        kind: 'number',
        validity: each(rows, index, (text, row) => void (data[row] = Number(text))),
        data,
      }
    }
  if (typeId === oid.bool)
    return (rows) => {
      const data = new Uint8Array(rows.length)
      const validity = each(rows, index, (text, row) => void (data[row] = text === 't' ? 1 : 0))
      return { ...base, kind: 'boolean', validity, data }
    }
  if (typeId === oid.int8)
    return (rows) => {
      const data = new BigInt64Array(rows.length)
      return {
        ...base,
        kind: 'bigint',
        validity: each(rows, index, (text, row) => void (data[row] = BigInt(text))),
        data,
      }
    }
  const unit = units.get(typeId)
  if (unit)
    return (rows) => {
      const data = new Float64Array(rows.length)
      const validity = each(rows, index, (text, row) => {
        const value = parsePostgresTime(text)
        if (value !== null) data[row] = value
        return value !== null
      })
      return { ...base, kind: 'time', unit, validity, data }
    }
  const scale = typeId === oid.numeric ? computeDecimalScale(field) : null
  if (scale !== null)
    return (rows) => {
      const data = new BigInt64Array(rows.length)
      const validity = each(rows, index, (text, row) => {
        const value = parsePostgresDecimal(text, scale)
        if (value !== null) data[row] = value
        return value !== null
      })
      return { ...base, kind: 'decimal', scale, validity, data }
    }
  return textReader(base, typeId, index, cellBytes)
}

const converters = new Map<number, (text: string) => string>([
  [oid.bytea, hexToBase64],
  [oid.interval, formatPostgresInterval],
  [oid.time, formatPostgresTimeOfDay],
  [oid.timetz, formatPostgresTimeOfDay],
])

function textReader(
  base: Pick<Column, 'name' | 'type'>,
  typeId: number,
  index: number,
  cellBytes: number,
): PostgresColumnReader {
  const strings = new DictionaryEncoder()
  const element = arrayElements.get(typeId)
  const isJson = typeId === oid.json || typeId === oid.jsonb || element !== undefined
  const convert = element ? (text: string) => arrayToJson(text, element) : converters.get(typeId)
  const longest = Math.floor(cellBytes / 3)
  const isNumeric = typeId === oid.numeric
  return (rows) => {
    const values: (string | null)[] = rows.map(() => null)
    const validity = each(rows, index, (text, row) => {
      if (text.length > longest && Buffer.byteLength(text) > cellBytes) throw cellTooLarge(base.name, cellBytes)
      values[row] = convert ? convert(text) : text
      return true
    })
    const text = strings.encode(values)
    return {
      ...base,
      kind: isJson ? 'json' : 'string',
      validity,
      text,
      ...(isNumeric && { numeric: true }),
    }
  }
}
