import type { Value } from '@parquetry/model'
import { sql, type Sql } from './sql.ts'

/** SQL syntax of an engine: data and small functions, no driver. Anything an engine does not define is ANSI (`extendDialect`). */
export interface Dialect {
  /** Name of the engine, as in `Engine.name` and in error messages. */
  name: string
  quote(name: string): string
  /** Placeholder of the n-th bound value, starting at 1; the value is passed for engines that need its type. */
  placeholder(index: number, value: Value): string
  /** Value as SQL text. Only for the reported query, never for execution. */
  literal(value: Value): string
  /** Grain key (ISO duration) -> start of the period that contains `time`. Grains that are missing here are not offered. */
  timeGrain: Readonly<Record<string, (time: Sql) => Sql>>
  /**
   * Grains for which grouping by another value is faster than by the start of the period: rows are grouped by `key`, and `start`
   * computes the start of the period from it once per group.
   */
  groupedGrain: Readonly<Record<string, { key(time: Sql): Sql; start(key: Sql): Sql }>>
  /** An instant (naive ISO text) to compare with a column of the given engine type. */
  instant(iso: string, type: string | null): Sql
  /** Converts a time that carries a zone to UTC; identity where the session does that. */
  inUtc(time: Sql, type: string | null): Sql
  /** The time of an ISO text in pieces to concatenate: a date, or a date and a time after a blank. */
  timeFromText(pieces: readonly Sql[]): Sql
  epochSeconds(number: Sql): Sql
  epochMilliseconds(number: Sql): Sql
  /** Converts a value of an engine type (null: unknown) to text, for LIKE on other columns. */
  asText(value: Sql, type?: string | null): Sql
  /** Number with all its digits, at most 160 of them and without an exponent, to compare with a column of the engine type. */
  exactNumber(digits: string, type: string | null): Sql
  /** Types of floats with single precision (in upper case), and the cast of a number to them, without which 0.1 is not found. */
  singleFloat: { isType(type: string): boolean; cast(value: Sql): Sql } | null
  /** A number as a double, for engines that read it as a decimal, which is not the nearest double in a list; null elsewhere. */
  asDouble: ((value: number) => Sql) | null
  /** Tests that a float is NaN; null if the engine has no NaN. */
  isNaN: ((value: Sql) => Sql) | null
  /** Infinity as a value; null if the engine has none. */
  infinity: ((isNegative: boolean) => Sql) | null
  /** Form in which equal times are equal, if the engine stores times as texts of several forms; null elsewhere. */
  comparableTime: ((time: Sql) => Sql) | null
  /** A text next to a number is compared as a number, and most texts as 0. */
  readsTextAsNumber: boolean
  /** False if a column may contain numbers that its declared type does not allow. */
  declaresTypes: boolean
  like(text: Sql, pattern: Sql, ignoreCase: boolean): Sql
  /** Tests that a part of a text matches a regular expression in the syntax of the engine; null if the engine has none. */
  regex: ((text: Sql, pattern: Sql) => Sql) | null
  /** Tests that two values of one type are equal or both null, as a join condition for which the engine can use a hash table. */
  isSame(value: Sql, other: Sql): Sql
  /** Tests that a boolean is not null and equals `truth`. */
  isTruth(value: Sql, expected: boolean): Sql
  /** Sorts nulls last when ascending and first when descending on every engine, so that equal queries have equal orders. */
  order(value: Sql, ascending: boolean): Sql
  limit(rows: number, offset: number): Sql
  /**
   * Ends a sub-query so that outer conditions only see its rows. Without it, an engine that evaluates cheap conditions first
   * applies them to rows hidden by a row-level security rule, and errors then reveal their values.
   */
  fence: Sql
  /** A comparison casts each value of a column to the other side's type, and fails for values that cannot be cast. */
  comparesByCast: boolean
  /** Maximum alias length in UTF-8 bytes; longer ones are shortened. Null: no limit. */
  maxNameBytes: number | null
  /** Text between the name of a new table and `AS SELECT`, if the engine requires a storage clause. */
  newTable?: string
  /**
   * An alias hides the column of the same name in the whole SELECT, including WHERE; therefore aliases never equal column names.
   */
  aliasesHideColumns: boolean
  /** ORDER BY accepts the alias of a metric also inside an expression, such as the one that places nulls. */
  ordersByAliasOfMetric: boolean
  /** Capabilities of the engine; the compiler throws `unsupported` for queries that need a missing one. */
  supports: {
    /** Joins with sub-queries, for a series limit. */
    joins: boolean
    /** A time compared with a literal or bound text is compared as a time. */
    timesFromText: boolean
    /** Several queries over the same rows are faster with one rollup (`share`). */
    rollups: boolean
    /** Rollups can be cached beyond their statement, because the tables are managed here and change only with their version. */
    cachedRollups: boolean
    /** The row count of a table is known without reading it. */
    knownCounts: boolean
  }
  /** Syntax of rollups; used only if `supports.rollups`. */
  rollup: {
    /** FROM with about 1 % of the rows, selected without reading the others. */
    sampled(from: Sql): Sql
    /** Only named tables can be sampled. */
    samplesTablesOnly: boolean
    /** Approximate number of distinct values. */
    distinct(value: Sql): Sql
    /** Seconds between the first and the last of the times. */
    span(time: Sql): Sql
    /** Count from the counts of groups, with the type of a count; 0 when there are none. */
    count(counts: Sql): Sql
    /** Mean from a sum and a count, with the type of a mean. */
    mean(sum: Sql, count: Sql): Sql
    /** A mean of exact numbers equals the engine's own to the last digit. */
    hasExactMeans: boolean
    costs: RollupCosts
    /** Set if types determine whether a rollup gives the same result as a separate query. */
    types?: RollupTypeRules
  }
}

/** Estimated costs per row in nanoseconds on two cores, used to choose rollups; they never affect a result. */
export interface RollupCosts {
  /** Per row read, and per condition evaluated on it. */
  read: number
  condition: number
  /** Per row that passes the conditions, by the kind of key; periods that are grouped faster (`groupedGrain`) count as days. */
  name: number
  day: number
  period: number
  expression: number
  anotherKey: number
  value: number
  valueOfExpression: number
  /** Additional cost per row with thousands, and with tens of thousands, of groups. */
  thousands: number
  tensOfThousands: number
  /** Per statement over a rollup. */
  answer: number
}

/** Type rules of an engine. Types are named as in the results of `ofKey` and `ofValue`. */
export interface RollupTypeRules {
  /** Type of an expression over the rows, in an ungrouped SELECT. */
  ofKey(value: Sql): Sql
  /** The type of an aggregate. */
  ofValue(aggregate: Sql): Sql
  /** Returns whether groups by such a key can be grouped again: its equal values differ at most in their `form`. */
  isKey(type: string): boolean
  /** Expression that distinguishes equal values of a type; null when they are identical. */
  form(value: Sql, type: string): Sql | null
  /** Returns whether the aggregate over all rows follows from aggregates of this type over groups. */
  isValue(aggregate: 'SUM' | 'MIN' | 'MAX', type: string): boolean
  /** Returns whether a sum of this type has the same digits in any order of addition. */
  isExact(type: string): boolean
  /** Casts a sum of sums of this type back to this type. */
  sum(total: Sql, type: string): Sql
  /** Condition that makes the whole statement fail if `isSo` is not true. */
  orFail(isSo: Sql): Sql
}

const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`

function literal(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return String(value)
  return `(${value.map(literal).join(', ')})`
}

/** ANSI syntax, the base of every engine. It offers no time grains, because the standard has none. */
export const ansi: Dialect = {
  name: 'ansi',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (index) => `$${index}`,
  literal,
  timeGrain: {},
  groupedGrain: {},
  instant: (iso, type) => {
    const text = iso.replace('T', ' ')
    if (/CHAR|TEXT|STRING/i.test(type ?? '')) return sql`${text.includes('.') ? text : `${text}.000000`}`
    if (/^DATE$/i.test(type ?? '')) return sql`CAST(${text.slice(0, 10)} AS DATE)`
    return /TZ$|WITH TIME ZONE/i.test(type ?? '')
      ? sql`CAST(${text} AS TIMESTAMP WITH TIME ZONE)`
      : sql`CAST(${text} AS TIMESTAMP)`
  },
  inUtc: (time) => time,
  timeFromText: (pieces) => sql`CAST(${sql.join(pieces, ' || ')} AS TIMESTAMP)`,
  epochSeconds: (number) => sql`TIMESTAMP '1970-01-01 00:00:00' + ${number} * INTERVAL '1' SECOND`,
  epochMilliseconds: (number) => sql`TIMESTAMP '1970-01-01 00:00:00' + ${number} / 1000.0 * INTERVAL '1' SECOND`,
  asText: (value) => sql`CAST(${value} AS VARCHAR)`,
  exactNumber: (digits) => sql.digits(digits),
  singleFloat: { isType: (type) => /^(REAL|FLOAT4)$/.test(type), cast: (value) => sql`CAST(${value} AS REAL)` },
  asDouble: null,
  isNaN: (value) => sql`${value} = CAST('NaN' AS DOUBLE PRECISION)`,
  infinity: (isNegative) => sql`CAST(${isNegative ? '-Infinity' : 'Infinity'} AS DOUBLE PRECISION)`,
  comparableTime: null,
  readsTextAsNumber: false,
  declaresTypes: true,
  like: (text, pattern, ignoreCase) =>
    ignoreCase ? sql`LOWER(${text}) LIKE LOWER(${pattern})` : sql`${text} LIKE ${pattern}`,
  regex: null,
  isSame: (value, other) => sql`${value} IS NOT DISTINCT FROM ${other}`,
  isTruth: (value, expected) => (expected ? sql`${value} IS TRUE` : sql`${value} IS FALSE`),
  order: (value, ascending) => (ascending ? sql`${value} ASC NULLS LAST` : sql`${value} DESC NULLS FIRST`),
  limit: (rows, offset) =>
    offset > 0 ? sql`LIMIT ${sql.integer(rows)} OFFSET ${sql.integer(offset)}` : sql`LIMIT ${sql.integer(rows)}`,
  fence: sql`OFFSET 0`,
  comparesByCast: false,
  maxNameBytes: null,
  aliasesHideColumns: false,
  ordersByAliasOfMetric: true,
  supports: { joins: true, timesFromText: true, rollups: false, cachedRollups: false, knownCounts: false },
  rollup: {
    sampled: (from) => sql`${from} TABLESAMPLE SYSTEM (1)`,
    samplesTablesOnly: true,
    distinct: (value) => sql`COUNT(DISTINCT ${value})`,
    span: (time) => sql`EXTRACT(EPOCH FROM MAX(${time})) - EXTRACT(EPOCH FROM MIN(${time}))`,
    count: (counts) => sql`CAST(COALESCE(SUM(${counts}), 0) AS BIGINT)`,
    mean: (total, count) => sql`${total} / NULLIF(${count}, 0)`,
    hasExactMeans: false,
    costs: {
      read: 1,
      condition: 3,
      name: 3,
      day: 4,
      period: 15,
      expression: 12,
      anotherKey: 4,
      value: 1,
      valueOfExpression: 3,
      thousands: 5,
      tensOfThousands: 15,
      answer: 1e6,
    },
  },
}

/** Derives a dialect: properties of `own` replace those of the base, `supports` property by property. */
export const extendDialect = (
  base: Dialect,
  own: Partial<Omit<Dialect, 'supports'>> & { supports?: Partial<Dialect['supports']> },
): Dialect => ({ ...base, ...own, supports: { ...base.supports, ...own.supports } })
