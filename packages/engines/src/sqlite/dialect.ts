import { ansi, extendDialect, sql, type Sql } from '@parquetry/query'

/** The week of the API begins on Sunday on this engine. */
const weekFromSunday = (time: Sql) => sql`DATETIME(${time}, 'start of day', '-6 days', 'weekday 0')`

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
  },
  /** A date compares with other texts in the same way as its midnight, however that is written. */
  instant: (iso) => sql`${iso.replace('T', ' ').replace(/ 00:00:00(\.0+)?$/, '')}`,
  epochSeconds: (number) => sql`DATETIME(${number}, 'unixepoch')`,
  epochMilliseconds: (number) => sql`DATETIME(${number} / 1000, 'unixepoch')`,
  asText: (value) => sql`CAST(${value} AS TEXT)`,
  singleFloat: null,
  isNaN: null,
  infinity: (isNegative) => (isNegative ? sql`-9e999` : sql`9e999`),
  declaresTypes: false,
  isSame: (value, other) => sql`${value} IS ${other}`,
  like: (text, pattern, ignoreCase) =>
    ignoreCase ? sql`LOWER(${text}) LIKE LOWER(${pattern}) ESCAPE '\\'` : sql`${text} LIKE ${pattern} ESCAPE '\\'`,
  fence: sql`LIMIT -1`,
})
