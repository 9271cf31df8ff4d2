import { truncateToGrain } from '../plan/time-column.ts'
import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { commonGrain, rollupGrain } from './grains.ts'
import { rollupTable } from './rollup-table.ts'
import { findInexactColumns, listGroupKeys, type ShareableQuery, type SharedDimension } from './shareable-query.ts'
import { isAggregate, isLinear, type Aggregate, type MetricParts } from './decompose-metric.ts'
import { toSqlKey } from './sql-key.ts'
import { canBeInexact, noTypes, type RollupTypes } from './rollup-types.ts'

/** Key by which a rollup is grouped. */
export interface RollupKey {
  /** Equal for equal keys. */
  id: string
  group: Sql
  /**
   * Set for periods: each group is represented by one of its times, so that coarser periods are computed from a value of the
   * original type.
   */
  period: { time: Sql; grain: string } | null
}

/** Value that a rollup stores per group; a mean is stored as a sum and a count. */
export interface RollupValue {
  id: string
  name: Exclude<Aggregate['name'], 'AVG'>
  argument: Sql | null
  value: Sql
}

/** Queries over the same rows as one statement, plus one small statement per query over its result. */
export interface RollupPlan {
  rollup: Sql
  /** Column -> type that it must have; otherwise the results would differ from those of separate queries. */
  types: Record<string, string>
  queries: {
    piece: Sql
    /**
     * Ordering columns that may differ in the last digit. The result then has one row more than requested, and is valid only if
     * that row does not exist or these columns turn out to be exact.
     */
    inexact: number[]
    /** Rollup columns that must be exact for the result to be as exact as that of a separate query. */
    exact: string[]
  }[]
}

/** Location of a key or value in the rollup. */
interface RollupColumn {
  column: string
  /** For a period: the column with its time. */
  time: string
  type: string
  /** Columns with the minimum and maximum of the form that distinguishes equal values; null when equal values look the same. */
  forms: readonly [string, string] | null
}

/**
 * @param queries  queries with equal `rows`, whose keys and values the rollup contains
 * @param answered  queries to run on the rollup
 */
export function planRollup(
  queries: readonly ShareableQuery[],
  dialect: Dialect,
  { answered = queries, types = noTypes }: { answered?: readonly ShareableQuery[]; types?: RollupTypes } = {},
): RollupPlan {
  const [first] = queries as [ShareableQuery]
  const columns: { value: Sql; alias: string }[] = []
  const groupBy: Sql[] = []
  const columnsById = new Map<string, RollupColumn>()
  const requiredTypes: Record<string, string> = {}
  const formOf = (value: Sql, type: string): Sql | null => dialect.rollup.types?.form(value, type) ?? null
  for (const [at, { id, group, period }] of listRollupKeys(queries, dialect).entries()) {
    const type = types.get(id) ?? ''
    const form = period ? null : formOf(group, type)
    const [column, time, other] = [`~k${at}`, `~t${at}`, `~f${at}`]
    columns.push({ value: group, alias: column })
    if (period) columns.push({ value: sql`MIN(${period.time})`, alias: time })
    if (form) columns.push({ value: form, alias: other })
    groupBy.push(group, ...(form ? [form] : []))
    if (type) requiredTypes[period ? time : column] = type
    columnsById.set(id, { column, time, type, forms: form && [other, other] })
  }
  for (const [at, { id, name, argument, value }] of listRollupValues(queries, dialect).entries()) {
    const type = types.get(id) ?? ''
    const form = argument && (name === 'MIN' || name === 'MAX') ? formOf(argument, type) : null
    const [column, minColumn, maxColumn] = [`~a${at}`, `~b${at}`, `~c${at}`]
    columns.push({ value, alias: column })
    if (form)
      columns.push({ value: sql`MIN(${form})`, alias: minColumn }, { value: sql`MAX(${form})`, alias: maxColumn })
    if (type) requiredTypes[column] = type
    columnsById.set(id, { column, time: '', type, forms: form && [minColumn, maxColumn] })
  }
  const rollupSql = selectSql(
    {
      columns: columns.length > 0 ? columns : [{ value: sql`COUNT(*)`, alias: '~n' }],
      from: first.from,
      join: null,
      where: first.where,
      groupBy,
      having: [],
      orderBy: [],
      limit: null,
    },
    dialect,
  )
  return {
    rollup: rollupSql,
    types: requiredTypes,
    queries: answered.map((each) => planRollupQuery(each, columnsById, dialect, types)),
  }
}

export const keyIdOf = ({ period, key }: SharedDimension): string => period?.key ?? key

/** Distinct keys. Periods of one time use the coarsest grain from which all of them can be computed. */
export function listRollupKeys(queries: readonly ShareableQuery[], dialect: Dialect): RollupKey[] {
  const found = new Map<string, RollupKey>()
  for (const dimension of queries.flatMap(listGroupKeys)) {
    const { group, period } = dimension
    const id = keyIdOf(dimension)
    const known = found.get(id)
    if (!period) found.set(id, { id, group, period })
    else {
      const own = rollupGrain(period.grain, dialect)
      const grain = known?.period ? commonGrain(known.period.grain, own) : own
      found.set(id, {
        id,
        group: truncateToGrain(period.time, grain, dialect).group,
        period: { time: period.time, grain },
      })
    }
  }
  return [...found.values()]
}

interface RollupContents {
  grains: ReadonlyMap<string, string | undefined>
  values: ReadonlySet<string>
}

/**
 * Contents of rollups, by the queries for which they were built; cached because each rollup is checked against every query of a
 * dashboard.
 */
const contentsCache = new WeakMap<readonly ShareableQuery[], RollupContents>()

function getRollupContents(queries: readonly ShareableQuery[], dialect: Dialect): RollupContents {
  const known = contentsCache.get(queries)
  if (known) return known
  const grains = new Map(listRollupKeys(queries, dialect).map(({ id, period }) => [id, period?.grain]))
  const found = { grains, values: new Set(listRollupValues(queries, dialect).map(({ id }) => id)) }
  contentsCache.set(queries, found)
  return found
}

/** Returns whether a rollup for the given queries, which must not change, can serve another query with equal `rows`. */
export function coversQuery(queries: readonly ShareableQuery[], other: ShareableQuery, dialect: Dialect): boolean {
  const { grains, values } = getRollupContents(queries, dialect)
  return (
    listRollupKeys([other], dialect).every(({ id, period }) => {
      const grain = grains.get(id)
      return grains.has(id) && (period && grain ? commonGrain(grain, period.grain) : period?.grain) === grain
    }) && listRollupValues([other], dialect).every(({ id }) => values.has(id))
  )
}

export function listRollupValues(queries: readonly ShareableQuery[], dialect: Dialect): RollupValue[] {
  const found = new Map<string, RollupValue>()
  for (const value of queries.flatMap(listAggregates).flatMap((aggregate) => toRollupValues(aggregate, dialect)))
    found.set(value.id, value)
  return [...found.values()]
}

const listAggregates = ({ measures }: ShareableQuery): Aggregate[] =>
  measures.flatMap(({ parts }) => parts.filter((part) => isAggregate(part)))

const toRollupValues = ({ name, argument }: Aggregate, dialect: Dialect): RollupValue[] =>
  name === 'AVG'
    ? [buildRollupValue('SUM', argument, dialect), buildRollupValue('COUNT', argument, dialect)]
    : [buildRollupValue(name, argument, dialect)]

function buildRollupValue(name: RollupValue['name'], argument: Sql | null, dialect: Dialect): RollupValue {
  const value = argument ? sql`${aggregateSql[name]}(${argument})` : sql`COUNT(*)`
  return { id: toSqlKey(value, dialect), name, argument, value }
}

const aggregateSql = { COUNT: sql`COUNT`, SUM: sql`SUM`, MIN: sql`MIN`, MAX: sql`MAX` }

function planRollupQuery(
  query: ShareableQuery,
  columnsById: ReadonlyMap<string, RollupColumn>,
  dialect: Dialect,
  types: RollupTypes,
): RollupPlan['queries'][number] {
  const columnOf = (id: string): RollupColumn => columnsById.get(id) as RollupColumn
  const columnsOf = (aggregate: Aggregate) => toRollupValues(aggregate, dialect).map(({ id }) => columnOf(id))
  const where = query.filters.map(({ key, over: overKey }) => {
    const { column, time } = columnOf(keyIdOf(key))
    return overKey(sql.id(key.period ? time : column))
  })
  const dimensions = query.dimensions.map((dimension) => {
    const { column, time } = columnOf(keyIdOf(dimension))
    const plain = sql.id(column)
    const { period } = dimension
    const { value, group } = period
      ? truncateToGrain(sql.id(time), period.grain, dialect)
      : { value: plain, group: plain }
    return { alias: dimension.alias, value, group }
  })
  const over = (aggregate: Aggregate): Sql => {
    const [first, second] = columnsOf(aggregate) as [RollupColumn, RollupColumn]
    const column = sql.id(first.column)
    if (aggregate.name === 'COUNT') return dialect.rollup.count(column)
    if (aggregate.name === 'AVG')
      return dialect.rollup.mean(sql`SUM(${column})`, dialect.rollup.count(sql.id(second.column)))
    if (aggregate.name === 'SUM')
      return dialect.rollup.types?.sum(sql`SUM(${column})`, first.type) ?? sql`SUM(${column})`
    return sql`${aggregateSql[aggregate.name]}(${column})`
  }
  const aggregates = listAggregates(query)
  const sumsOf = (parts: MetricParts): string[] =>
    parts
      .filter(isAggregate)
      .flatMap((part) => (canBeInexact(part, types, dialect) ? [columnsOf(part)[0]!.column] : []))
  const measures = query.measures.map(({ alias, parts }) => ({
    alias,
    value: sql.join(
      parts.map((part) => (isAggregate(part) ? over(part) : part)),
      '',
    ),
  }))
  const mayDiffer = new Set(findInexactColumns(query, dialect, types))
  const inexact = query.orderBy.map(({ column }) => column).filter((column) => mayDiffer.has(column))
  const columns = [...dimensions, ...measures]
  const usedColumns = [...query.dimensions.map((each) => columnOf(keyIdOf(each))), ...aggregates.flatMap(columnsOf)]
  const piece = selectSql(
    {
      columns: columns.map(({ alias, value }) => ({ alias, value })),
      from: sql.id(rollupTable),
      join: null,
      where,
      groupBy: dimensions.map(({ group }) => group),
      having: [...new Set(usedColumns)].flatMap(({ forms }) => (forms ? [assertOneForm(forms, dialect)] : [])),
      orderBy: query.orderBy.map(({ column, ascending }) => ({
        value: sql.id(columns[column]?.alias ?? ''),
        ascending,
      })),
      limit: { rows: query.limit + (inexact.length > 0 ? 1 : 0), offset: 0 },
    },
    dialect,
  )
  const exact = query.measures.flatMap(({ parts }) => (isLinear(parts, dialect) ? [] : sumsOf(parts)))
  return { piece, inexact, exact: [...new Set(exact)] }
}

/**
 * Condition that fails the query when equal values of a group look different: which one is shown would depend on the row order,
 * so the query must run alone.
 */
const assertOneForm = ([minColumn, maxColumn]: readonly [string, string], { rollup }: Dialect): Sql =>
  rollup.types?.orFail(sql`MIN(${sql.id(minColumn)}) IS NOT DISTINCT FROM MAX(${sql.id(maxColumn)})`) ?? sql`TRUE`
