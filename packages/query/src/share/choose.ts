import type { Dialect } from '../sql/dialect.ts'
import { hasFittingTypes } from './fitting-types.ts'
import { joined, levelCost, needsOf, scanCost, type Needs } from './costs.ts'
import { keysOf, type LevelKey } from './level.ts'
import { inexactColumns, type Shareable } from './shareable.ts'
import type { Sizes } from './sizes.ts'

/** Where fewer rows are read a question is answered sooner than the others are found. */
const leastRows = 100_000

/** A level has at most so many groups. */
export const mostGroups = 100_000

const once = { times: 1, most: mostGroups }

/** Each kind of question is compared with each: those beyond so many kinds are asked alone. */
const mostKinds = 60

interface Cluster {
  /** Of the questions. */
  members: number[]
  needs: Needs
  cost: number
  isLevel: boolean
}

interface Pair {
  of: readonly [Cluster, Cluster]
  merged: Cluster
  saved: number
}

/**
 * Which questions are answered from one level: pairs that save most go together until nothing is saved any more. The others are asked
 * alone.
 * @param questions  with equal `rows`
 * @param how  `times` that they are asked, with other values of their filters; `most` groups that a level may have
 * @returns positions among the questions, by level
 */
export function chooseLevels(
  questions: readonly Shareable[],
  sizes: Sizes,
  dialect: Dialect,
  { times, most } = once,
): number[][] {
  if (sizes.read < leastRows) return []
  const fitting = questions.flatMap((question, at) =>
    hasFittingTypes(question, dialect, sizes.types) && !isCutByChance(question, sizes, dialect) ? [at] : [],
  )
  const scan = scanCost(questions[0]?.where.length ?? 0, sizes, dialect)
  const clusterOf = (members: number[], needs: Needs): Cluster => {
    const alone = times * needs.alone
    const together = levelCost(needs, { scan, rows: sizes.rows, times, most }, dialect)
    return { members, needs, cost: Math.min(alone, together), isLevel: together < alone }
  }
  const pairOf = (one: Cluster, other: Cluster): Pair[] => {
    const merged = clusterOf([...one.members, ...other.members], joined(one.needs, other.needs, sizes, dialect))
    const saved = one.cost + other.cost - merged.cost
    return merged.isLevel && saved > 0 ? [{ of: [one, other], merged, saved }] : []
  }
  let clusters = [...sameKeys(fitting, questions, dialect)].slice(0, mostKinds).map((members) => {
    const asked = members.map((at) => questions[at] as Shareable)
    return clusterOf(members, needsOf(asked, sizes, dialect))
  })
  let pairs = clusters.flatMap((one, at) => clusters.slice(at + 1).flatMap((other) => pairOf(one, other)))
  for (;;) {
    const [first, ...rest] = pairs
    if (!first) break
    const { of, merged } = rest.reduce((best, pair) => (pair.saved > best.saved ? pair : best), first)
    clusters = clusters.filter((each) => !of.includes(each))
    pairs = [
      ...pairs.filter((pair) => !pair.of.some((each) => of.includes(each))),
      ...clusters.flatMap((each) => pairOf(each, merged)),
    ]
    clusters.push(merged)
  }
  return clusters.filter(({ isLevel }) => isLevel).map(({ members }) => members.toSorted((a, b) => a - b))
}

/** Questions of equal keys, in their order. */
function sameKeys(members: readonly number[], questions: readonly Shareable[], dialect: Dialect): Iterable<number[]> {
  const byKeys = new Map<string, number[]>()
  for (const at of members) {
    const keys = keysOf([questions[at] as Shareable], dialect).map(({ id, period }) => `${period?.grain} ${id}`)
    const key = JSON.stringify(keys.toSorted((a, b) => (a < b ? -1 : 1)))
    byKeys.set(key, [...(byKeys.get(key) ?? []), at])
  }
  return byKeys.values()
}

const groupsOf = (keys: readonly LevelKey[], sizes: Sizes): number =>
  keys.reduce((product, key) => product * Math.max(1, sizes.of(key)), 1)

/** Its rows hang on a comparison of sums that may differ in the last digit, and its limit surely cuts: the runner would refuse it. */
export function isCutByChance(question: Shareable, sizes: Sizes, dialect: Dialect): boolean {
  const mayDiffer = new Set(inexactColumns(question, dialect, sizes.types))
  if (!question.orderBy.some(({ column }) => mayDiffer.has(column))) return false
  return question.limit < groupsOf(keysOf([{ ...question, filters: [] }], dialect), sizes)
}
