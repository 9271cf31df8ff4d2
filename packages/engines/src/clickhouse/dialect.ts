import { ansi, extendDialect, sql, type Sql } from '@parquetry/query'
import type { Value } from '@parquetry/model'

/** Backslashes are escape characters in texts and in names. */
const escaped = (text: string, quote: string) =>
  `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`

function literal(value: Value): string {
  if (typeof value === 'string') return escaped(value, "'")
  return Array.isArray(value) ? `(${value.map(literal).join(', ')})` : ansi.literal(value)
}

/** Server type of a bound value. */
function toParameterType(value: Value): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
  if (typeof value === 'boolean') return 'Bool'
  return value === null ? 'Nullable(String)' : 'String'
}

/** Converts dates to times, because the functions for parts of a day reject dates. */
const time64 = (time: Sql) => sql`toDateTime64(${time}, 6)`

/**
 * https://clickhouse.com/docs/sql-reference/functions/date-time-functions : everything not listed here is ANSI. If a column and
 * an alias have the same name, an expression refers to the alias, also in WHERE.
 */
export const dialect = extendDialect(ansi, {
  name: 'clickhouse',
  quote: (name) => escaped(name, '"'),
  placeholder: (index, value) => `{p${index}:${toParameterType(value)}}`,
  literal,
  newTable: 'ENGINE = MergeTree ORDER BY tuple()',
  timeGrain: {
    PT1S: (time) => sql`toStartOfSecond(${time64(time)})`,
    PT1M: (time) => sql`toStartOfMinute(${time64(time)})`,
    PT5M: (time) => sql`toStartOfFiveMinutes(${time64(time)})`,
    PT10M: (time) => sql`toStartOfTenMinutes(${time64(time)})`,
    PT15M: (time) => sql`toStartOfFifteenMinutes(${time64(time)})`,
    PT30M: (time) => sql`toStartOfInterval(${time64(time)}, INTERVAL 30 MINUTE)`,
    PT1H: (time) => sql`toStartOfHour(${time64(time)})`,
    P1D: (time) => sql`toStartOfDay(${time})`,
    P1W: (time) => sql`toMonday(${time})`,
    P1M: (time) => sql`toStartOfMonth(${time})`,
    P3M: (time) => sql`toStartOfQuarter(${time})`,
    P1Y: (time) => sql`toStartOfYear(${time})`,
  },
  /** `DateTime` itself ranges from 1970 to 2106; indexes of its columns are used with the wider type as well. */
  instant: (iso, type) => {
    if (/CHAR|TEXT|STRING/i.test(type ?? '')) return ansi.instant(iso, type)
    if (/^DATE(32)?$/i.test(type ?? '')) return sql`toDate32(${iso.slice(0, 10)})`
    return sql`toDateTime64(${iso.replace('T', ' ')}, 6, 'UTC')`
  },
  inUtc: (time, type) => (/^DATETIME(64)?\(.*'/i.test(type ?? '') ? sql`toTimeZone(${time}, 'UTC')` : time),
  timeFromText: (pieces) => sql`parseDateTime64BestEffortOrNull(${sql.join(pieces, ' || ')}, 6, 'UTC')`,
  epochSeconds: (number) => sql`fromUnixTimestamp64Milli(toInt64(${number} * 1000))`,
  epochMilliseconds: (number) => sql`fromUnixTimestamp64Milli(toInt64(${number}))`,
  asText: (value) => sql`toString(${value})`,
  /** A literal with a point or more than 20 digits would be a double. */
  exactNumber: (digits) => {
    const scale = digits.split('.')[1]?.length ?? 0
    if (scale > 0 && digits.length <= 77) return sql`toDecimal256(${digits}, ${sql.integer(scale)})`
    return digits.length > 19 && digits.length <= 77 ? sql`toInt256(${digits})` : sql.digits(digits)
  },
  singleFloat: { isType: (type) => /^FLOAT32$/.test(type), cast: (value) => sql`toFloat32(${value})` },
  isNaN: (value) => sql`isNaN(${value})`,
  infinity: (isNegative) => sql`toFloat64(${isNegative ? '-inf' : 'inf'})`,
  like: (text, pattern, ignoreCase) => (ignoreCase ? sql`${text} ILIKE ${pattern}` : sql`${text} LIKE ${pattern}`),
  regex: (text, pattern) => sql`match(${text}, ${pattern})`,
  isTruth: (value, expected) => (expected ? sql`ifNull(${value}, false)` : sql`NOT ifNull(${value}, true)`),
  fence: sql`LIMIT 18446744073709551615`,
  aliasesHideColumns: true,
  supports: { timesFromText: false },
})
