import { formatDecimalText, parseDecimalText, type DecimalText } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { sql, type Sql } from '../sql/sql.ts'

/** Value to compare with a column, as `filterOperand` returns it. */
export type FilterOperand =
  | { kind: 'null' }
  | { kind: 'value'; sql: Sql }
  /** Not a number, a value of floats, which some engines only find by a test. */
  | { kind: 'nan' }
  /**
   * No value of the column equals it. In order, it comes before or after all of them, within them (`sql` is its exact value), or
   * it cannot be compared (null).
   */
  | { kind: 'outside'; order: 'below' | 'above' | 'within' | null; sql?: Sql }

/** Value that cannot be of the column's type. */
export const nowhere: FilterOperand = { kind: 'outside', order: null }

/** Largest number of digits before the point of the integer types, by their names on all engines. */
const integerDigits: [type: RegExp, digits: number][] = [
  [/^(U?(TINYINT|SMALLINT|MEDIUMINT|INTEGER|INT|INT[248]|BIGINT)|TINY|SHORT|LONG|LONGLONG|INT24|YEAR)\b/, 20],
  [/^U?INT(8|16|32|64)\b/, 20],
  [/^U?(HUGEINT|INT128)\b/, 39],
  [/^U?INT256\b/, 78],
]

/** Digits before and after the point of an exact type; null for floats and unknown types. */
interface ExactType {
  whole: number | null
  scale: number | null
}

function parseExactType(type: string | null): ExactType | null {
  const name = type?.toUpperCase() ?? ''
  if (name.endsWith(']')) return null
  const integer = integerDigits.find(([pattern]) => pattern.test(name))
  if (integer) return { whole: integer[1], scale: 0 }
  const decimal = /^(?:NEW)?(?:DECIMAL|NUMERIC)(?:\d*\((\d+)(?:, *(\d+))?\))?/.exec(name)
  if (!decimal) return null
  const [, precision, scale = '0'] = decimal
  return precision === undefined
    ? { whole: null, scale: null }
    : { whole: Number(precision) - Number(scale), scale: Number(scale) }
}

/**
 * A number as typed, compared with a column of numbers without rounding either: exact types are compared with all digits of the
 * number, floats with the nearest float. Text that is not a number is outside.
 */
export function numberOperand(given: string | number, type: string | null, dialect: Dialect): FilterOperand {
  const special = /^\s*([+-]?)(nan|inf(?:inity)?)\s*$/i.exec(String(given))
  if (special) return specialOperand(special[1] === '-', special[2] ?? '', type, dialect)
  const number = parseDecimalText(String(given))
  if (!number) return nowhere
  const digits = formatDecimalText(number)
  const exact = dialect.declaresTypes ? parseExactType(type) : null
  const rounded = Number(given)
  if (dialect.singleFloat?.isType(type?.toUpperCase() ?? ''))
    return Number.isFinite(rounded)
      ? { kind: 'value', sql: dialect.singleFloat.cast(sql`${rounded}`) }
      : { kind: 'outside', order: number.isNegative ? 'below' : 'above' }
  if (exact) return exactOperand(number, digits, rounded, exact, type, dialect)
  const isRounded = digits !== null && formatDecimalText(parseDecimalText(String(rounded)) ?? number) !== digits
  // A double beyond 2^53 may be another number than its digits.
  const isLarge = Number.isInteger(rounded) && !Number.isSafeInteger(rounded)
  const isLargeInteger = digits !== null && isLarge && parseExactType(type)?.scale === 0
  if (isLargeInteger || (isRounded && !isFloat(type))) return { kind: 'value', sql: dialect.exactNumber(digits, type) }
  if (!Number.isFinite(rounded)) return { kind: 'outside', order: number.isNegative ? 'below' : 'above' }
  const isDouble = isFloat(type) && !Number.isSafeInteger(rounded)
  return { kind: 'value', sql: (isDouble && dialect.asDouble?.(rounded)) || sql`${rounded}` }
}

const isFloat = (type: string | null): boolean => /^(DOUBLE|FLOAT|REAL)/i.test(type ?? '')

function exactOperand(
  number: DecimalText,
  digits: string | null,
  rounded: number,
  { whole, scale }: ExactType,
  type: string | null,
  dialect: Dialect,
): FilterOperand {
  const wholeDigits = number.digits.length + number.exponent
  if (digits === null || (whole !== null && wholeDigits > whole)) {
    const isTiny = number.exponent < 0 && wholeDigits <= 0
    return { kind: 'outside', order: isTiny ? null : number.isNegative ? 'below' : 'above' }
  }
  const value =
    Number.isSafeInteger(rounded) && number.exponent >= 0 ? sql`${rounded}` : dialect.exactNumber(digits, type)
  return scale !== null && -number.exponent > scale
    ? { kind: 'outside', order: 'within', sql: value }
    : { kind: 'value', sql: value }
}

function specialOperand(isNegative: boolean, name: string, type: string | null, dialect: Dialect): FilterOperand {
  const isExact = dialect.declaresTypes && parseExactType(type)?.scale != null
  if (isExact)
    return name.toLowerCase() === 'nan' ? nowhere : { kind: 'outside', order: isNegative ? 'below' : 'above' }
  if (name.toLowerCase() === 'nan') return dialect.isNaN ? { kind: 'nan' } : nowhere
  const value = dialect.infinity?.(isNegative)
  return value ? { kind: 'value', sql: value } : { kind: 'outside', order: isNegative ? 'below' : 'above' }
}
