import { resolveTimeRange, type TimeRange } from '../time-range/resolve-time-range.ts'
import type { Scope } from './scope.ts'

/** Resolves the text of a time range with the query's own start and end and its time shift. @throws AppError `invalid_query` */
export const resolveQueryRange = (
  text: string | null | undefined,
  { query, context }: Pick<Scope, 'query' | 'context'>,
): TimeRange =>
  resolveTimeRange(text, {
    now: context.now,
    relativeStart: query.extras?.relative_start,
    relativeEnd: query.extras?.relative_end,
    timeShift: query.time_shift,
  })
