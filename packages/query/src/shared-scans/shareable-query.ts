import type { Dimension } from '../plan/dimensions.ts'
import type { Measure } from '../plan/metrics.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Select } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { parseSharedFilter, type SharedFilter } from './filters.ts'
import { isKnownGrain } from './grains.ts'
import { rollupTable } from './rollup-table.ts'
import { isDeterministic } from './deterministic.ts'
import { isAggregate, isLinear, decomposeMetric, type MetricParts } from './decompose-metric.ts'
import { toSqlKey } from './sql-key.ts'
import { canBeInexact, noTypes } from './rollup-types.ts'

/** A question in parts, which may be answered from a level: rows grouped before. */
export interface ShareableQuery {
  from: Sql
  where: Sql[]
  /** FROM and WHERE with their values: questions with equal rows read the same ones by the same rights. */
  rows: string
  /** Conditions of WHERE that could as well be asked of groups. */
  movable: { condition: Sql; filter: SharedFilter }[]
  /** Conditions that are asked of the groups: `widened`. */
  filters: SharedFilter[]
  dimensions: SharedDimension[]
  measures: { alias: string; parts: MetricParts }[]
  /** By the n-th column of the answer. */
  orderBy: { column: number; ascending: boolean }[]
  limit: number
}

export interface SharedDimension {
  alias: string
  value: Sql
  group: Sql
  /** The value as text, to tell equal ones. */
  key: string
  /** Of a period: the time that lies in it. */
  period: { time: Sql; grain: string; key: string } | null
}

/**
 * The parts of a grouped statement, when every answer that can be made of a level is the same as that of the statement itself. What
 * compares aggregates, joins, reads the clock or cannot be taken apart has none.
 */
export function toShareableQuery(
  {
    select,
    dimensions,
    measures,
    filters,
  }: { select: Select; dimensions: readonly Dimension[]; measures: readonly Measure[]; filters: readonly Sql[] },
  dialect: Dialect,
): ShareableQuery | null {
  if (!dialect.supports.rollups || select.join || select.having.length > 0 || !select.limit || select.limit.offset > 0)
    return null
  if (dialect.rollup.samplesTablesOnly && !isTable(select.from)) return null
  // The table of the level would stand before it.
  if (select.from.parts.some((part) => 'name' in part && part.name.toLowerCase() === rollupTable)) return null
  const parts = measures.map(({ value }) => decomposeMetric(value, dialect))
  if (
    parts.some((each) => !each || hasInexactMeans(each, dialect)) ||
    (dimensions.length === 0 && measures.length === 0)
  )
    return null
  const pieces = [select.from, ...select.where, ...dimensions.map(({ value }) => value)]
  if (!pieces.every((piece) => isDeterministic(piece, dialect))) return null
  const aliases = select.columns.map(({ alias }) => alias)
  if (new Set(aliases.map((alias) => alias.toLowerCase())).size < aliases.length) return null
  const names = aliases.map((alias) => toSqlKey(sql.id(alias), dialect))
  const orderBy = select.orderBy.map(({ value, ascending }) => ({
    column: names.indexOf(toSqlKey(value, dialect)),
    ascending,
  }))
  if (orderBy.some(({ column }) => column < 0)) return null
  return {
    from: select.from,
    where: select.where,
    rows: rowsText(select.from, select.where, dialect),
    movable: filters.flatMap((condition) => {
      const filter = parseSharedFilter(condition, dialect)
      return filter ? [{ condition, filter }] : []
    }),
    filters: [],
    dimensions: dimensions.map((dimension, at) => toSharedDimension(dimension, aliases[at] ?? '', dialect)),
    measures: parts.map((each, at) => ({ alias: aliases[dimensions.length + at] ?? '', parts: each as MetricParts })),
    orderBy,
    limit: select.limit.rows,
  }
}

/** What is divided by the difference of two means has any error where these have one in the last digit. */
const hasInexactMeans = (parts: MetricParts, dialect: Dialect): boolean =>
  !dialect.rollup.hasExactMeans &&
  parts.some((part) => isAggregate(part) && part.name === 'AVG') &&
  !isLinear(parts, dialect)

const rowsText = (from: Sql, where: readonly Sql[], dialect: Dialect): string =>
  toSqlKey(sql`${from} WHERE ${sql.join(where, ' AND ')}`, dialect)

/** The same question of a level that holds more rows than it asks for: what filters them is asked of the groups. */
export function deferFilters(question: ShareableQuery, dialect: Dialect): ShareableQuery {
  const moved = new Set(question.movable.map(({ condition }) => condition))
  const where = question.where.filter((condition) => !moved.has(condition))
  const filters = question.movable.map(({ filter }) => filter)
  return { ...question, where, rows: rowsText(question.from, where, dialect), movable: [], filters }
}

/** What its groups have to keep. */
export const listGroupKeys = ({ dimensions, filters }: ShareableQuery): SharedDimension[] => [
  ...dimensions,
  ...filters.map(({ key }) => key),
]

function toSharedDimension({ value, group, grain, time }: Dimension, alias: string, dialect: Dialect): SharedDimension {
  const period =
    grain && time && isKnownGrain(grain) ? { time, grain, key: `period of ${toSqlKey(time, dialect)}` } : null
  return { alias, value, group: period ? group : value, key: toSqlKey(value, dialect), period }
}

const isTable = ({ parts }: Sql): boolean =>
  parts.every((part) => 'name' in part || ('text' in part && part.text === '.'))

/** Whether an engine answers it without reading rows: how many a whole table has. Nothing is gained by waiting for others. */
export const isMetadataOnly = ({ from, where, dimensions, measures }: ShareableQuery, { supports }: Dialect): boolean =>
  supports.knownCounts &&
  dimensions.length === 0 &&
  where.length === 0 &&
  isTable(from) &&
  measures.every(({ parts }) => parts.every((part) => isAggregate(part) && part.name === 'COUNT' && !part.argument))

/** Columns of the answer that may not be exact to the last digit: sums of floating numbers, and what is made of sums. */
export const findInexactColumns = (
  { dimensions, measures }: ShareableQuery,
  dialect: Dialect,
  types = noTypes,
): number[] =>
  measures.flatMap(({ parts }, at) => {
    const [only, more] = parts
    const isAlone = only !== undefined && !more && isAggregate(only)
    // What is made of exact numbers has the same digits too, where their types are known.
    const isExact =
      (isAlone || types.size > 0) && !parts.some((part) => isAggregate(part) && canBeInexact(part, types, dialect))
    return isExact ? [] : [dimensions.length + at]
  })
