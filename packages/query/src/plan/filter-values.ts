import { GenericType, message, parseTimeFormat, readFilterText } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { formatIso, isRepresentable } from '../time-range/naive-time.ts'
import { nowhere, numberOperand, type FilterOperand } from './number-operand.ts'
import { invalidQuery } from './scope.ts'
import { instantSql, storedFormatOf, type TimeColumn } from './time-column.ts'

/** Kind and engine type of the column that values are compared with. */
export interface FilterTarget extends TimeColumn {
  kind: GenericType | null
}

/** How the text of a filter is read: a LIKE pattern, or exactly as it is, without the API's signs for null and empty text. */
export interface TextOptions {
  isPattern?: boolean
  isExact?: boolean
}

/**
 * Converts a filter value to the column's kind: `<NULL>` is null and `<empty string>` is empty text unless the text is exact;
 * numbers and their text keep all digits; `true` and `1` become booleans; numbers on a temporal column are milliseconds since
 * 1970, and times on a column with a time format are written in it. A value that cannot be of the column's kind equals none of its values.
 * @throws AppError `invalid_query` for lists and objects
 */
export function filterOperand(
  given: unknown,
  target: FilterTarget,
  dialect: Dialect,
  { isPattern = false, isExact = false }: TextOptions = {},
): FilterOperand {
  if (given === null || given === undefined) return { kind: 'null' }
  if (typeof given === 'object')
    throw invalidQuery(
      message('errors.query.filterValue', 'Error: A filter value must be a string, a number, a boolean, or null.'),
    )
  if (typeof given === 'number' && (target.kind === GenericType.TEMPORAL || isTimeOfFormat(given, target)))
    return { kind: 'value', sql: timeValue(given, target, dialect) }
  const value = typeof given === 'string' && !isExact ? readFilterText(given) : (given as string | number | boolean)
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string' && storedFormatOf(target) && timeText.test(value))
    return { kind: 'value', sql: instantSql(value.replace(' ', 'T'), target, dialect) }
  if (isPattern) return { kind: 'value', sql: sql`${String(value)}` }
  if (target.kind === GenericType.BOOLEAN) return booleanOperand(value)
  if (target.kind === GenericType.NUMERIC) return numericOperand(value, target, dialect)
  if (typeof value === 'string' && isTimeText(value, target, dialect))
    return { kind: 'value', sql: dialect.instant(value.replace(' ', 'T'), target.type) }
  if (target.kind === GenericType.STRING && typeof value !== 'string')
    return { kind: 'value', sql: sql`${String(value)}` }
  if (typeof value !== 'number' || (dialect.readsTextAsNumber && Number.isSafeInteger(value)))
    return { kind: 'value', sql: sql`${typeof value === 'number' ? String(value) : value}` }
  return numberOperand(value, null, dialect)
}

/** Returns whether a number is milliseconds since 1970, since it does not have the digits of the column's format. */
function isTimeOfFormat(value: number, target: FilterTarget): boolean {
  const format = storedFormatOf(target)
  const last = format ? parseTimeFormat(format)?.at(-1) : undefined
  return last !== undefined && String(value).length !== last.at + last.length
}

/** Types whose numbers stand for booleans. */
const booleanNumber = /^(TINYINT\(1\)|TINY$|BIT\b)/i

function numericOperand(value: string | number | boolean, { type }: FilterTarget, dialect: Dialect): FilterOperand {
  if (typeof value === 'boolean') return numberOperand(Number(value), type, dialect)
  const boolean = typeof value === 'string' && booleanNumber.test(type ?? '') ? booleanIn(value) : null
  return numberOperand(boolean === null ? value : Number(boolean), type, dialect)
}

const timeText = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d{1,6})?)?$/

/** Returns whether the value is a date or time that the engine would compare as text. */
const isTimeText = (value: string, target: FilterTarget, { supports }: Dialect): boolean =>
  target.kind === GenericType.TEMPORAL && !storedFormatOf(target) && !supports.timesFromText && timeText.test(value)

const trueTexts = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const falseTexts = new Set(['false', 'f', 'no', 'n', 'off', '0'])

/** Boolean that a value stands for; null if it is none. */
function booleanIn(value: string | number | boolean): boolean | null {
  const text = String(value).trim().toLowerCase()
  return trueTexts.has(text) ? true : falseTexts.has(text) ? false : null
}

function booleanOperand(value: string | number | boolean): FilterOperand {
  const boolean = booleanIn(value)
  return boolean === null ? nowhere : { kind: 'value', sql: sql`${boolean}` }
}

function timeValue(milliseconds: number, target: FilterTarget, dialect: Dialect): Sql {
  if (storedFormatOf(target)?.startsWith('epoch_')) return sql`${milliseconds}`
  if (!isRepresentable(milliseconds))
    throw invalidQuery(
      message('errors.query.filterYears', 'Error: A time in a filter must be between the years 1 and 9999.'),
    )
  return instantSql(formatIso(milliseconds), target, dialect)
}
