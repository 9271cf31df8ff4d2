import type { Statement } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { render } from '../sql/render.ts'
import { chooseLevels, mostGroups } from './choose.ts'
import { levelOf } from './level.ts'
import type { Shareable } from './shareable.ts'
import { sizesOf, type Sizes } from './sizes.ts'

/** One statement whose result answers some questions. */
export interface SharedPass {
  level: Statement
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
): { statement: Statement; read(row: Readonly<Record<string, number | null>>): Sizes } {
  const { piece, read } = sizesOf(questions, dialect)
  return { statement: { name: 'sizes', ...render(piece, dialect) }, read }
}

/**
 * Levels from which questions are answered faster than alone, with the same answers.
 * @param questions  with equal `rows`, to whom one person asks them by one set of rights
 */
export const sharePasses = (questions: readonly Shareable[], sizes: Sizes, dialect: Dialect): SharedPass[] =>
  chooseLevels(questions, sizes, dialect).map((members) => passOf(questions, members, dialect))

/** The same for these questions, whether it is faster or not. */
export function passOf(questions: readonly Shareable[], members: readonly number[], dialect: Dialect): SharedPass {
  const { level, answers } = levelOf(
    members.map((at) => questions[at] as Shareable),
    dialect,
  )
  return {
    level: { name: 'level', ...render(level, dialect) },
    mostGroups,
    answers: answers.map(({ piece, inexact, exact }, at) => ({
      of: members[at] ?? 0,
      statement: { name: 'query', ...render(piece, dialect) },
      inexact,
      exact,
    })),
  }
}
