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

const singleUse = { times: 1, most: maxGroups }

/** Kinds of queries are compared pairwise; queries of further kinds run alone. */
const maxKinds = 60

interface Cluster {
  /** Indexes of the queries. */
  members: number[]
  needs: CostProfile
  cost: number
  isLevel: boolean
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
 * @param how  `times` is the number of runs, with different filter values; `most` the maximum number of groups of a rollup
 * @returns indexes of the queries, by rollup
 */
export function chooseRollups(
  queries: readonly ShareableQuery[],
  sizes: SizeEstimates,
  dialect: Dialect,
  { times, most } = singleUse,
): number[][] {
  if (sizes.read < minRows) return []
  const fitting = queries.flatMap((query, at) =>
    hasRollupSafeTypes(query, dialect, sizes.types) && !hasUnstableLimit(query, sizes, dialect) ? [at] : [],
  )
  const scan = estimateScanCost(queries[0]?.where.length ?? 0, sizes, dialect)
  const clusterOf = (members: number[], needs: CostProfile): Cluster => {
    const alone = times * needs.alone
    const together = estimateRollupCost(needs, { scan, rows: sizes.rows, times, most }, dialect)
    return { members, needs, cost: Math.min(alone, together), isLevel: together < alone }
  }
  const pairOf = (one: Cluster, other: Cluster): Pair[] => {
    const merged = clusterOf([...one.members, ...other.members], mergeProfiles(one.needs, other.needs, sizes, dialect))
    const saved = one.cost + other.cost - merged.cost
    return merged.isLevel && saved > 0 ? [{ of: [one, other], merged, saved }] : []
  }
  let clusters = [...groupByKeys(fitting, queries, dialect)].slice(0, maxKinds).map((members) => {
    const clusterQueries = members.map((at) => queries[at] as ShareableQuery)
    return clusterOf(members, profileCosts(clusterQueries, sizes, dialect))
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
