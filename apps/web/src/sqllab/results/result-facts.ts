import type { ExecuteMetadata } from '@parquetry/model'
import type { Query } from '../state.ts'

/** Milliseconds that a query took by the server's clock, else by the browser's; null while it runs. */
export function computeDuration({ view, startDttm, endDttm }: Query): number | null {
  if (view?.startDttm != null && view.endDttm != null) return view.endDttm - view.startDttm
  return endDttm === null ? null : endDttm - startDttm
}

export interface ReachedLimit {
  limit: number
  /** The toolbar's limit cut off the result: a higher one returns more. */
  byToolbar: boolean
  /** The server sent fewer rows than it has. */
  byServer: boolean
}

/** Returns the limit that cut off the result; null when all rows are here. */
export function findReachedLimit(answer: ExecuteMetadata, rows: number): ReachedLimit | null {
  const { limit, limitingFactor } = answer.query
  if (answer.displayLimitReached) return { limit: rows, byToolbar: false, byServer: true }
  if (limit === null || rows < limit || limitingFactor === 'NOT_LIMITED' || limitingFactor === 'UNKNOWN') return null
  return { limit, byToolbar: limitingFactor === 'DROPDOWN', byServer: false }
}

/** Returns the next higher limit; null at the highest. */
export const nextLimit = (limit: number, choices: readonly number[], maxLimit: number): number | null =>
  choices.find((choice) => choice > limit && choice <= maxLimit) ?? null
