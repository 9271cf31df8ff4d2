import type { Value } from '@parquetry/model'
import { sql, type Sql } from './sql.ts'

/** How an engine writes SQL: data and small functions, no driver. What an engine does not name is ANSI (`extendDialect`). */
export interface Dialect {
  /** The engine's name, as in `Engine.name` and in error texts. */
  name: string
  quote(name: string): string
  /** Place of the n-th bound value, counted from 1; the value is given for engines that must be told its type. */
  placeholder(index: number, value: Value): string
  /** A value as SQL text. Only for the reported query, never for what runs. */
  literal(value: Value): string
  /** Grain key (ISO duration) -> start of the period that `time` lies in. A grain that is not here is not offered. */
  timeGrain: Readonly<Record<string, (time: Sql) => Sql>>
  /**
   * Where grouping by another value is faster than by the start of the period itself: `key` is grouped by and `start` makes
   * the period's start out of it, once for each group.
   */
  groupedGrain: Readonly<Record<string, { key(time: Sql): Sql; start(key: Sql): Sql }>>
  /** An instant (naive ISO text) to compare with a column of the given engine type. */
  instant(iso: string, type: string | null): Sql
  epochSeconds(number: Sql): Sql
  epochMilliseconds(number: Sql): Sql
  /** For LIKE on a column that is no text. */
  asText(value: Sql): Sql
  like(text: Sql, pattern: Sql, ignoreCase: boolean): Sql
  /** Whether a truth value is there and is this one. */
  isTruth(value: Sql, truth: boolean): Sql
  /** Nulls last ascending and first descending on every engine, so that equal questions give equal orders. */
  order(value: Sql, ascending: boolean): Sql
  limit(rows: number, offset: number): Sql
  /**
   * Ends a sub-select so that the conditions around it are asked of its rows only. Without it an engine that asks the cheaper
   * ones first asks them of rows that a row rule hides, and what fails then tells their values.
   */
  fence: Sql
  /** A comparison turns each value of a column into the other side's type, and fails with the value that is none. */
  comparesByCast: boolean
  /** Longest alias the engine keeps whole, in UTF-8 bytes; a longer one is shortened. Null: no limit. */
  maxNameBytes: number | null
  /** What stands between the name of a new table and `AS SELECT`, where the engine has to be told how to keep it. */
  newTable?: string
  /** An alias hides the column of the same name in the whole SELECT, also in WHERE; so no alias is the name of a column. */
  aliasesHideColumns: boolean
  /** ORDER BY takes the alias of a metric also inside of an expression, such as that for the places of nulls. */
  ordersByAliasOfMetric: boolean
  /** What the engine can do; the compiler raises `unsupported` before it is asked for what it cannot. */
  supports: {
    /** Joins with sub-selects, for a series limit. */
    joins: boolean
    /** Comparing a time with a text that is a literal or bound takes it as a time. */
    timesFromText: boolean
    /** Several questions over the same rows are answered faster from one level (`share`). */
    rollups: boolean
    /** A level may outlive the statement that it was made for: the tables are ours, and change only with their version. */
    cachedRollups: boolean
    /** How many rows a whole table has is known without reading them. */
    knownCounts: boolean
  }
  /** How a level is written; only where `supports.levels`. */
  rollup: {
    /** FROM with about one row in a hundred, chosen without reading the others. */
    sampled(from: Sql): Sql
    /** Nothing but a table by its name can be sampled so. */
    samplesTablesOnly: boolean
    /** About how many different values there are. */
    distinct(value: Sql): Sql
    /** Seconds from the first to the last of these times. */
    span(time: Sql): Sql
    /** A count from the counts of groups, of the type of a count: 0 where there are none. */
    count(counts: Sql): Sql
    /** A mean from a sum and a count, of the type of a mean. */
    mean(sum: Sql, count: Sql): Sql
    /** A mean of exact numbers is the engine's own to the last digit. */
    hasExactMeans: boolean
    costs: RollupCosts
    /** Where it hangs on types whether an answer is the same from a level as alone. */
    types?: RollupTypeRules
  }
}

/**
 * What a row costs a statement, in nanoseconds on two cores, by what is made of it: they choose levels, and decide nothing of an answer.
 */
export interface RollupCosts {
  /** Of each row that is read, and of each condition that it is asked. */
  read: number
  condition: number
  /** Of each row that the conditions let through, by what it is grouped by: periods that are grouped faster (`groupedGrain`) are days. */
  name: number
  day: number
  period: number
  expression: number
  anotherKey: number
  value: number
  valueOfExpression: number
  /** The same of each row where there are thousands, and tens of thousands, of groups. */
  thousands: number
  tensOfThousands: number
  /** Of a statement over a level. */
  answer: number
}

/** Types are named as the engine names them in an answer of `ofKey` and `ofValue`. */
export interface RollupTypeRules {
  /** The type of an expression of the rows, in a SELECT that groups by nothing. */
  ofKey(value: Sql): Sql
  /** The type of an aggregate. */
  ofValue(aggregate: Sql): Sql
  /** Whether rows can be grouped by groups of such a key: its equal values are told apart by nothing but their `form`. */
  isKey(type: string): boolean
  /** What tells apart values of a type that are equal; null where nothing does. */
  form(value: Sql, type: string): Sql | null
  /** Whether the aggregate over all rows follows from those of such a type over groups. */
  isValue(aggregate: 'SUM' | 'MIN' | 'MAX', type: string): boolean
  /** Whether a sum of such a type has the same digits in whatever order it is added up. */
  isExact(type: string): boolean
  /** A sum of sums, which are of this type, of the same type again. */
  sum(total: Sql, type: string): Sql
  /** A condition that fails as a whole statement where `isSo` is not true. */
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

/** The standard's spelling; every engine starts from it. It offers no time grains: the standard has none. */
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
  epochSeconds: (number) => sql`TIMESTAMP '1970-01-01 00:00:00' + ${number} * INTERVAL '1' SECOND`,
  epochMilliseconds: (number) => sql`TIMESTAMP '1970-01-01 00:00:00' + ${number} / 1000.0 * INTERVAL '1' SECOND`,
  asText: (value) => sql`CAST(${value} AS VARCHAR)`,
  like: (text, pattern, ignoreCase) =>
    ignoreCase ? sql`LOWER(${text}) LIKE LOWER(${pattern})` : sql`${text} LIKE ${pattern}`,
  isTruth: (value, truth) => (truth ? sql`${value} IS TRUE` : sql`${value} IS FALSE`),
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

/** A dialect from another one: what `own` names replaces what the base says, `supports` field by field. */
export const extendDialect = (
  base: Dialect,
  own: Partial<Omit<Dialect, 'supports'>> & { supports?: Partial<Dialect['supports']> },
): Dialect => ({ ...base, ...own, supports: { ...base.supports, ...own.supports } })
