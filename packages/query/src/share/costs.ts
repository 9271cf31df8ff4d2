import type { Dialect } from '../sql/dialect.ts'
import { commonGrain } from './grains.ts'
import { keysOf, valuesOf, type LevelKey, type LevelValue } from './level.ts'
import type { Shareable } from './shareable.ts'
import type { Sizes } from './sizes.ts'

/** Nanoseconds: a level that takes longer is not waited for, and would be made for nothing. */
const longest = 20e9

/** A level has at most a fifth of the rows. */
const mostOfRows = 0.2

/** What a level of some questions costs, so that the one of two is reckoned without looking at its questions again. */
export interface Needs {
  keys: ReadonlyMap<string, KeyNeed>
  /** By id, for each row. */
  values: ReadonlyMap<string, number>
  questions: number
  /** What the questions do themselves with each group, all of them. */
  grouping: number
  /** Of all of them without a level. */
  alone: number
}

interface KeyNeed {
  key: LevelKey
  cost: number
  /** How many values it has. */
  size: number
}

const needOf = (key: LevelKey, sizes: Sizes, dialect: Dialect): KeyNeed => ({
  key,
  cost: keyCost(key, true, dialect),
  size: Math.max(1, sizes.of(key)),
})

export const needsOf = (questions: readonly Shareable[], sizes: Sizes, dialect: Dialect): Needs => ({
  keys: new Map(keysOf(questions, dialect).map((key) => [key.id, needOf(key, sizes, dialect)])),
  values: new Map(valuesOf(questions, dialect).map((value) => [value.id, valueCost(value, dialect)])),
  questions: questions.length,
  grouping: sum(questions.map((each) => groupingCost(each, dialect))),
  alone: sum(questions.map((each) => aloneCost(each, sizes, dialect))),
})

/** Of one level for both, as `needsOf` finds it for all of their questions. */
export function joined(one: Needs, other: Needs, sizes: Sizes, dialect: Dialect): Needs {
  return {
    keys: united(one.keys, other.keys, (mine, theirs) => finest(mine, theirs, sizes, dialect)),
    values: united(one.values, other.values, (mine) => mine),
    questions: one.questions + other.questions,
    grouping: one.grouping + other.grouping,
    alone: one.alone + other.alone,
  }
}

/** The first map itself where the other one adds nothing, as among many alike. */
function united<T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>, both: (mine: T, theirs: T) => T) {
  let all: Map<string, T> | null = null
  for (const [id, theirs] of other) {
    const mine = one.get(id)
    const next = mine === undefined ? theirs : both(mine, theirs)
    if (next !== mine) (all ??= new Map(one)).set(id, next)
  }
  return all ?? one
}

/** Periods of one time are told from the coarsest grain that has both. */
function finest(mine: KeyNeed, theirs: KeyNeed, sizes: Sizes, dialect: Dialect): KeyNeed {
  const [first, second] = [mine.key.period, theirs.key.period]
  if (!first || !second) return mine
  const grain = commonGrain(first.grain, second.grain)
  if (grain === first.grain) return mine
  return grain === second.grain ? theirs : needOf({ ...mine.key, period: { time: first.time, grain } }, sizes, dialect)
}

/** @param how  `scan` of its rows, how many `rows` are grouped, how often (`times`), the `most` groups that it may have */
export function levelCost(
  { keys, values, questions, grouping }: Needs,
  { scan, rows, times, most }: { scan: number; rows: number; times: number; most: number },
  { level: { costs } }: Dialect,
): number {
  let [groups, ofRow] = [1, Math.max(0, keys.size - 1) * costs.anotherKey]
  for (const { cost, size } of keys.values()) [groups, ofRow] = [groups * size, ofRow + cost]
  if (groups > most || groups > rows * mostOfRows) return Infinity
  for (const cost of values.values()) ofRow += cost
  ofRow += groups > 50_000 ? costs.tensOfThousands : groups > 5_000 ? costs.thousands : 0
  const making = scan + rows * ofRow
  const answering = groups * (questions * costs.read + grouping) + questions * costs.answer
  return making > longest ? Infinity : making + times * answering
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
export const scanCost = (conditions: number, { read }: Pick<Sizes, 'read'>, { level: { costs } }: Dialect): number =>
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
