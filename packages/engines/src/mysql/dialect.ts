import type { Value } from '@parquetry/model'
import { ansi, extendDialect, sql, type Sql } from '@parquetry/query'

const day = (time: Sql) => sql`DATE(${time})`
/** The week of the API begins on Sunday on this engine. */
const weekFromSunday = (time: Sql) => sql`${day(time)} - INTERVAL DAYOFWEEK(${time}) - 1 DAY`
/** A backslash is an escape character. */
function literal(value: Value): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return Array.isArray(value) ? `(${value.map(literal).join(', ')})` : ansi.literal(value)
}

/**
 * https://mariadb.com/kb/en/date-time-functions/ , the same in MySQL: everything not listed here is ANSI. Text comparisons and
 * LIKE without ILIKE follow the collation of the column, which usually ignores case.
 */
export const dialect = extendDialect(ansi, {
  name: 'mysql',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  literal,
  timeGrain: {
    PT1S: (time) => sql`CAST(DATE_FORMAT(${time}, '%Y-%m-%d %H:%i:%s') AS DATETIME)`,
    PT1M: (time) => sql`CAST(DATE_FORMAT(${time}, '%Y-%m-%d %H:%i:00') AS DATETIME)`,
    PT1H: (time) => sql`CAST(DATE_FORMAT(${time}, '%Y-%m-%d %H:00:00') AS DATETIME)`,
    P1D: day,
    P1W: weekFromSunday,
    P1M: (time) => sql`${day(time)} - INTERVAL DAYOFMONTH(${time}) - 1 DAY`,
    P3M: (time) => sql`MAKEDATE(YEAR(${time}), 1) + INTERVAL QUARTER(${time}) - 1 QUARTER`,
    P1Y: (time) => sql`MAKEDATE(YEAR(${time}), 1)`,
    '1969-12-28T00:00:00Z/P1W': weekFromSunday,
    '1969-12-29T00:00:00Z/P1W': (time) => sql`${day(time)} - INTERVAL WEEKDAY(${time}) DAY`,
  },
  instant: (iso, type) => {
    const text = iso.replace('T', ' ')
    if (/CHAR|TEXT/i.test(type ?? '')) return sql`${text.includes('.') ? text : `${text}.000000`}`
    return /^DATE$/i.test(type ?? '') ? sql`CAST(${text.slice(0, 10)} AS DATE)` : sql`CAST(${text} AS DATETIME(6))`
  },
  timeFromText: (pieces) => sql`CAST(CONCAT(${sql.join(pieces, ', ')}) AS DATETIME(6))`,
  epochSeconds: (number) => sql`TIMESTAMP('1970-01-01') + INTERVAL ${number} SECOND`,
  epochMilliseconds: (number) => sql`TIMESTAMP('1970-01-01') + INTERVAL ${number} * 1000 MICROSECOND`,
  asText: (value) => sql`CAST(${value} AS CHAR)`,
  singleFloat: { isType: (type) => /^FLOAT\b/.test(type), cast: (value) => sql`CAST(${value} AS FLOAT)` },
  readsTextAsNumber: true,
  isNaN: null,
  infinity: null,
  regex: (text, pattern) => sql`${text} REGEXP ${pattern}`,
  isSame: (value, other) => sql`${value} <=> ${other}`,
  /** The server puts nulls first ascending and last descending, and has no syntax to change that. */
  order: (value, ascending) =>
    ascending ? sql`${value} IS NULL ASC, ${value} ASC` : sql`${value} IS NULL DESC, ${value} DESC`,
  fence: sql`LIMIT 18446744073709551615`,
  maxNameBytes: 64,
  ordersByAliasOfMetric: false,
})
