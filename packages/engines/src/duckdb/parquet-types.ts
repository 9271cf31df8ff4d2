import type { Column } from '@parquetry/frame'
import { quoteIdentifier } from './session.ts'

/** A type in which the texts of a column may be stored in a Parquet file. */
export interface StoredType {
  /** Name of the type in the engine. */
  type: string
  /** SQL that converts the text `value`. */
  convert(value: string): string
}

const castTo = (type: string): StoredType => ({ type, convert: (value) => `CAST(${value} AS ${type})` })

/** Parquet has no integers over 64 bits; the engine would write them as doubles. */
const wideInteger = 'DECIMAL(38, 0)'

const exactTypes: Record<string, string> = {
  HUGEINT: wideInteger,
  UHUGEINT: wideInteger,
  BIGNUM: wideInteger,
  INT128: wideInteger,
  UINT128: wideInteger,
  UBIGINT: 'UBIGINT',
  UINT64: 'UBIGINT',
  UUID: 'UUID',
  TIME: 'TIME',
}

/** Types whose values arrive as base64 text. */
const binaryTypes = new Set(['BLOB', 'BYTEA', 'VARBINARY'])

/** Stored type of integers that may exceed 64 bits, whether or not they do. */
export const storedIntegerType = (type: string | null): string | undefined => {
  const stored = exactTypes[type?.toUpperCase() ?? '']
  return stored === wideInteger || type?.toUpperCase() === 'UBIGINT' ? stored : undefined
}

/** Type of a decimal with its own precision, `DECIMAL(10, 2)`; undefined if it is unknown or over 38 digits. */
export function storedDecimalType(type: string | null, scale?: number): string | undefined {
  const [, precision, places = '0'] = /^(?:NEW)?(?:DECIMAL|NUMERIC)\((\d+)(?:, ?(\d+))?\)$/i.exec(type ?? '') ?? []
  if (precision === undefined || Number(precision) > 38 || (scale !== undefined && Number(places) !== scale))
    return undefined
  return `DECIMAL(${precision}, ${places})`
}

/**
 * Types in which a text column may be stored: the first one that fits all of its values is used, or the column stays text.
 * @param scale  largest number of decimal places among the values
 */
export function listStoredTypes({ kind, type, ...column }: Column, scale: number): StoredType[] {
  const name = type?.toUpperCase() ?? ''
  if (kind === 'json') {
    const nested = type === null ? null : parseNestedType(type)
    return nested === null ? [] : [{ type: nested, convert: (value) => `CAST(CAST(${value} AS JSON) AS ${nested})` }]
  }
  if (binaryTypes.has(name)) return [{ type: 'BLOB', convert: (value) => `from_base64(${value})` }]
  const isNumeric = kind !== 'string' || ('numeric' in column && column.numeric === true)
  const stored = exactTypes[name] ?? (isNumeric ? storedDecimalType(type) : undefined)
  if (stored) return [castTo(stored)]
  if (!isNumeric) return []
  const integers = name === 'LONGLONG' ? ['BIGINT', 'UBIGINT'] : []
  return [...integers, ...(scale < 38 ? [`DECIMAL(38, ${scale})`] : [])].map(castTo)
}

/** Integers whose frames hold numbers or, if one of them exceeds 64 bits, text. */
const mixedIntegers = new Set(['UINT64', 'INT128', 'UINT128', 'INT256', 'UINT256', 'LONGLONG'])
export const hasMixedFrames = (type: string | null): boolean => mixedIntegers.has(type?.toUpperCase() ?? '')

/** Types inside lists and structs that JSON represents without loss and Parquet stores as they are. */
const plainTypes: Record<string, string> = Object.fromEntries(
  [
    ...'BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT FLOAT DOUBLE VARCHAR DATE UUID'.split(
      ' ',
    ),
    'TIMESTAMP',
    'TIMESTAMP WITH TIME ZONE',
  ].map((name) => [name, name]),
)
plainTypes['TEXT'] = 'VARCHAR'

/**
 * Writes the name of a list, struct or map type as SQL with quoted field names; null if it contains a type or a field name that is
 * not supported here.
 */
export function parseNestedType(type: string): string | null {
  let at = 0
  const skip = (text: string): boolean => {
    if (!type.startsWith(text, at)) return false
    at += text.length
    return true
  }
  const match = (pattern: RegExp): string | null => {
    const [found] = pattern.exec(type.slice(at)) ?? []
    if (found !== undefined) at += found.length
    return found ?? null
  }
  const read = (): string | null => {
    const inner = skip('STRUCT(') ? readStruct() : skip('MAP(') ? readMap() : readPlain()
    const lists = inner && match(/^(\[\d*\])*/)
    return inner && `${inner}${lists ?? ''}`
  }
  const readPlain = (): string | null => {
    const name = match(/^TIMESTAMP WITH TIME ZONE|^[A-Z]+/)
    return (name && plainTypes[name]) ?? null
  }
  const readStruct = (): string | null => {
    const fields: string[] = []
    do {
      const name = match(/^\w+(?= )/)
      const field = name && skip(' ') ? read() : null
      if (!field) return null
      fields.push(`${quoteIdentifier(name!)} ${field}`)
    } while (skip(', '))
    return skip(')') ? `STRUCT(${fields.join(', ')})` : null
  }
  const readMap = (): string | null => {
    const key = read()
    const value = key && skip(', ') ? read() : null
    return value && skip(')') ? `MAP(${key}, ${value})` : null
  }
  const whole = read()
  return whole !== null && at === type.length && whole !== plainTypes[type] ? whole : null
}
