import { ansi, type Dialect, extendDialect, type RollupTypeRules, sql, type Sql } from '@parquetry/query'

/**
 * Types whose equal values are identical or distinguished by `form`. Texts with a collation that treats different texts as equal,
 * and `character` without a length, have other type names in a session (`temp-table.ts`).
 */
const keys = new Set([
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'text',
  'character varying',
  'character',
  'date',
  'timestamp without time zone',
  'timestamp with time zone',
  'uuid',
])

/** Excludes `real`, which rounds at each step so that a sum of sums differs, and intervals, where a month equals 30 days. */
const sums = new Set(['bigint', 'numeric', 'double precision'])
const ends = new Set(
  [...keys, 'real', 'double precision', 'time without time zone'].filter((type) => type !== 'character'),
)

/** https://www.postgresql.org/docs/current/functions-aggregate.html : SUM of `bigint` and AVG of integers are `numeric`. */
const types: RollupTypeRules = {
  /** Aggregates no values: the type is known without them. */
  ofKey: (value) => sql`CAST(pg_typeof(mode() WITHIN GROUP (ORDER BY ${value}) FILTER (WHERE FALSE)) AS text)`,
  ofValue: (aggregate) => sql`CAST(pg_typeof(${aggregate}) AS text)`,
  isKey: (type) => keys.has(type),
  /** 1.0 and 1.00 are equal but differ in scale. */
  form: (value, type) => (type === 'numeric' ? sql`SCALE(${value})` : null),
  isValue: (name, type) => (name === 'SUM' ? sums : ends).has(type),
  isExact: (type) => type === 'bigint' || type === 'numeric',
  sum: (total, type) => (type === 'bigint' ? sql`CAST(${total} AS bigint)` : total),
  orFail: (isSo) => sql`1 / CASE WHEN ${isSo} THEN 1 ELSE 0 END = 1`,
}

const epoch = (end: Sql, time: Sql) => sql`EXTRACT(EPOCH FROM ${end}(${time}) FILTER (WHERE isfinite(${time})))`

const rollup: Dialect['rollup'] = {
  sampled: (from) => sql`${from} TABLESAMPLE SYSTEM (1)`,
  samplesTablesOnly: true,
  distinct: (value) => sql`COUNT(DISTINCT ${value})`,
  span: (time) => sql`CAST(${epoch(sql`MAX`, time)} - ${epoch(sql`MIN`, time)} AS double precision)`,
  count: (counts) => sql`CAST(COALESCE(SUM(${counts}), 0) AS bigint)`,
  mean: (total, count) => sql`(${total} / ${count})`,
  hasExactMeans: true,
  /** Measured with 3 million flights on PostgreSQL 15 without parallel workers, which our cursors never use. */
  costs: {
    read: 100,
    condition: 60,
    name: 200,
    day: 220,
    period: 220,
    expression: 300,
    anotherKey: 40,
    value: 30,
    valueOfExpression: 45,
    thousands: 0,
    tensOfThousands: 150,
    answer: 1.5e6,
  },
  types,
}

/**
 * https://www.postgresql.org/docs/current/functions-datetime.html : everything not listed here is ANSI. Dividing integers returns
 * an integer, and AVG of integers is a decimal; on DuckDB both are doubles.
 */
export const dialect = extendDialect(ansi, {
  name: 'postgresql',
  /** Without a cast the server infers the type from the other operand, and rejects 7.5 next to an integer. */
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
  /** The server compares all pairs for IS NOT DISTINCT FROM. Elements of arrays are equal if both are null. */
  isSame: (value, other) => sql`ARRAY[${value}] = ARRAY[${other}]`,
  like: (text, pattern, ignoreCase) => (ignoreCase ? sql`${text} ILIKE ${pattern}` : sql`${text} LIKE ${pattern}`),
  regex: (text, pattern) => sql`${text} ~ ${pattern}`,
  /** The required position of nulls is the engine's default. */
  order: (value, ascending) => (ascending ? sql`${value} ASC` : sql`${value} DESC`),
  maxNameBytes: 63,
  supports: { rollups: true },
  rollup,
})
