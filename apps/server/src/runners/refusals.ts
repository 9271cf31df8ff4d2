import { AppError, message } from '@parquetry/model'
import { waitingLimits } from '../concurrency/load-limits.ts'

const { minRetrySeconds, maxRetrySeconds } = waitingLimits

export type RefusalReason = 'source_busy' | 'queries_waiting'

/** Creates and counts the errors of work that is refused because too much is waiting. */
export class Refusals {
  readonly counts: Record<RefusalReason, number> = { source_busy: 0, queries_waiting: 0 }

  /** @param waitMs  estimated time until the database is less busy */
  sourceBusy(waitMs: number): AppError {
    this.counts.source_busy += 1
    const seconds = toRetrySeconds(waitMs)
    return new AppError('source_busy', {
      message: message(
        'errors.runners.sourceBusy',
        'The database is busy. Try again in {seconds, plural, one {# second} other {# seconds}}.',
        { seconds },
      ),
      details: { retryAfter: seconds },
    })
  }

  /** @param waitMs  estimated time until the queries of the user have been answered */
  queriesWaiting(waitMs: number): AppError {
    this.counts.queries_waiting += 1
    const seconds = toRetrySeconds(waitMs)
    return new AppError('queries_waiting', {
      message: message(
        'errors.runners.queriesWaiting',
        'Too many of your queries are waiting for this database. Try again in {seconds, plural, one {# second} other {# seconds}}.',
        { seconds },
      ),
      // Rows of the SQL Lab history have no status, so the code distinguishes it from a busy database.
      details: { retryAfter: seconds, code: 'queries_waiting' },
    })
  }
}

const toRetrySeconds = (waitMs: number): number =>
  Math.min(maxRetrySeconds, Math.max(minRetrySeconds, Math.ceil(waitMs / 1000)))
