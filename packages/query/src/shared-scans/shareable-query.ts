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

/** Query split into parts, which may be computed from a rollup. */
export interface ShareableQuery {
  from: Sql
  where: Sql[]
  /** FROM and WHERE with their values: queries with equal `rows` read the same rows with the same permissions. */
  rows: string
  /** Conditions of WHERE that could equally be applied to groups. */
  movable: { condition: Sql; filter: SharedFilter }[]
  /** Conditions applied to groups; see `deferFilters`. */
  filters: SharedFilter[]
  dimensions: SharedDimension[]
  measures: { alias: string; parts: MetricParts }[]
  /** Indexes of the result columns. */
  orderBy: { column: number; ascending: boolean }[]
  limit: number
}

export interface SharedDimension {
  alias: string
  value: Sql
  group: Sql
  /** Value as text, for comparison. */
  key: string
  /** For a period: the time that it contains. */
  period: { time: Sql; grain: string; key: string } | null
}

/**
 * Splits a grouped statement into parts, if every result computed from a rollup equals that of the statement itself. Returns null
 * for statements that compare aggregates, join, read the clock or cannot be decomposed.
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
  // The rollup's table would shadow it.
  if (select.from.parts.some((part) => 'name' in part && part.name.toLowerCase() === rollupTable)) return null
  const parts = measures.map(({ value }) => decomposeMetric(value, dialect))
  if (
    parts.some((each) => !each || hasInexactMeans(each, dialect)) ||
    (dimensions.length === 0 && measures.length === 0)
  )
    return null
  const fragments = [select.from, ...select.where, ...dimensions.map(({ value }) => value)]
  if (!fragments.every((fragment) => isDeterministic(fragment, dialect))) return null
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
    dimensions: dimensions.map((dimension, index) => toSharedDimension(dimension, aliases[index] ?? '', dialect)),
    measures: parts.map((each, index) => ({
      alias: aliases[dimensions.length + index] ?? '',
      parts: each as MetricParts,
    })),
    orderBy,
    limit: select.limit.rows,
  }
}

/** An error in the last digit of two means becomes arbitrarily large when dividing by their difference. */
const hasInexactMeans = (parts: MetricParts, dialect: Dialect): boolean =>
  !dialect.rollup.hasExactMeans &&
  parts.some((part) => isAggregate(part) && part.name === 'AVG') &&
  !isLinear(parts, dialect)

const rowsText = (from: Sql, where: readonly Sql[], dialect: Dialect): string =>
  toSqlKey(sql`${from} WHERE ${sql.join(where, ' AND ')}`, dialect)

/** Same query over a rollup with more rows than the query selects: its filters are applied to the groups. */
export function deferFilters(query: ShareableQuery, dialect: Dialect): ShareableQuery {
  const moved = new Set(query.movable.map(({ condition }) => condition))
  const where = query.where.filter((condition) => !moved.has(condition))
  const filters = query.movable.map(({ filter }) => filter)
  return { ...query, where, rows: rowsText(query.from, where, dialect), movable: [], filters }
}

/** Dimensions that the groups of the query must keep. */
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

/**
 * Returns whether the engine can answer the query without reading rows, such as the row count of a table. Sharing then gains
 * nothing.
 */
export const isMetadataOnly = ({ from, where, dimensions, measures }: ShareableQuery, { supports }: Dialect): boolean =>
  supports.knownCounts &&
  dimensions.length === 0 &&
  where.length === 0 &&
  isTable(from) &&
  measures.every(({ parts }) => parts.every((part) => isAggregate(part) && part.name === 'COUNT' && !part.argument))

/** Result columns that may differ in the last digit: sums of floating-point numbers, and expressions over sums. */
export const findInexactColumns = (
  { dimensions, measures }: ShareableQuery,
  dialect: Dialect,
  types = noTypes,
): number[] =>
  measures.flatMap(({ parts }, index) => {
    const [only, more] = parts
    const isAlone = only !== undefined && !more && isAggregate(only)
    // Expressions over exact numbers have the same digits too, if their types are known.
    const isExact =
      (isAlone || types.size > 0) && !parts.some((part) => isAggregate(part) && canBeInexact(part, types, dialect))
    return isExact ? [] : [dimensions.length + index]
  })
