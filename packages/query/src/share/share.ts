import type { Statement } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { render } from '../sql/render.ts'
import { chooseLevels, isCutByChance, mostGroups } from './choose.ts'
import { covers, levelOf, type Level } from './level.ts'
import type { Shareable } from './shareable.ts'
import { sizesOf, type Sizes, type SizesRow } from './sizes.ts'
import type { TypesOfLevel } from './types-of-level.ts'

/** One statement whose result answers some questions. */
export interface SharedPass {
  level: Statement
  /** As of `Level`. */
  types: Record<string, string>
  /** A level with more groups is given up. */
  mostGroups: number
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
export function askSizes(
  questions: readonly Shareable[],
  dialect: Dialect,
): { statement: Statement; read(row: SizesRow): Sizes } {
  const { piece, read } = sizesOf(questions, dialect)
  return { statement: { name: 'sizes', ...render(piece, dialect) }, read }
}

/**
 * Levels from which questions are answered faster than alone, with the same answers.
 * @param questions  with equal `rows`, to whom one person asks them by one set of rights
 */
export const sharePasses = (questions: readonly Shareable[], sizes: Sizes, dialect: Dialect): SharedPass[] =>
  chooseLevels(questions, sizes, dialect).map((members) => passOf(questions, members, dialect, sizes.types))

/** The same for these questions, whether it is faster or not. */
export function passOf(
  questions: readonly Shareable[],
  members: readonly number[],
  dialect: Dialect,
  types?: TypesOfLevel,
): SharedPass {
  const asked = members.map((at) => questions[at] as Shareable)
  const level = levelOf(asked, dialect, { types })
  return {
    level: { name: 'level', ...render(level.level, dialect) },
    types: level.types,
    mostGroups,
    answers: answersOf(level, dialect).map((answer) => ({ ...answer, of: members[answer.of] ?? 0 })),
  }
}

/** A level that holds more rows than its questions ask for, so that it answers them with other values of their filters too. */
export interface KeptLevel {
  /** Widened, for whom it was made. */
  questions: readonly Shareable[]
  level: Statement
  sizes: Sizes
}

/** They are worth it when filters change so often; what is read ten times may be larger. */
const kept = { times: 10, most: 250_000 }

/**
 * Levels that are worth to be kept.
 * @param questions  with equal `rows`, widened
 */
export const levelsToKeep = (questions: readonly Shareable[], sizes: Sizes, dialect: Dialect): KeptLevel[] =>
  chooseLevels(questions, sizes, dialect, kept).map((members) => {
    const asked = members.map((at) => questions[at] as Shareable)
    return { questions: asked, level: { name: 'level', ...render(levelOf(asked, dialect).level, dialect) }, sizes }
  })

/** @param question  widened, with the same `rows` */
export const isAnsweredBy = (question: Shareable, level: KeptLevel, dialect: Dialect): boolean =>
  covers(level.questions, question, dialect) && !isCutByChance(question, level.sizes, dialect)

/** @param questions  that the level answers */
export function passFrom(from: KeptLevel, questions: readonly Shareable[], dialect: Dialect): SharedPass {
  const level = levelOf(from.questions, dialect, { asked: questions, types: from.sizes.types })
  return { level: from.level, types: level.types, mostGroups: kept.most, answers: answersOf(level, dialect) }
}

const answersOf = ({ answers }: Level, dialect: Dialect): SharedPass['answers'] =>
  answers.map(({ piece, ...said }, of) => ({ of, statement: { name: 'query', ...render(piece, dialect) }, ...said }))
