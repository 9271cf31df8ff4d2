import { formatTime } from './calendar.ts'
import type { Cell, Column, DecimalColumn, Frame, TextColumn } from './frame.ts'
import { plainTextAt, decodeWords } from './utf8.ts'

export const isText = (column: Column): column is TextColumn => column.kind === 'string' || column.kind === 'json'

/** Returns whether the numbers of a column are floats. Whole floats are shown with a decimal (`39.0`). */
export const isFloat = (column: Column): boolean =>
  column.kind === 'number' && (column.data instanceof Float64Array || column.data instanceof Float32Array)

/** Checks only the validity bitmap: a number that is not finite is not null here, but becomes null in `cellAt`. */
export const isNull = ({ validity }: Column, row: number): boolean =>
  validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0

/** The text that a text column holds in a row, whether or not the row is null. */
export const storedText = ({ text }: TextColumn, row: number): string =>
  text.as === 'plain' ? plainTextAt(text, row) : (decodeWords(text.words)[text.codes[row]!] ?? '')

/** All digits of a decimal: 150 at scale 2 is `1.50`. */
export function formatDecimal({ data, scale }: DecimalColumn, row: number): string {
  const digits = String(data[row]!)
  if (scale === 0) return digits
  const sign = digits.startsWith('-') ? '-' : ''
  const padded = digits.slice(sign.length).padStart(scale + 1, '0')
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}

/** Scaled integers below this have at most 15 digits, which a double represents exactly. */
const exactBelow = 10n ** 15n

/**
 * One value. Integers beyond 2^53 are bigint, decimals over 15 digits are text, times are milliseconds; NaN and infinities are
 * null, as in every response. A `raw` JSON scalar is that scalar; lists and objects stay JSON text.
 */
export function cellAt(column: Column, row: number): Cell {
  if (isNull(column, row)) return null
  switch (column.kind) {
    case 'number':
    case 'time': {
      const value = column.data[row]!
      return Number.isFinite(value) ? value : null
    }
    case 'bigint': {
      const value = column.data[row]!
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : value
    }
    case 'decimal': {
      const value = column.data[row]!
      return value < exactBelow && value > -exactBelow ? Number(value) / 10 ** column.scale : formatDecimal(column, row)
    }
    case 'boolean':
      return column.data[row] !== 0
    default: {
      const text = storedText(column, row)
      return column.raw && !/^[[{]/.test(text) ? (JSON.parse(text) as Cell) : text
    }
  }
}

/**
 * One value as lossless text: ISO times, all digits, `NaN` and `Infinity`, `true` and `false`. Used for copying, searching and
 * keys. Null stays null.
 */
export function textAt(column: Column, row: number): string | null {
  if (isNull(column, row)) return null
  switch (column.kind) {
    case 'time': {
      const value = column.data[row]!
      return Number.isFinite(value) ? formatTime(value, column.unit, 'T', column.nanos?.[row]) : null
    }
    case 'number':
      return String(column.data[row]!)
    case 'decimal':
      return formatDecimal(column, row)
    case 'string':
      return storedText(column, row)
    default: {
      const cell = cellAt(column, row)
      return cell === null ? null : String(cell)
    }
  }
}

/**
 * One value as a filter names it: a number, boolean or text without loss. Numbers that JavaScript cannot represent exactly, NaN
 * and infinities are the text of their digits; times are text in UTC, `2020-02-29 13:14:15`.
 */
export function filterValueAt(column: Column, row: number): string | number | boolean | null {
  const cell = cellAt(column, row)
  if (column.kind === 'time' && cell !== null)
    return formatTime(column.data[row]!, column.unit === 'zoned' ? 'datetime' : column.unit, ' ', column.nanos?.[row])
  return typeof cell === 'bigint' || (cell === null && !isNull(column, row)) ? textAt(column, row) : cell
}

/**
 * One value as a number for drawing and arithmetic, null if it is not a number; big integers and decimals are rounded to a
 * double.
 */
export function numberAt(column: Column, row: number): number | null {
  const cell = cellAt(column, row)
  if (cell === null || typeof cell === 'number') return cell
  if (typeof cell === 'string' && (cell === '' || !(column.kind === 'decimal' || isNumericText(column)))) return null
  const number = Number(cell)
  return Number.isFinite(number) ? number : null
}

const isNumericText = (column: Column): boolean => column.kind === 'string' && column.numeric === true

/** The API's generic type of a column: 0 numeric, 1 text, 2 temporal, 3 boolean. */
export function genericOf(column: Column): 0 | 1 | 2 | 3 {
  switch (column.kind) {
    case 'number':
    case 'bigint':
    case 'decimal':
      return 0
    case 'time':
      return 2
    case 'boolean':
      return 3
    default:
      return isNumericText(column) ? 0 : 1
  }
}

/** Row objects, for small results and tests. The last of several columns with the same name wins, as in the API's responses. */
export function toRows({ rows, columns }: Frame): Record<string, Cell>[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map((column) => [column.name, cellAt(column, row)])),
  )
}
