import { ansi, extendDialect, hasBackslash, sql, type Sql } from '@parquetry/query'
import type { Value } from '@parquetry/model'

/**
 * A decimal compares exactly with every numeric type of the server; a number that JavaScript writes with an exponent is a double.
 */
function number(value: number): string {
  const text = Math.abs(value) < 1e15 || Number.isSafeInteger(value) ? String(value) : value.toExponential()
  return value < 0 ? `(${text})` : text
}

/** The quote is the only special character in a string literal, and can only be escaped by doubling it. */
function literal(value: Value): string {
  if (typeof value === 'number') return number(value)
  return Array.isArray(value) ? `(${value.map(literal).join(', ')})` : ansi.literal(value)
}

/** Decimal places of the seconds: a literal more precise than the column would keep the server from skipping files. */
const fractionDigits = (iso: string) => sql.integer(iso.split('.')[1]?.length ?? 0)

/** Precision and scale of a literal, up to the 38 digits of the server. */
function precisionOf(digits: string): Sql {
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  return sql`${sql.integer(Math.min(38, whole.length + fraction.length))}, ${sql.integer(fraction.length)}`
}

const multiple = (minutes: number) => (time: Sql) =>
  sql`date_trunc('hour', ${time}) + (EXTRACT(MINUTE FROM ${time}) / ${sql.integer(minutes)} * ${sql.integer(minutes)}) * INTERVAL '1' MINUTE`

/**
 * https://trino.io/docs/current/functions/datetime.html : everything not listed here is ANSI.
 *
 * Values are inlined as literals. The protocol has no separate values: `EXECUTE ... USING` accepts literals as well, would put
 * the whole statement into a header of 8 KB or into another literal, shifts error positions, and rejects a bound value that is
 * both selected and grouped by.
 */
export const dialect = extendDialect(ansi, {
  name: 'trino',
  placeholder: (_, value) => literal(value),
  literal,
  timeGrain: {
    PT1S: (time) => sql`date_trunc('second', ${time})`,
    PT1M: (time) => sql`date_trunc('minute', ${time})`,
    PT5M: multiple(5),
    PT10M: multiple(10),
    PT15M: multiple(15),
    PT30M: multiple(30),
    PT1H: (time) => sql`date_trunc('hour', ${time})`,
    P1D: (time) => sql`date_trunc('day', ${time})`,
    P1W: (time) => sql`date_trunc('week', ${time})`,
    P1M: (time) => sql`date_trunc('month', ${time})`,
    P3M: (time) => sql`date_trunc('quarter', ${time})`,
    P1Y: (time) => sql`date_trunc('year', ${time})`,
  },
  instant: (iso, type) => {
    if (/CHAR|TEXT|STRING|^DATE$/i.test(type ?? '')) return ansi.instant(iso, type)
    const zone = /TZ$|WITH TIME ZONE/i.test(type ?? '') ? sql` WITH TIME ZONE` : sql``
    return sql`CAST(${iso.replace('T', ' ')} AS TIMESTAMP(${fractionDigits(iso)})${zone})`
  },
  inUtc: (time, type) => (/WITH TIME ZONE/i.test(type ?? '') ? sql`(${time} AT TIME ZONE 'UTC')` : time),
  timeFromText: (pieces) => sql`TRY_CAST(${sql.join(pieces, ' || ')} AS TIMESTAMP(6))`,
  epochSeconds: (value) => sql`CAST(from_unixtime(${value}) AS TIMESTAMP(3))`,
  epochMilliseconds: (value) => sql`CAST(from_unixtime(CAST(${value} AS DOUBLE) / 1000) AS TIMESTAMP(3))`,
  /** The server casts arrays, maps and rows to JSON only. */
  asText: (value, type) => {
    if (/^JSON$/i.test(type ?? '')) return sql`json_format(${value})`
    return /^(ARRAY|MAP|ROW)\b/i.test(type ?? '')
      ? sql`json_format(CAST(${value} AS JSON))`
      : sql`CAST(${value} AS VARCHAR)`
  },
  /** Integers beyond 64 bits must be written as decimals. */
  exactNumber: (digits) => sql`CAST(${digits} AS DECIMAL(${precisionOf(digits)}))`,
  asDouble: (value) => sql`CAST(${String(value)} AS DOUBLE)`,
  isNaN: (value) => sql`is_nan(${value})`,
  like: (text, pattern, ignoreCase) =>
    hasBackslash(pattern)
      ? sql`${ansi.like(text, pattern, ignoreCase)} ESCAPE '\\'`
      : ansi.like(text, pattern, ignoreCase),
  regex: (text, pattern) => sql`regexp_like(${text}, ${pattern})`,
  infinity: (isNegative) => (isNegative ? sql`-infinity()` : sql`infinity()`),
  isTruth: (value, expected) => sql`${value} IS NOT DISTINCT FROM ${expected}`,
  /** OFFSET comes first. */
  limit: (rows, offset) =>
    offset > 0 ? sql`OFFSET ${sql.integer(offset)} LIMIT ${sql.integer(rows)}` : sql`LIMIT ${sql.integer(rows)}`,
  /** OFFSET 0 would be removed from the plan. */
  fence: sql`LIMIT 9223372036854775807`,
  supports: { timesFromText: false },
})
