import { ansi, extendDialect, sql, type Sql } from '@parquetry/query'

/** The week of the API begins on Sunday on this engine. */
const weekFromSunday = (time: Sql) => sql`DATETIME(${time}, 'start of day', '-6 days', 'weekday 0')`

const seconds = (count: number) => (time: Sql) =>
  sql`DATETIME(${time}, PRINTF('-%d seconds', STRFTIME('%S', ${time}) % ${sql.integer(count)}))`
const minutes = (count: number) => (time: Sql) =>
  sql`STRFTIME('%Y-%m-%d %H:%M:00', ${time}, PRINTF('-%d minutes', STRFTIME('%M', ${time}) % ${sql.integer(count)}))`

/**
 * https://www.sqlite.org/lang_datefunc.html : everything not listed here is ANSI. Times are text, `2020-01-02 03:04:05` or a
 * prefix of it, and are compared as text; LIKE ignores the case of ASCII letters.
 */
export const dialect = extendDialect(ansi, {
  name: 'sqlite',
  placeholder: () => '?',
  timeGrain: {
    PT1S: (time) => sql`DATETIME(${time})`,
    PT1M: (time) => sql`STRFTIME('%Y-%m-%d %H:%M:00', ${time})`,
    PT1H: (time) => sql`STRFTIME('%Y-%m-%d %H:00:00', ${time})`,
    P1D: (time) => sql`DATETIME(${time}, 'start of day')`,
    P1W: weekFromSunday,
    P1M: (time) => sql`DATETIME(${time}, 'start of month')`,
    P3M: (time) => sql`DATETIME(${time}, 'start of month', PRINTF('-%d months', (STRFTIME('%m', ${time}) - 1) % 3))`,
    P1Y: (time) => sql`DATETIME(${time}, 'start of year')`,
    '1969-12-28T00:00:00Z/P1W': weekFromSunday,
    '1969-12-29T00:00:00Z/P1W': (time) => sql`DATETIME(${time}, 'start of day', 'weekday 0', '-6 days')`,
    'P1W/1970-01-03T00:00:00Z': (time) => sql`DATETIME(${time}, 'start of day', 'weekday 6')`,
    'P1W/1970-01-04T00:00:00Z': (time) => sql`DATETIME(${time}, 'start of day', 'weekday 0')`,
    PT5S: seconds(5),
    PT30S: seconds(30),
    PT5M: minutes(5),
    PT10M: minutes(10),
    PT15M: minutes(15),
    PT30M: minutes(30),
    PT6H: (time) => sql`STRFTIME('%Y-%m-%d %H:00:00', ${time}, PRINTF('-%d hours', STRFTIME('%H', ${time}) % 6))`,
  },
  /** A date compares with other texts in the same way as its midnight, however that is written. */
  instant: (iso) => sql`${iso.replace('T', ' ').replace(/ 00:00:00(\.0+)?$/, '')}`,
  timeFromText: (pieces) => (pieces.length === 1 ? pieces[0]! : sql`(${sql.join(pieces, ' || ')})`),
  epochSeconds: (number) => sql`DATETIME(${number}, 'unixepoch')`,
  epochMilliseconds: (number) => sql`DATETIME(${number} / 1000, 'unixepoch')`,
  asText: (value) => sql`CAST(${value} AS TEXT)`,
  /** Texts that are no times are compared as they are. */
  comparableTime: (time) => sql`COALESCE(STRFTIME('%Y-%m-%d %H:%M:%f', ${time}), ${time})`,
  singleFloat: null,
  isNaN: null,
  infinity: (isNegative) => (isNegative ? sql`-9e999` : sql`9e999`),
  declaresTypes: false,
  isSame: (value, other) => sql`${value} IS ${other}`,
  like: (text, pattern, ignoreCase) =>
    ignoreCase ? sql`LOWER(${text}) LIKE LOWER(${pattern}) ESCAPE '\\'` : sql`${text} LIKE ${pattern} ESCAPE '\\'`,
  fence: sql`LIMIT -1`,
})
