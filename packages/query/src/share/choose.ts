import type { Dialect } from '../sql/dialect.ts'
import { hasFittingTypes } from './fitting-types.ts'
import { keysOf, valuesOf, type LevelKey, type LevelValue } from './level.ts'
import { inexactColumns, type Shareable } from './shareable.ts'
import type { Sizes } from './sizes.ts'

/** Where fewer rows are read a question is answered sooner than the others are found. */
const leastRows = 100_000

/** A level has at most so many groups, and at most a fifth of the rows. */
export const mostGroups = 100_000
const mostOfRows = 0.2

/** Nanoseconds: a level that takes longer is not waited for, and would be made for nothing. */
const longest = 20e9

const once = { times: 1, most: mostGroups }

interface Cluster {
  /** Of the questions. */
  members: number[]
  cost: number
  isLevel: boolean
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
  const clusterOf = (members: number[]): Cluster => {
    const asked = members.map((at) => questions[at] as Shareable)
    const alone = times * sum(asked.map((each) => aloneCost(each, sizes, dialect)))
    const together = levelCost(asked, sizes, dialect, { times, most })
    return { members, cost: Math.min(alone, together), isLevel: together < alone }
  }
  let clusters = [...sameKeys(fitting, questions, dialect)].map(clusterOf)
  for (;;) {
    let best: { saved: number; pair: Cluster[]; merged: Cluster } | null = null
    for (const [at, one] of clusters.entries())
      for (const other of clusters.slice(at + 1)) {
        const merged = clusterOf([...one.members, ...other.members])
        const saved = one.cost + other.cost - merged.cost
        if (merged.isLevel && saved > (best?.saved ?? 0)) best = { saved, pair: [one, other], merged }
      }
    if (!best) break
    const { pair, merged } = best
    clusters = [...clusters.filter((each) => !pair.includes(each)), merged]
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

const isName = (text: string): boolean => /^"[^"]*"$/.test(text)

function keyCost({ id, period }: LevelKey, isLevel: boolean, { groupedGrain, level: { costs } }: Dialect): number {
  if (!period) return isName(id) ? costs.name : costs.expression
  const isFast = Object.hasOwn(groupedGrain, period.grain)
  return (isFast ? costs.day : costs.period) + (isLevel ? costs.value : 0)
}

const valueCost = ({ id }: LevelValue, { level: { costs } }: Dialect): number =>
  /\((\*|"[^"]*"|\w+)\)$/.test(id) ? costs.value : costs.valueOfExpression

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)

/** Nanoseconds of the scan that all statements over these rows begin with. */
const scanCost = (conditions: number, { read }: Pick<Sizes, 'read'>, { level: { costs } }: Dialect): number =>
  read * (costs.read + conditions * costs.condition)

/** A filter lets through so many of the rows, when nobody knows its values. */
const filtered = 0.1

function aloneCost(question: Shareable, sizes: Pick<Sizes, 'read' | 'rows'>, dialect: Dialect): number {
  const { where, filters } = question
  const rows = filters.length > 0 ? sizes.rows * filtered : sizes.rows
  return scanCost(where.length + filters.length, sizes, dialect) + rows * groupingCost(question, dialect)
}

/** Of each row that is grouped. */
function groupingCost(question: Shareable, dialect: Dialect): number {
  const keys = question.dimensions.map(({ period, key, group }) =>
    keyCost({ id: key, group, period: period && { time: period.time, grain: period.grain } }, false, dialect),
  )
  const values = valuesOf([question], dialect).map((value) => valueCost(value, dialect))
  return sum(keys) + Math.max(0, keys.length - 1) * dialect.level.costs.anotherKey + sum(values)
}

function levelCost(
  questions: readonly Shareable[],
  sizes: Sizes,
  dialect: Dialect,
  { times, most }: typeof once,
): number {
  const keys = keysOf(questions, dialect)
  const groups = groupsOf(keys, sizes)
  if (groups > most || groups > sizes.rows * mostOfRows) return Infinity
  const { costs } = dialect.level
  const manyGroups = groups > 50_000 ? costs.tensOfThousands : groups > 5_000 ? costs.thousands : 0
  const grouping =
    sum(keys.map((key) => keyCost(key, true, dialect))) +
    Math.max(0, keys.length - 1) * costs.anotherKey +
    sum(valuesOf(questions, dialect).map((value) => valueCost(value, dialect))) +
    manyGroups
  const answers = questions.map((each) => groups * (costs.read + groupingCost(each, dialect)) + costs.answer)
  const [{ where }] = questions as [Shareable]
  const making = scanCost(where.length, sizes, dialect) + sizes.rows * grouping
  return making > longest ? Infinity : making + times * sum(answers)
}
