import type { Statement } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { renderSql } from '../sql/render.ts'
import { chooseRollups, hasUnstableLimit, maxGroups } from './choose-rollups.ts'
import { coversQuery, planRollup, type RollupPlan } from './rollup.ts'
import type { ShareableQuery } from './shareable-query.ts'
import { buildSizeEstimate, type SizeEstimates, type SizeEstimateRow } from './size-estimates.ts'
import type { RollupTypes } from './rollup-types.ts'

/** One statement whose result answers some questions. */
export interface ScanPlan {
  rollup: Statement
  /** As of `Level`. */
  types: Record<string, string>
  /** A level with more groups is given up. */
  maxGroups: number
  answers: {
    /** Position among the questions. */
    of: number
    statement: Statement
    /** As of `Level`. */
    inexact: number[]
    exact: string[]
  }[]
}

/** What to ask before levels can be chosen. @param questions with equal `rows` */
export function planSizeEstimate(
  questions: readonly ShareableQuery[],
  dialect: Dialect,
): { statement: Statement; read(row: SizeEstimateRow): SizeEstimates } {
  const { piece, read } = buildSizeEstimate(questions, dialect)
  return { statement: { name: 'sizes', ...renderSql(piece, dialect) }, read }
}

/**
 * Levels from which questions are answered faster than alone, with the same answers.
 * @param questions  with equal `rows`, to whom one person asks them by one set of rights
 */
export const planScans = (questions: readonly ShareableQuery[], sizes: SizeEstimates, dialect: Dialect): ScanPlan[] =>
  chooseRollups(questions, sizes, dialect).map((members) => planScan(questions, members, dialect, sizes.types))

/** The same for these questions, whether it is faster or not. */
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

/** A level that holds more rows than its questions ask for, so that it answers them with other values of their filters too. */
export interface CachedRollup {
  /** Widened, for whom it was made. */
  questions: readonly ShareableQuery[]
  rollup: Statement
  sizes: SizeEstimates
}

/** They are worth it when filters change so often; what is read ten times may be larger. */
const cachedRollupUse = { times: 10, most: 250_000 }

/**
 * Levels that are worth to be kept.
 * @param questions  with equal `rows`, widened
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

/** @param question  widened, with the same `rows` */
export const isCoveredBy = (question: ShareableQuery, level: CachedRollup, dialect: Dialect): boolean =>
  coversQuery(level.questions, question, dialect) && !hasUnstableLimit(question, level.sizes, dialect)

/** @param questions  that the level answers */
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
