import { AppError } from '@parquetry/model'
import { cacheKey, isKept } from '../cache/run-cached.ts'
import { askedOf, type Question } from './question.ts'
import type { PlannedQuery } from './run-query.ts'

/** Within it whoever a question is asked ahead for asks it himself. */
const soonMs = 10_000

/**
 * Whether it is of use to ask a question before anybody waits for it: the same one will come, and find the answer or join it.
 * @throws AppError `not_cached` where the answers are kept already, are not kept, or are others a moment later
 */
export async function checkAskedAhead(question: Question, planned: readonly PlannedQuery[]): Promise<void> {
  const asked = askedOf(question)
  const soon = new Date(question.deps.now().getTime() + soonMs)
  for (const { plan, plannedAt } of planned) {
    const key = cacheKey(plan, asked)
    const isSame = asked.timeoutSeconds > 0 && key === cacheKey(plannedAt(soon).plan, asked)
    if (!isSame || (await isKept(key, question.deps, asked))) throw new AppError('not_cached')
  }
}
