import { AppError, GenericType, message, parseTimeFormat, type PlannerColumn, type TimePart } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { addUnits, formatIso, parseIso, truncate } from '../time-range/naive-time.ts'
import { formatTime } from '../time-range/format-time.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'
import { parseGenericType, resolveColumnKind } from './column-kind.ts'
import { columnSql } from './expression.ts'

/** Description of the time that a piece of SQL returns: the engine type and the format of the values. */
export type TimeColumn = Pick<PlannerColumn, 'type' | 'type_generic' | 'python_date_format'>

export const nativeTime: TimeColumn = { type: null, type_generic: null, python_date_format: null }

/** Format of the texts or numbers that a column stores; null for times of the engine, whatever format they declare. */
export const storedFormatOf = ({ type, python_date_format }: TimeColumn): string | null =>
  parseGenericType(type) === GenericType.TEMPORAL ? null : python_date_format || null

/**
 * Converts a temporal column to a time of the engine in UTC, the clock of all labels and filters: numbers since 1970 and texts or
 * numbers of a time format are converted.
 * @throws AppError `unsupported` for a format that `parseTimeFormat` does not read
 */
export function timeSql(column: PlannerColumn, dialect: Dialect): Sql {
  const value = columnSql(column)
  const format = storedFormatOf(column)
  if (!format) return dialect.inUtc(value, column.type)
  if (format === 'epoch_s') return dialect.epochSeconds(value)
  if (format === 'epoch_ms') return dialect.epochMilliseconds(value)
  const text = resolveColumnKind(column) === GenericType.STRING ? value : dialect.asText(value, column.type)
  return dialect.timeFromText(isoPieces(text, format))
}

/** Pieces of SQL that are an ISO date, or a date and a time, when they are concatenated. */
function isoPieces(text: Sql, format: string): Sql[] {
  if (format === '%Y-%m-%d' || format === '%Y-%m-%d %H:%M:%S') return [text]
  const parts = new Map(readFormat(format).map((part) => [part.unit, part]))
  const piece = (unit: TimePart['unit']): Sql => {
    const part = parts.get(unit)
    if (!part) return unit === 'month' || unit === 'day' ? sql`'01'` : sql`'00'`
    return sql`SUBSTR(${text}, ${sql.integer(part.at + 1)}, ${sql.integer(part.length)})`
  }
  const date = [piece('year'), sql`'-'`, piece('month'), sql`'-'`, piece('day')]
  if (!parts.has('hour')) return date
  const time = [sql`' '`, piece('hour'), sql`':'`, piece('minute'), sql`':'`, piece('second')]
  return [...date, ...time, ...(parts.has('microsecond') ? [sql`'.'`, piece('microsecond')] : [])]
}

function readFormat(format: string): TimePart[] {
  const parts = parseTimeFormat(format)
  if (parts) return parts
  throw new AppError('unsupported', {
    message: message(
      'errors.query.timeFormat',
      'Error: Times of the format {format} cannot be filtered or grouped. Use a format with the year first, or a calculated column.',
      { format },
    ),
  })
}

/**
 * Start of the period that contains a time.
 * @returns `value` to select, `group` to group by; they differ when the engine groups faster by another value
 * @throws AppError `unsupported` when the engine lacks the grain
 */
export function truncateToGrain(time: Sql, grain: string, dialect: Dialect): { value: Sql; group: Sql } {
  const start = Object.hasOwn(dialect.timeGrain, grain) ? dialect.timeGrain[grain] : undefined
  if (!start) {
    throw new AppError('unsupported', {
      message: message('errors.query.timeGrain', 'No grain spec for {grain} for database {engine}', {
        grain,
        engine: dialect.name,
      }),
    })
  }
  const faster = dialect.groupedGrain[grain]
  const value = start(time)
  if (!faster) return { value, group: value }
  const key = faster.key(time)
  return { value: faster.start(key), group: key }
}

/**
 * `from <= value AND value < to`; empty for a range that is open on both sides.
 * @throws AppError `unsupported` for a format whose values do not sort as their times do
 */
export function rangeSql(value: Sql, column: TimeColumn, range: TimeRange, dialect: Dialect): Sql[] {
  const bound = (iso: string) => instantSql(nextStored(iso, column), column, dialect)
  return [
    ...(range.since ? [sql`${value} >= ${bound(range.since)}`] : []),
    ...(range.until ? [sql`${value} < ${bound(range.until)}`] : []),
  ]
}

/** The first instant from `iso` on that the column can store: a column of years stores only their starts. */
function nextStored(iso: string, column: TimeColumn): string {
  const format = storedFormatOf(column)
  if (!format || format === 'epoch_ms') return iso
  const unit = format === 'epoch_s' ? 'second' : readFormat(format).at(-1)!.unit
  if (unit === 'microsecond') return iso
  const time = parseIso(iso)
  const start = truncate(time, unit)
  return start === time ? iso : formatIso(addUnits(start, 1, unit))
}

/** Instant in the format in which the column stores its values. */
export function instantSql(iso: string, column: TimeColumn, dialect: Dialect): Sql {
  const pattern = storedFormatOf(column)
  if (!pattern) return dialect.instant(iso, column.type)
  const time = parseIso(iso)
  if (pattern === 'epoch_s') return sql`${Math.floor(time / 1000)}`
  if (pattern === 'epoch_ms') return sql`${Math.ceil(time)}`
  const text = formatTime(time, pattern)
  return column.type_generic === 0 && /^\d+$/.test(text) ? sql`${Number(text)}` : sql`${text}`
}
