import type { Dialect } from '../sql/dialect.ts'
import { commonGrain } from './grains.ts'
import { listRollupKeys, listRollupValues, type RollupKey, type RollupValue } from './rollup.ts'
import type { ShareableQuery } from './shareable-query.ts'
import type { SizeEstimates } from './size-estimates.ts'

/** Nanoseconds. A rollup that takes longer is not waited for and would be built in vain. */
const maxCost = 20e9

/** Maximum size of a rollup as a share of the rows. */
const maxRowShare = 0.2

/** Costs of a rollup for some queries, stored so that the cost of a merge is computed without examining their queries again. */
export interface CostProfile {
  keys: ReadonlyMap<string, KeyCost>
  /** Cost per row, by ID. */
  values: ReadonlyMap<string, number>
  queryCount: number
  /** Cost per group of all queries over the rollup. */
  grouping: number
  /** Cost of all queries without a rollup. */
  alone: number
}

interface KeyCost {
  key: RollupKey
  cost: number
  /** Number of distinct values. */
  size: number
}

const profileKey = (key: RollupKey, sizes: SizeEstimates, dialect: Dialect): KeyCost => ({
  key,
  cost: keyCost(key, true, dialect),
  size: Math.max(1, sizes.of(key)),
})

export const profileCosts = (
  queries: readonly ShareableQuery[],
  sizes: SizeEstimates,
  dialect: Dialect,
): CostProfile => ({
  keys: new Map(listRollupKeys(queries, dialect).map((key) => [key.id, profileKey(key, sizes, dialect)])),
  values: new Map(listRollupValues(queries, dialect).map((value) => [value.id, valueCost(value, dialect)])),
  queryCount: queries.length,
  grouping: sum(queries.map((each) => groupingCost(each, dialect))),
  alone: sum(queries.map((each) => aloneCost(each, sizes, dialect))),
})

/** Costs of one rollup for the queries of both, the same as `profileCosts` for all of them. */
export function mergeProfiles(
  one: CostProfile,
  other: CostProfile,
  sizes: SizeEstimates,
  dialect: Dialect,
): CostProfile {
  return {
    keys: mergeMaps(one.keys, other.keys, (mine, theirs) => finerKey(mine, theirs, sizes, dialect)),
    values: mergeMaps(one.values, other.values, (mine) => mine),
    queryCount: one.queryCount + other.queryCount,
    grouping: one.grouping + other.grouping,
    alone: one.alone + other.alone,
  }
}

/** Merges two maps. Returns the first map itself when the other adds nothing, which is common for similar queries. */
function mergeMaps<T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>, both: (mine: T, theirs: T) => T) {
  let all: Map<string, T> | null = null
  for (const [id, theirs] of other) {
    const mine = one.get(id)
    const next = mine === undefined ? theirs : both(mine, theirs)
    if (next !== mine) (all ??= new Map(one)).set(id, next)
  }
  return all ?? one
}

/** Periods of one time are computed from the coarsest grain that covers both. */
function finerKey(mine: KeyCost, theirs: KeyCost, sizes: SizeEstimates, dialect: Dialect): KeyCost {
  const [first, second] = [mine.key.period, theirs.key.period]
  if (!first || !second) return mine
  const grain = commonGrain(first.grain, second.grain)
  if (grain === first.grain) return mine
  return grain === second.grain
    ? theirs
    : profileKey({ ...mine.key, period: { time: first.time, grain } }, sizes, dialect)
}

/**
 * Cost of building a rollup and of running its queries; infinite if it would be too large or take too long.
 * @param use  cost of the `scan`, number of `rows` to group, number of runs and maximum number of groups
 */
export function estimateRollupCost(
  { keys, values, queryCount, grouping }: CostProfile,
  { scan, rows, runCount, groupLimit }: { scan: number; rows: number; runCount: number; groupLimit: number },
  { rollup: { costs } }: Dialect,
): number {
  let [groups, rowCost] = [1, Math.max(0, keys.size - 1) * costs.anotherKey]
  for (const { cost, size } of keys.values()) [groups, rowCost] = [groups * size, rowCost + cost]
  if (groups > groupLimit || groups > rows * maxRowShare) return Infinity
  for (const cost of values.values()) rowCost += cost
  rowCost += groups > 50_000 ? costs.tensOfThousands : groups > 5_000 ? costs.thousands : 0
  const buildCost = scan + rows * rowCost
  const queriesCost = groups * (queryCount * costs.read + grouping) + queryCount * costs.answer
  return buildCost > maxCost ? Infinity : buildCost + runCount * queriesCost
}

const isName = (text: string): boolean => /^"[^"]*"$/.test(text)

function keyCost(
  { id, period }: RollupKey,
  isRollupKey: boolean,
  { groupedGrain, rollup: { costs } }: Dialect,
): number {
  if (!period) return isName(id) ? costs.name : costs.expression
  const isFast = Object.hasOwn(groupedGrain, period.grain)
  return (isFast ? costs.day : costs.period) + (isRollupKey ? costs.value : 0)
}

const valueCost = ({ id }: RollupValue, { rollup: { costs } }: Dialect): number =>
  /\((\*|"[^"]*"|\w+)\)$/.test(id) ? costs.value : costs.valueOfExpression

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)

/** Nanoseconds of the scan that all statements over these rows begin with. */
export const estimateScanCost = (
  conditions: number,
  { read }: Pick<SizeEstimates, 'read'>,
  { rollup: { costs } }: Dialect,
): number => read * (costs.read + conditions * costs.condition)

/** Estimated share of the rows that pass a filter with unknown values. */
const filteredShare = 0.1

function aloneCost(query: ShareableQuery, sizes: Pick<SizeEstimates, 'read' | 'rows'>, dialect: Dialect): number {
  const { where, filters } = query
  const rows = filters.length > 0 ? sizes.rows * filteredShare : sizes.rows
  return estimateScanCost(where.length + filters.length, sizes, dialect) + rows * groupingCost(query, dialect)
}

/** Cost per grouped row. */
function groupingCost(query: ShareableQuery, dialect: Dialect): number {
  const keys = query.dimensions.map(({ period, key, group }) =>
    keyCost({ id: key, group, period: period && { time: period.time, grain: period.grain } }, false, dialect),
  )
  const values = listRollupValues([query], dialect).map((value) => valueCost(value, dialect))
  return sum(keys) + Math.max(0, keys.length - 1) * dialect.rollup.costs.anotherKey + sum(values)
}
