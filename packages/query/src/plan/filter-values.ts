import { GenericType, message, type Value } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { formatIso, isRepresentable } from '../time-range/naive-time.ts'
import { invalidQuery } from './scope.ts'
import { instantSql, type TimeColumn } from './time-column.ts'

/** Kind and engine type of the column that values are compared with. */
export interface FilterTarget extends TimeColumn {
  kind: GenericType | null
}

/**
 * Converts a filter value to the column's kind: `<NULL>` is null; on a numeric column numeric text becomes a number and other
 * text null; `true` and `1` become booleans; numbers on a temporal column are milliseconds since 1970.
 * @throws AppError `invalid_query` for lists and objects
 */
export function filterValue(given: unknown, target: FilterTarget, isPattern: boolean, dialect: Dialect): Sql | null {
  if (given === null || given === undefined) return null
  if (typeof given === 'object')
    throw invalidQuery(
      message('errors.query.filterValue', 'Error: A filter value must be a string, a number, a boolean, or null.'),
    )
  if (typeof given === 'number' && target.kind === GenericType.TEMPORAL) return timeValue(given, target, dialect)
  const value = typeof given === 'string' ? textValue(given, target.kind, isPattern) : (given as number | boolean)
  if (value === null) return null
  if (target.kind === GenericType.BOOLEAN) return sql`${booleanValue(value)}`
  if (typeof value === 'string' && isTimeText(value, target, dialect))
    return dialect.instant(value.replace(' ', 'T'), target.type)
  if (target.kind === GenericType.STRING && typeof value !== 'string') return sql`${String(value)}`
  return value instanceof BigNumber ? sql`CAST(${value.digits} AS DECIMAL(38, 0))` : sql`${value}`
}

/** Whole number beyond 2^53, stored as its digits. */
class BigNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

function textValue(given: string, kind: GenericType | null, isPattern: boolean): string | number | BigNumber | null {
  const text = withoutEdges(given)
  if (kind === GenericType.NUMERIC && !isPattern) return numberIn(text)
  if (text === '<NULL>') return null
  return text === '<empty string>' ? '' : text
}

/** Strips tabs and line breaks at both ends. A regular expression would restart at each one in the middle. */
function withoutEdges(text: string): string {
  const isEdge = (at: number) => text[at] === '\t' || text[at] === '\n'
  let [start, end] = [0, text.length]
  while (start < end && isEdge(start)) start += 1
  while (end > start && isEdge(end - 1)) end -= 1
  return text.slice(start, end)
}

function numberIn(text: string): number | BigNumber | null {
  const trimmed = text.trim()
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null
  const number = Number(trimmed)
  return /^[+-]?\d+$/.test(trimmed) && !Number.isSafeInteger(number) ? new BigNumber(trimmed) : number
}

const timeText = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d{1,6})?)?$/

/** Returns whether the value is a date or time that the engine would compare as text. */
const isTimeText = (value: string, { kind, python_date_format }: FilterTarget, { supports }: Dialect): boolean =>
  kind === GenericType.TEMPORAL && !python_date_format && !supports.timesFromText && timeText.test(value)

const booleanValue = (value: Value | BigNumber): boolean =>
  typeof value === 'string' ? ['true', '1'].includes(value.trim().toLowerCase()) : Boolean(value)

function timeValue(milliseconds: number, target: FilterTarget, dialect: Dialect): Sql {
  if (target.python_date_format?.startsWith('epoch_')) return sql`${milliseconds}`
  if (!isRepresentable(milliseconds))
    throw invalidQuery(
      message('errors.query.filterYears', 'Error: A time in a filter must be between the years 1 and 9999.'),
    )
  return instantSql(formatIso(milliseconds), target, dialect)
}
