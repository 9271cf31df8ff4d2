import { parseDecimalText } from '@parquetry/model/number-text'
import { formatTime } from '../calendar.ts'
import { cellAt, isFloat, isNull, textAt } from '../cells.ts'
import type { Cell, Column } from '../frame.ts'

/** Label of a value that rows are grouped or named by: `1`, `1.0` for a float, `True`, `2020-01-01 00:00:00`. */
export function formatLabelPart(column: Column, row: number): string {
  if (column.kind === 'time') {
    const value = column.data[row]!
    return Number.isFinite(value) ? formatTime(value, column.unit, ' ') : 'NaT'
  }
  const cell = cellAt(column, row)
  if (typeof cell === 'boolean') return cell ? 'True' : 'False'
  if (isFloat(column) && Number.isInteger(cell)) return `${String(cell)}.0`
  return textAt(column, row) ?? ''
}

/** Compares text by code point, as Python does. UTF-16 order would place code points above U+FFFF before U+E000. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    let left = one.charCodeAt(index)
    let right = other.charCodeAt(index)
    if (left === right) continue
    if (left >= 0xd800 && right >= 0xd800) {
      // Surrogates encode the highest code points.
      if (left >= 0xe000) left -= 0x2000
      else left += 0x2000
      if (right >= 0xe000) right -= 0x2000
      else right += 0x2000
    }
    return left - right
  }
  return one.length - other.length
}

/** Orders numbers before text; nulls must not be passed. */
export function compareCells(one: Cell, other: Cell): number {
  if (typeof one === 'string') return typeof other === 'string' ? compareTexts(one, other) : 1
  if (typeof other === 'string') return -1
  return one! < other! ? -1 : one! > other! ? 1 : 0
}

/** Distinct values of a column in ascending order, and the value of each row. */
export interface Keys {
  /** Index of each row's value; −1 where the row is null. */
  codes: Int32Array
  /** Label text of each value. */
  texts: string[]
  /** A row that contains each value; −1 for null and its fill value. */
  rows: number[]
}

/**
 * @param fill  names null and is sorted like any other value; without it, null rows have no value. A text of the column that
 * equals it is another value, whose label is quoted.
 */
export function factorize(column: Column, rows: number, fill?: Cell): Keys {
  const keyAt = keyReader(column, rows)
  /** By key; null has its own. */
  const found = new Map<Cell | typeof column, number>()
  const firstRows: number[] = []
  const values: Cell[] = []
  const codes = new Int32Array(rows)
  for (let row = 0; row < rows; row++) {
    const missing = isNull(column, row)
    const value = missing ? (fill ?? null) : keyAt(row)
    if (value === null) {
      codes[row] = -1
      continue
    }
    let code = found.get(missing ? column : value)
    if (code === undefined) {
      found.set(missing ? column : value, (code = values.length))
      values.push(value)
      firstRows.push(missing ? -1 : row)
    }
    codes[row] = code
  }
  const order = values.map((_, code) => code).sort((one, other) => compareCells(values[one]!, values[other]!))
  const rankByCode = new Int32Array(order.length)
  order.forEach((code, rank) => (rankByCode[code] = rank))
  for (let row = 0; row < rows; row++) if (codes[row]! >= 0) codes[row] = rankByCode[codes[row]!]!
  return {
    codes,
    texts: order.map((code) => {
      if (firstRows[code]! < 0) return String(values[code])
      const text = formatLabelPart(column, firstRows[code]!)
      return text === fill ? `"${text}"` : text
    }),
    rows: order.map((code) => firstRows[code]!),
  }
}

/** Adds null as a value after all others. */
export function withNull({ codes, texts, rows }: Keys): Keys {
  if (!codes.includes(-1)) return { codes, texts, rows }
  return { codes: codes.map((code) => (code < 0 ? texts.length : code)), texts: [...texts, ''], rows: [...rows, -1] }
}

/** Reads values for comparing and sorting: decimals and numeric text of any length as exact numbers, not as text. */
function keyReader(column: Column, rows: number): (row: number) => Cell {
  if (column.kind === 'decimal') return (row) => column.data[row]!
  if (column.kind === 'number') return (row) => column.data[row]!
  if (column.kind !== 'string' || !column.numeric) return (row) => cellAt(column, row)
  const numbers = Array.from({ length: rows }, (_, row) => parseDecimalText(textAt(column, row) ?? ''))
  const scale = numbers.reduce((most, number) => Math.max(most, -(number?.exponent ?? 0)), 0)
  return (row) => {
    const number = numbers[row]
    if (!number || number.exponent > maxExponent) return Number(textAt(column, row))
    const scaled = BigInt(number.digits || 0) * 10n ** BigInt(number.exponent + scale)
    return number.isNegative ? -scaled : scaled
  }
}

/** Numbers with more zeros at the end are compared as doubles. */
const maxExponent = 400

/** Groups of rows with the same values of all keys, in key order; rows without a value are left out. */
export interface Groups {
  /** Rows of each group, ascending. */
  members: Int32Array[]
  /** Index of the group's value in each key. */
  codes: Int32Array[]
}

export function groupRows(keys: readonly Keys[], rows: number): Groups {
  if (keys.length === 0)
    return rows === 0
      ? { members: [], codes: [] }
      : { members: [Int32Array.from({ length: rows }, (_, row) => row)], codes: [new Int32Array()] }
  // Groups are found key by key: a number per group of the keys so far, then one per pair with the next key's code.
  let ids = keys[0]!.codes
  let codes = keys[0]!.texts.map((_, code) => [code])
  for (const key of keys.slice(1)) {
    const found = new Map<number, number>()
    const next: number[][] = []
    const nextIds = new Int32Array(rows)
    for (let row = 0; row < rows; row++) {
      const id = ids[row]!
      const code = key.codes[row]!
      if (id < 0 || code < 0) {
        nextIds[row] = -1
        continue
      }
      const pair = id * key.texts.length + code
      let at = found.get(pair)
      if (at === undefined) {
        found.set(pair, (at = next.length))
        next.push([...codes[id]!, code])
      }
      nextIds[row] = at
    }
    ids = nextIds
    codes = next
  }
  const sizes = new Int32Array(codes.length)
  for (const id of ids) if (id >= 0) sizes[id]!++
  const members = Array.from(sizes, (size) => new Int32Array(size))
  const filled = new Int32Array(codes.length)
  for (let row = 0; row < rows; row++) if (ids[row]! >= 0) members[ids[row]!]![filled[ids[row]!]!++] = row
  const order = codes.map((_, id) => id).filter((id) => sizes[id]! > 0)
  order.sort((one, other) => compareCodes(codes[one]!, codes[other]!))
  return { members: order.map((id) => members[id]!), codes: order.map((id) => Int32Array.from(codes[id]!)) }
}

export function compareCodes(one: ArrayLike<number>, other: ArrayLike<number>): number {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return one[index]! - other[index]!
  return 0
}
