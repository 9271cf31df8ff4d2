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
  answers: {
    /** Index of the query. */
    of: number
    statement: Statement
    /** Same as in `RollupPlan`. */
    inexact: number[]
    exact: string[]
  }[]
}

/** Statement to run before rollups can be chosen. @param questions queries with equal `rows` */
export function planSizeEstimate(
  questions: readonly ShareableQuery[],
  dialect: Dialect,
): { statement: Statement; read(row: SizeEstimateRow): SizeEstimates } {
  const { piece, read } = buildSizeEstimate(questions, dialect)
  return { statement: { name: 'sizes', ...renderSql(piece, dialect) }, read }
}

/**
 * Rollups from which queries are answered faster than alone, with the same results.
 * @param questions  queries with equal `rows` by one user with one set of permissions
 */
export const planScans = (questions: readonly ShareableQuery[], sizes: SizeEstimates, dialect: Dialect): ScanPlan[] =>
  chooseRollups(questions, sizes, dialect).map((members) => planScan(questions, members, dialect, sizes.types))

/** Pass for the given queries, whether or not it is faster. */
export function planScan(
  questions: readonly ShareableQuery[],
  members: readonly number[],
  dialect: Dialect,
  types?: RollupTypes,
): ScanPlan {
  const asked = members.map((at) => questions[at] as ShareableQuery)
  const level = planRollup(asked, dialect, { types })
  return {
    rollup: { name: 'level', ...renderSql(level.rollup, dialect) },
    types: level.types,
    maxGroups,
    answers: renderAnswers(level, dialect).map((answer) => ({ ...answer, of: members[answer.of] ?? 0 })),
  }
}

/** Cached rollup that contains more rows than its queries select, so that it also serves them with other filter values. */
export interface CachedRollup {
  /** Widened queries for which it was built. */
  questions: readonly ShareableQuery[]
  rollup: Statement
  sizes: SizeEstimates
}

/** A cached rollup must pay off within this many filter changes; it may be larger because it is reused. */
const cachedRollupUse = { times: 10, most: 250_000 }

/**
 * Rollups worth caching.
 * @param questions  widened queries with equal `rows`
 */
export const planCachedRollups = (
  questions: readonly ShareableQuery[],
  sizes: SizeEstimates,
  dialect: Dialect,
): CachedRollup[] =>
  chooseRollups(questions, sizes, dialect, cachedRollupUse).map((members) => {
    const asked = members.map((at) => questions[at] as ShareableQuery)
    return {
      questions: asked,
      rollup: { name: 'level', ...renderSql(planRollup(asked, dialect).rollup, dialect) },
      sizes,
    }
  })

/** @param question  widened query with the same `rows` */
export const isCoveredBy = (question: ShareableQuery, level: CachedRollup, dialect: Dialect): boolean =>
  coversQuery(level.questions, question, dialect) && !hasUnstableLimit(question, level.sizes, dialect)

/** @param questions  queries that the rollup can serve */
export function planScanFrom(from: CachedRollup, questions: readonly ShareableQuery[], dialect: Dialect): ScanPlan {
  const level = planRollup(from.questions, dialect, { asked: questions, types: from.sizes.types })
  return {
    rollup: from.rollup,
    types: level.types,
    maxGroups: cachedRollupUse.most,
    answers: renderAnswers(level, dialect),
  }
}

const renderAnswers = ({ answers }: RollupPlan, dialect: Dialect): ScanPlan['answers'] =>
  answers.map(({ piece, ...said }, of) => ({ of, statement: { name: 'query', ...renderSql(piece, dialect) }, ...said }))
