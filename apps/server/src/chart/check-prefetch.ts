import { AppError } from '@parquetry/model'
import { cacheKey, hasCachedResult } from '../cache/run-cached.ts'
import { toCacheOptions, type ResolvedQuery } from './resolved-query.ts'
import type { PlannedQuery } from './run-query.ts'

/** Within it whoever a question is asked ahead for asks it himself. */
const prefetchWindowMs = 10_000

/**
 * Whether it is of use to ask a question before anybody waits for it: the same one will come, and find the answer or join it.
 * @throws AppError `not_cached` where the answers are kept already, are not kept, or are others a moment later
 */
export async function checkPrefetch(question: ResolvedQuery, planned: readonly PlannedQuery[]): Promise<void> {
  const asked = toCacheOptions(question)
  const soon = new Date(question.deps.now().getTime() + prefetchWindowMs)
  for (const { plan, planAt } of planned) {
    const key = cacheKey(plan, asked)
    const isSame = asked.timeoutSeconds > 0 && key === cacheKey(planAt(soon).plan, asked)
    if (!isSame || (await hasCachedResult(key, question.deps, asked))) throw new AppError('not_cached')
  }
}
