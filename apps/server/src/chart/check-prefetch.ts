import { AppError } from '@parquetry/model'
import { cacheKey, hasCachedResult } from '../cache/run-cached.ts'
import { toCacheOptions, type ResolvedQuery } from './resolved-query.ts'
import type { PlannedQuery } from './run-query.ts'

/** Time within which the requester of a prefetch is expected to send the query. */
const prefetchWindowMs = 10_000

/**
 * Checks if prefetching is useful: an equal query will follow, and hit the cache or join the run.
 * @throws AppError `not_cached` when results are cached already, are not cacheable, or change a moment later
 */
export async function checkPrefetch(resolved: ResolvedQuery, planned: readonly PlannedQuery[]): Promise<void> {
  const cacheOptions = toCacheOptions(resolved)
  const windowEnd = new Date(resolved.deps.now().getTime() + prefetchWindowMs)
  for (const { plan, planAt } of planned) {
    const key = cacheKey(plan, cacheOptions)
    const isSame = cacheOptions.timeoutSeconds > 0 && key === cacheKey(planAt(windowEnd).plan, cacheOptions)
    if (!isSame || (await hasCachedResult(key, resolved.deps, cacheOptions))) throw new AppError('not_cached')
  }
}
