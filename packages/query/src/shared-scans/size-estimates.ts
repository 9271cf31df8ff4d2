import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { grainSeconds } from './grains.ts'
import { keyIdOf, listRollupValues, type RollupKey } from './rollup.ts'
import { listGroupKeys, type ShareableQuery, type SharedDimension } from './shareable-query.ts'
import { noTypes, type RollupTypes } from './rollup-types.ts'

/** Estimated sizes of the rows of some queries. */
export interface SizeEstimates {
  /** Rows that are read to find the matching ones. */
  read: number
  rows: number
  /** Number of distinct values of a key. */
  of(key: RollupKey): number
  /** Absent when nothing depends on the types. */
  types?: RollupTypes
}

/** Result of a sizes statement. */
export type SizeEstimateRow = Readonly<Record<string, number | string | null>>

/** Fraction of the rows in a sample. */
const sampleShare = 0.01

/**
 * Statement that reads a hundredth of the rows and returns one row of numbers and type names, named `c0`, `c1`, ...
 * @param queries  queries with equal `rows`
 */
export function buildSizeEstimate(
  queries: readonly ShareableQuery[],
  dialect: Dialect,
): { piece: Sql; read(row: SizeEstimateRow): SizeEstimates } {
  const [first] = queries as [ShareableQuery]
  const keysById = new Map(queries.flatMap(listGroupKeys).map((each) => [keyIdOf(each), each]))
  const values = [...keysById.values()].map(({ period, value }) =>
    period ? dialect.rollup.span(period.time) : dialect.rollup.distinct(value),
  )
  const from = dialect.rollup.sampled(first.from)
  const read = first.where.length > 0 ? [sql`(SELECT COUNT(*) FROM ${from})`] : []
  const typed = listTypeProbes(queries, keysById, dialect)
  const piece = selectSql(
    {
      columns: [sql`COUNT(*)`, ...values, ...read, ...typed.values()].map((value, index) => ({
        value,
        alias: `c${index}`,
      })),
      from,
      join: null,
      where: first.where,
      groupBy: [],
      having: [],
      orderBy: [],
      limit: { rows: 1, offset: 0 },
    },
    dialect,
  )
  const ids = [...keysById.keys()]
  return {
    piece,
    read: (row) => {
      const number = (index: number): number => Number(row[`c${index}`] ?? 0)
      const sampled = number(0)
      const all = read.length > 0 ? number(values.length + 1) : sampled
      const found = new Map(ids.map((id, index) => [id, number(index + 1)]))
      const typesFrom = 1 + values.length + read.length
      const types = new Map([...typed.keys()].map((id, index) => [id, String(row[`c${typesFrom + index}`])]))
      const of = ({ id, period }: RollupKey): number => {
        const value = found.get(id) ?? Infinity
        if (period) return Math.min(sampled / sampleShare, value / (grainSeconds[period.grain] ?? 1) + 2)
        return extrapolateDistinct(value, sampled)
      }
      return { read: all / sampleShare, rows: sampled / sampleShare, of, types: typed.size > 0 ? types : noTypes }
    },
  }
}

/** Expressions for the types of keys and values, on engines where these matter. */
function listTypeProbes(
  queries: readonly ShareableQuery[],
  keys: ReadonlyMap<string, SharedDimension>,
  dialect: Dialect,
): ReadonlyMap<string, Sql> {
  const { types } = dialect.rollup
  if (!types) return new Map()
  return new Map([
    ...[...keys].map(([id, { period, value }]) => [id, types.ofKey(period?.time ?? value)] as const),
    ...listRollupValues(queries, dialect).flatMap(({ id, name, value }) =>
      name === 'COUNT' ? [] : [[id, types.ofValue(value)] as const],
    ),
  ])
}

/**
 * Extrapolates from a sample: many distinct values in it imply more outside; if every second sampled row has a new value, nearly
 * every row does.
 */
function extrapolateDistinct(distinct: number, sampled: number): number {
  const seen = distinct / Math.max(1, sampled)
  return seen >= 0.5
    ? sampled / sampleShare
    : Math.min(sampled / sampleShare, distinct * (1 + (4 * seen) / (1 - 2 * seen)))
}
