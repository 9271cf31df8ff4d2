import type { Dialect } from '../sql/dialect.ts'
import { hasRollupSafeTypes } from './rollup-safe-types.ts'
import { mergeProfiles, estimateRollupCost, profileCosts, estimateScanCost, type CostProfile } from './rollup-costs.ts'
import { listRollupKeys, type RollupKey } from './rollup.ts'
import { findInexactColumns, type ShareableQuery } from './shareable-query.ts'
import type { SizeEstimates } from './size-estimates.ts'

/** A query that reads fewer rows finishes sooner than a shared scan can be planned. */
const minRows = 100_000

/** Maximum number of groups of a rollup. */
export const maxGroups = 100_000

/** A rollup for the current request only. */
const singleUse = { runCount: 1, groupLimit: maxGroups }

/** Kinds of queries are compared pairwise; queries of further kinds run alone. */
const maxKinds = 60

interface Cluster {
  /** Indexes of the queries. */
  members: number[]
  profile: CostProfile
  cost: number
  usesRollup: boolean
}

interface Pair {
  of: readonly [Cluster, Cluster]
  merged: Cluster
  saved: number
}

/**
 * Chooses which queries share a rollup: the pairs that save most are merged until nothing more is saved. The remaining queries
 * run alone.
 * @param queries  queries with equal `rows`
 * @param use  `runCount` is the number of runs with different filter values, `groupLimit` the maximum number of groups of a rollup
 * @returns indexes of the queries, by rollup
 */
export function chooseRollups(
  queries: readonly ShareableQuery[],
  sizes: SizeEstimates,
  dialect: Dialect,
  { runCount, groupLimit } = singleUse,
): number[][] {
  if (sizes.read < minRows) return []
  const fitting = queries.flatMap((query, index) =>
    hasRollupSafeTypes(query, dialect, sizes.types) && !hasUnstableLimit(query, sizes, dialect) ? [index] : [],
  )
  const scan = estimateScanCost(queries[0]?.where.length ?? 0, sizes, dialect)
  const createCluster = (members: number[], profile: CostProfile): Cluster => {
    const alone = runCount * profile.alone
    const withRollup = estimateRollupCost(profile, { scan, rows: sizes.rows, runCount, groupLimit }, dialect)
    return { members, profile, cost: Math.min(alone, withRollup), usesRollup: withRollup < alone }
  }
  /** Empty when a rollup for both saves nothing. */
  const createPair = (one: Cluster, other: Cluster): Pair[] => {
    const merged = createCluster(
      [...one.members, ...other.members],
      mergeProfiles(one.profile, other.profile, sizes, dialect),
    )
    const saved = one.cost + other.cost - merged.cost
    return merged.usesRollup && saved > 0 ? [{ of: [one, other], merged, saved }] : []
  }
  let clusters = [...groupByKeys(fitting, queries, dialect)].slice(0, maxKinds).map((members) => {
    const clusterQueries = members.map((index) => queries[index] as ShareableQuery)
    return createCluster(members, profileCosts(clusterQueries, sizes, dialect))
  })
  let pairs = clusters.flatMap((one, index) => clusters.slice(index + 1).flatMap((other) => createPair(one, other)))
  for (;;) {
    const [first, ...rest] = pairs
    if (!first) break
    const { of, merged } = rest.reduce((best, pair) => (pair.saved > best.saved ? pair : best), first)
    clusters = clusters.filter((each) => !of.includes(each))
    pairs = [
      ...pairs.filter((pair) => !pair.of.some((each) => of.includes(each))),
      ...clusters.flatMap((each) => createPair(each, merged)),
    ]
    clusters.push(merged)
  }
  return clusters.filter(({ usesRollup }) => usesRollup).map(({ members }) => members.toSorted((a, b) => a - b))
}

/** Groups queries with equal keys, in order. */
function groupByKeys(
  members: readonly number[],
  queries: readonly ShareableQuery[],
  dialect: Dialect,
): Iterable<number[]> {
  const byKeys = new Map<string, number[]>()
  for (const at of members) {
    const keys = listRollupKeys([queries[at] as ShareableQuery], dialect).map(
      ({ id, period }) => `${period?.grain} ${id}`,
    )
    const key = JSON.stringify(keys.toSorted((a, b) => (a < b ? -1 : 1)))
    byKeys.set(key, [...(byKeys.get(key) ?? []), at])
  }
  return byKeys.values()
}

const estimateGroups = (keys: readonly RollupKey[], sizes: SizeEstimates): number =>
  keys.reduce((product, key) => product * Math.max(1, sizes.of(key)), 1)

/**
 * Returns whether the rows of a query depend on comparing sums that may differ in the last digit while its limit certainly cuts
 * them; the runner would reject the result.
 */
export function hasUnstableLimit(query: ShareableQuery, sizes: SizeEstimates, dialect: Dialect): boolean {
  const mayDiffer = new Set(findInexactColumns(query, dialect, sizes.types))
  if (!query.orderBy.some(({ column }) => mayDiffer.has(column))) return false
  return query.limit < estimateGroups(listRollupKeys([{ ...query, filters: [] }], dialect), sizes)
}
