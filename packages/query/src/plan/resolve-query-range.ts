import { resolveTimeRange, type TimeRange } from '../time-range/resolve-time-range.ts'
import type { Scope } from './scope.ts'

/** What a range text means in a query: its own words for today, its shift. @throws AppError `invalid_query` */
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
