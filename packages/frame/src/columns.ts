import { AppError } from '@parquetry/model/errors'
import type { Cell, Column, Frame, NumberColumn, Text, TimeColumn, Validity } from './frame.ts'
import { packTexts } from './utf8.ts'

/** Bitmap of the rows that have a value; null when all have one. */
export function buildValidity(rows: number, hasValue: (row: number) => boolean): Validity {
  let bits: Uint8Array | null = null
  for (let row = 0; row < rows; row++) {
    if (hasValue(row)) continue
    bits ??= new Uint8Array((rows + 7) >> 3).fill(255)
    bits[row >> 3]! &= ~(1 << (row & 7))
  }
  return bits
}

/** Column of doubles in which NaN is null; the narrowest integers when `integer` is set and no value is missing. */
export function buildNumberColumn(name: string, values: Float64Array, integer = false): Column {
  const validity = buildValidity(values.length, (row) => !Number.isNaN(values[row]!))
  if (integer && !validity && values.every(Number.isInteger)) return buildIntegerColumn(name, values, null)
  return { name, kind: 'number', type: null, validity, data: values }
}

export function buildTimeColumn(name: string, values: Float64Array, unit: TimeColumn['unit']): TimeColumn {
  const validity = buildValidity(values.length, (row) => !Number.isNaN(values[row]!))
  return { name, kind: 'time', type: null, unit, validity, data: values }
}

function buildIntegerColumn(name: string, values: ArrayLike<number | bigint>, validity: Validity): Column {
  let low: number | bigint = 0
  let high: number | bigint = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!
    if (value < low) low = value
    if (value > high) high = value
  }
  const fits = integerArrays.find(({ least, most }) => low >= least && high <= most)
  if (fits) {
    const data = new fits.Array(values.length)
    for (let row = 0; row < values.length; row++) data[row] = Number(values[row])
    return { name, kind: 'number', type: null, validity, data }
  }
  const data = new BigInt64Array(values.length)
  for (let row = 0; row < values.length; row++) data[row] = BigInt(values[row]!)
  return { name, kind: 'bigint', type: null, validity, data }
}

const integerArrays: { Array: new (length: number) => NumberColumn['data']; least: number; most: number }[] = [
  { Array: Int8Array, least: -128, most: 127 },
  { Array: Int16Array, least: -32_768, most: 32_767 },
  { Array: Int32Array, least: -2_147_483_648, most: 2_147_483_647 },
  { Array: Uint32Array, least: 0, most: 4_294_967_295 },
]

/** Stores strings as a dictionary when at most half of them are distinct, otherwise one after the other. */
export function buildText(values: readonly (string | null)[]): Text {
  const codeOf = new Map<string, number>()
  const codes = new Uint32Array(values.length)
  const maxDistinct = values.length >> 1
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (value == null) continue
    let code = codeOf.get(value)
    if (code === undefined) {
      if (codeOf.size >= maxDistinct) return packTexts(values)
      codeOf.set(value, (code = codeOf.size))
    }
    codes[row] = code
  }
  return { as: 'dictionary', codes: narrowCodes(codes, codeOf.size), words: packTexts([...codeOf.keys()]) }
}

export const narrowCodes = (codes: Uint32Array, entryCount: number): Uint8Array | Uint16Array | Uint32Array =>
  entryCount <= 256 ? new Uint8Array(codes) : entryCount <= 65_536 ? new Uint16Array(codes) : codes

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value

/**
 * Narrowest column for JavaScript values: integers in 8, 16 or 32 bits, longer ones as `bigint`, other numbers as doubles,
 * booleans, strings, dates (`Date`) as times; bigints over 64 bits as numeric text; anything mixed or nested as raw JSON. null,
 * undefined and NaN are null; a column of nulls is a text column.
 */
export function buildColumn(values: readonly unknown[], name: string): Column {
  const rows = values.length
  const present = values.filter((value) => value != null && !Number.isNaN(value))
  const validity = buildValidity(rows, (row) => values[row] != null && !Number.isNaN(values[row]))
  const base = { name, type: null, validity }
  const all = (test: (value: unknown) => boolean): boolean => present.every(test)
  if (present.length === 0) return { ...base, kind: 'string', text: buildText(values.map(() => null)) }
  if (all((value) => typeof value === 'string'))
    return { ...base, kind: 'string', text: buildText(values as (string | null)[]) }
  if (all((value) => typeof value === 'boolean'))
    return { ...base, kind: 'boolean', data: Uint8Array.from(values, (value) => (value === true ? 1 : 0)) }
  if (all((value) => value instanceof Date)) {
    const times = Float64Array.from(values, (value) => (value instanceof Date ? value.getTime() : NaN))
    return buildTimeColumn(name, times, 'datetime')
  }
  if (all((value) => Number.isInteger(value) || (typeof value === 'bigint' && isInt64(value))) && fitsInt64(present))
    return buildIntegerColumn(
      name,
      values.map((value) => (value == null || Number.isNaN(value) ? 0 : (value as number | bigint))),
      validity,
    )
  if (all((value) => typeof value === 'number'))
    return {
      ...base,
      kind: 'number',
      data: Float64Array.from(values, (value) => (typeof value === 'number' ? value : NaN)),
    }
  if (all((value) => typeof value === 'bigint'))
    return {
      ...base,
      kind: 'string',
      numeric: true,
      text: buildText(values.map((value) => (value == null ? null : String(value)))),
    }
  if (all((value) => typeof value === 'number' || typeof value === 'bigint'))
    return {
      ...base,
      kind: 'number',
      data: Float64Array.from(values, (value) => (value == null ? NaN : Number(value))),
    }
  return {
    ...base,
    kind: 'json',
    raw: true,
    text: buildText(values.map((value) => (value == null ? null : toJsonText(value)))),
  }
}

/** Doubles such as 1e300 are also integers, but those beyond 2^53 are stored as doubles; only bigints may exceed it. */
const fitsInt64 = (values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value))

const toJsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null'

/** A frame from named lists of values, or from row objects (columns in the order in which keys first appear). */
export function buildFrame(
  source: Readonly<Record<string, readonly unknown[]>> | readonly Readonly<Record<string, Cell>>[],
): Frame {
  if (!Array.isArray(source)) {
    const lists = Object.entries(source as Record<string, readonly unknown[]>)
    const rows = lists[0]?.[1].length ?? 0
    if (lists.some(([, values]) => values.length !== rows))
      throw new AppError('internal', { message: 'The columns of a frame must have the same length.' })
    return { rows, columns: lists.map(([name, values]) => buildColumn(values, name)) }
  }
  const records = source as readonly Readonly<Record<string, Cell>>[]
  const names = new Set(records.flatMap((record) => Object.keys(record)))
  return {
    rows: records.length,
    columns: [...names].map((name) =>
      buildColumn(
        records.map((record) => record[name]),
        name,
      ),
    ),
  }
}
