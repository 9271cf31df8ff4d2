import { ansi, extendDialect, sql } from '@parquetry/query'
import { level } from './level.ts'

/**
 * https://www.postgresql.org/docs/current/functions-datetime.html : everything not named here is ANSI. Dividing whole numbers
 * gives a whole number, and AVG of whole numbers is a decimal; on DuckDB both are doubles.
 */
export const dialect = extendDialect(ansi, {
  name: 'postgresql',
  /** Without a type the server takes that of the other side, and refuses 7.5 beside an integer. */
  placeholder: (index, value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? `$${index}::bigint` : `$${index}::numeric`
    return typeof value === 'boolean' ? `$${index}::boolean` : `$${index}`
  },
  timeGrain: {
    PT1S: (time) => sql`DATE_TRUNC('second', ${time})`,
    PT1M: (time) => sql`DATE_TRUNC('minute', ${time})`,
    PT1H: (time) => sql`DATE_TRUNC('hour', ${time})`,
    P1D: (time) => sql`DATE_TRUNC('day', ${time})`,
    P1W: (time) => sql`DATE_TRUNC('week', ${time})`,
    P1M: (time) => sql`DATE_TRUNC('month', ${time})`,
    P3M: (time) => sql`DATE_TRUNC('quarter', ${time})`,
    P1Y: (time) => sql`DATE_TRUNC('year', ${time})`,
  },
  epochSeconds: (number) => sql`(TIMESTAMP 'epoch' + ${number} * INTERVAL '1 second')`,
  epochMilliseconds: (number) => sql`(TIMESTAMP 'epoch' + ${number} / 1000.0 * INTERVAL '1 second')`,
  asText: (value) => sql`CAST(${value} AS TEXT)`,
  like: (text, pattern, ignoreCase) => (ignoreCase ? sql`${text} ILIKE ${pattern}` : sql`${text} LIKE ${pattern}`),
  /** The places of nulls are its own default. */
  order: (value, ascending) => (ascending ? sql`${value} ASC` : sql`${value} DESC`),
  maxNameBytes: 63,
  supports: { levels: true },
  level,
})
