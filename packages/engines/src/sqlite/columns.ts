import type { Column, Validity } from '@parquetry/frame'
import type { FrameKind } from '@parquetry/model'
import { DictionaryEncoder } from '../shared/dictionary-encoder.ts'
import { cellTooLarge } from '../shared/too-large.ts'
import { parseDeclaredKind } from './types.ts'

/** A value as the client returns it: integers as bigint, reals as number. */
export type SqliteValue = bigint | number | string | Buffer | null
export type SqliteRow = readonly SqliteValue[]

export interface SqliteField {
  name: string
  /** Declared type of the column; null for an expression. */
  type: string | null
}

/** Builds one column of a frame from rows. */
export type SqliteColumnReader = (rows: readonly SqliteRow[]) => Column

const time = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(Z)?$/

/** Milliseconds since 1970 of a text in one of SQLite's own formats; null for any other. */
export function parseSqliteTime(text: string): number | null {
  const parts = time.exec(text)
  if (!parts) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = parts
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1) return null
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const micros = (date.getTime() + seconds * 1000) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return micros / 1000
}

/**
 * Any row may contain values of any type, so each frame chooses the kind of its column: that of the declared type if all values
 * match it, else that of the values.
 * @param maxCellBytes maximum size of a text in bytes
 */
export function createSqliteColumnReader(
  { name, type }: SqliteField,
  index: number,
  maxCellBytes: number,
): SqliteColumnReader {
  const declared = parseDeclaredKind(type)
  const strings = new DictionaryEncoder()
  return (rows) => {
    const values = rows.map((row) => row[index] ?? null)
    const kind = resolveKind(values, declared)
    const base = { name, type: type ? type.toUpperCase() : (defaultTypeNames[kind] ?? null) }
    if (kind === 'bigint') {
      const data = new BigInt64Array(rows.length)
      return { ...base, kind, validity: each(values, (value, row) => void (data[row] = BigInt(value as bigint))), data }
    }
    if (kind === 'number') {
      const data = new Float64Array(rows.length)
      return { ...base, kind, validity: each(values, (value, row) => void (data[row] = Number(value))), data }
    }
    if (kind === 'boolean') {
      const data = new Uint8Array(rows.length)
      return { ...base, kind, validity: each(values, (value, row) => void (data[row] = Number(value))), data }
    }
    if (kind === 'time') {
      const data = new Float64Array(rows.length)
      const validity = each(values, (value, row) => void (data[row] = parseSqliteTime(String(value)) ?? 0))
      return { ...base, kind, unit: /^DATE$/i.test(type ?? '') ? 'date' : 'datetime', validity, data }
    }
    return { ...base, kind: 'string', ...texts(values, strings, name, maxCellBytes) }
  }
}

const defaultTypeNames: Partial<Record<FrameKind, string>> = {
  bigint: 'INTEGER',
  number: 'REAL',
  boolean: 'BOOLEAN',
  time: 'DATETIME',
  string: 'TEXT',
}

/** An expression whose texts are all times is a time, because date functions return text. */
function resolveKind(values: readonly SqliteValue[], declared: FrameKind | null): FrameKind {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return declared ?? 'string'
  const all = (test: (value: NonNullable<SqliteValue>) => boolean) => known.every(test)
  const isInteger = all((value) => typeof value === 'bigint')
  if (declared === 'boolean' && all((value) => value === 0n || value === 1n)) return 'boolean'
  if (isInteger && declared !== 'number') return 'bigint'
  if (all((value) => typeof value === 'number' || (typeof value === 'bigint' && isExact(value)))) return 'number'
  if (isInteger) return 'bigint'
  const mayBeTime = declared === null || declared === 'time'
  return mayBeTime && all((value) => typeof value === 'string' && parseSqliteTime(value) !== null) ? 'time' : 'string'
}

const isExact = (value: bigint) => BigInt(Number(value)) === value

function each(values: readonly SqliteValue[], put: (value: NonNullable<SqliteValue>, row: number) => void): Validity {
  let validity: Uint8Array | null = null
  for (const [row, value] of values.entries()) {
    if (value !== null) {
      put(value, row)
      continue
    }
    validity ??= new Uint8Array(Math.ceil(values.length / 8)).fill(0xff)
    validity[row >> 3]! &= ~(1 << (row & 7))
  }
  return validity
}

function texts(values: readonly SqliteValue[], strings: DictionaryEncoder, name: string, cellBytes: number) {
  const certainlyFits = Math.floor(cellBytes / 3)
  const all: (string | null)[] = values.map(() => null)
  const validity = each(values, (value, row) => {
    const text = Buffer.isBuffer(value) ? value.toString('base64') : String(value)
    if (text.length > certainlyFits && Buffer.byteLength(text) > cellBytes) throw cellTooLarge(name, cellBytes)
    all[row] = text
  })
  return { validity, text: strings.encode(all) }
}
