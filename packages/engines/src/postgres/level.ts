import { type Dialect, type LevelTypes, sql, type Sql } from '@parquetry/query'

/**
 * Values of these that are equal are the same in every digit and letter, or `form` tells them apart. Those of a collation that takes
 * different texts as equal, and of `character` without a length, have other names in a session (`own-table.ts`).
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

/** Numbers of type `real` round at each step, so a sum of sums is another one; an interval of a month equals one of 30 days. */
const sums = new Set(['bigint', 'numeric', 'double precision'])
const ends = new Set(
  [...keys, 'real', 'double precision', 'time without time zone'].filter((type) => type !== 'character'),
)

/** https://www.postgresql.org/docs/current/functions-aggregate.html : SUM of `bigint`, and AVG of whole numbers, is `numeric`. */
const types: LevelTypes = {
  /** Of nothing that is looked at: the type is known before. */
  ofKey: (value) => sql`CAST(pg_typeof(mode() WITHIN GROUP (ORDER BY ${value}) FILTER (WHERE FALSE)) AS text)`,
  ofValue: (aggregate) => sql`CAST(pg_typeof(${aggregate}) AS text)`,
  isKey: (type) => keys.has(type),
  /** 1.0 and 1.00 are equal. */
  form: (value, type) => (type === 'numeric' ? sql`SCALE(${value})` : null),
  isValue: (name, type) => (name === 'SUM' ? sums : ends).has(type),
  isExact: (type) => type === 'bigint' || type === 'numeric',
  sum: (total, type) => (type === 'bigint' ? sql`CAST(${total} AS bigint)` : total),
  orFail: (isSo) => sql`1 / CASE WHEN ${isSo} THEN 1 ELSE 0 END = 1`,
}

const epoch = (end: Sql, time: Sql) => sql`EXTRACT(EPOCH FROM ${end}(${time}) FILTER (WHERE isfinite(${time})))`

export const level: Dialect['level'] = {
  sampled: (from) => sql`${from} TABLESAMPLE SYSTEM (1)`,
  samplesTablesOnly: true,
  distinct: (value) => sql`COUNT(DISTINCT ${value})`,
  span: (time) => sql`CAST(${epoch(sql`MAX`, time)} - ${epoch(sql`MIN`, time)} AS double precision)`,
  count: (counts) => sql`CAST(COALESCE(SUM(${counts}), 0) AS bigint)`,
  mean: (total, count) => sql`(${total} / ${count})`,
  /** 3 million flights, PostgreSQL 15 without a second process, which our cursors never have. */
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
