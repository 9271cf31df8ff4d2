import type { Statement } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { renderSql } from '../sql/render.ts'
import { chooseRollups, hasUnstableLimit, maxGroups } from './choose-rollups.ts'
import { coversQuery, planRollup, type RollupPlan } from './rollup.ts'
import type { ShareableQuery } from './shareable-query.ts'
import { buildSizeEstimate, type SizeEstimates, type SizeEstimateRow } from './size-estimates.ts'
import type { RollupTypes } from './rollup-types.ts'

/** One statement whose result serves several queries. */
export interface ScanPlan {
  rollup: Statement
  /** Same as in `RollupPlan`. */
  types: Record<string, string>
  /** A rollup with more groups is abandoned. */
  maxGroups: number
  queries: {
    /** Index among the queries that were passed. */
    index: number
    statement: Statement
    /** Same as in `RollupPlan`. */
    inexact: number[]
    exact: string[]
  }[]
}

/** Statement to run before rollups can be chosen. @param queries queries with equal `rows` */
export function planSizeEstimate(
  queries: readonly ShareableQuery[],
  dialect: Dialect,
): { statement: Statement; read(row: SizeEstimateRow): SizeEstimates } {
  const { piece, read } = buildSizeEstimate(queries, dialect)
  return { statement: { name: 'sizes', ...renderSql(piece, dialect) }, read }
}

/**
 * Rollups from which queries are answered faster than alone, with the same results.
 * @param queries  queries with equal `rows` by one user with one set of permissions
 */
export const planScans = (queries: readonly ShareableQuery[], sizes: SizeEstimates, dialect: Dialect): ScanPlan[] =>
  chooseRollups(queries, sizes, dialect).map((members) => planScan(queries, members, dialect, sizes.types))

/** Plans one rollup for the given queries, whether or not it is faster. */
export function planScan(
  queries: readonly ShareableQuery[],
  members: readonly number[],
  dialect: Dialect,
  types?: RollupTypes,
): ScanPlan {
  const scanQueries = members.map((index) => queries[index] as ShareableQuery)
  const rollup = planRollup(scanQueries, dialect, { types })
  return {
    rollup: { name: 'rollup', ...renderSql(rollup.rollup, dialect) },
    types: rollup.types,
    maxGroups,
    queries: renderQueries(rollup, dialect).map((query) => ({ ...query, index: members[query.index] ?? 0 })),
  }
}

/** Cached rollup that contains more rows than its queries select, so that it also serves them with other filter values. */
export interface CachedRollup {
  /** Queries for which it was built, with filters applied to the groups (`deferFilters`). */
  queries: readonly ShareableQuery[]
  rollup: Statement
  sizes: SizeEstimates
}

/** A cached rollup must pay off within this many filter changes; it may be larger because it is reused. */
const cachedRollupUse = { runCount: 10, groupLimit: 250_000 }

/**
 * Rollups worth caching.
 * @param queries  with equal `rows` and deferred filters
 */
export const planCachedRollups = (
  queries: readonly ShareableQuery[],
  sizes: SizeEstimates,
  dialect: Dialect,
): CachedRollup[] =>
  chooseRollups(queries, sizes, dialect, cachedRollupUse).map((members) => {
    const rollupQueries = members.map((index) => queries[index] as ShareableQuery)
    return {
      queries: rollupQueries,
      rollup: { name: 'rollup', ...renderSql(planRollup(rollupQueries, dialect).rollup, dialect) },
      sizes,
    }
  })

/** @param query  with the same `rows` and deferred filters */
export const isCoveredBy = (query: ShareableQuery, rollup: CachedRollup, dialect: Dialect): boolean =>
  coversQuery(rollup.queries, query, dialect) && !hasUnstableLimit(query, rollup.sizes, dialect)

/** @param queries  queries that the rollup can serve */
export function planScanFrom(from: CachedRollup, queries: readonly ShareableQuery[], dialect: Dialect): ScanPlan {
  const rollup = planRollup(from.queries, dialect, { answered: queries, types: from.sizes.types })
  return {
    rollup: from.rollup,
    types: rollup.types,
    maxGroups: cachedRollupUse.groupLimit,
    queries: renderQueries(rollup, dialect),
  }
}

const renderQueries = ({ queries }: RollupPlan, dialect: Dialect): ScanPlan['queries'] =>
  queries.map(({ piece, ...query }, index) => ({
    index,
    statement: { name: 'query', ...renderSql(piece, dialect) },
    ...query,
  }))
