import { AppError, message, type PlannerColumn } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { parseIso } from '../time-range/naive-time.ts'
import { formatTime } from '../time-range/format-time.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'
import { columnSql } from './expression.ts'

/** Description of the time that a piece of SQL returns: the engine type and the format of the values. */
export type TimeColumn = Pick<PlannerColumn, 'type' | 'type_generic' | 'python_date_format'>

export const nativeTime: TimeColumn = { type: null, type_generic: null, python_date_format: null }

/**
 * Converts a temporal column to a time of the engine in UTC, the clock of all labels and filters: numbers since 1970 are converted,
 * patterns are left to the engine.
 */
export function timeSql(column: PlannerColumn, dialect: Dialect): Sql {
  const value = columnSql(column)
  if (column.python_date_format === 'epoch_s') return dialect.epochSeconds(value)
  if (column.python_date_format === 'epoch_ms') return dialect.epochMilliseconds(value)
  return column.python_date_format ? value : dialect.inUtc(value, column.type)
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

/** `from <= value AND value < to`; empty for a range that is open on both sides. */
export function rangeSql(value: Sql, column: TimeColumn, range: TimeRange, dialect: Dialect): Sql[] {
  return [
    ...(range.since ? [sql`${value} >= ${instantSql(range.since, column, dialect)}`] : []),
    ...(range.until ? [sql`${value} < ${instantSql(range.until, column, dialect)}`] : []),
  ]
}

/** Instant in the format in which the column stores its values. */
export function instantSql(iso: string, column: TimeColumn, dialect: Dialect): Sql {
  const pattern = column.python_date_format
  if (!pattern) return dialect.instant(iso, column.type)
  const time = parseIso(iso)
  if (pattern === 'epoch_s') return sql`${Math.floor(time / 1000)}`
  if (pattern === 'epoch_ms') return sql`${Math.floor(time)}`
  const text = formatTime(time, pattern)
  return column.type_generic === 0 && /^\d+$/.test(text) ? sql`${Number(text)}` : sql`${text}`
}
