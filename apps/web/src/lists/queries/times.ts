import { formatDuration } from '../../shared/format-duration.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

/** Start of the last `hours`, rounded to the minute so that rerenders keep the same query. */
export const timestampHoursAgo = (hours: number, now: number): number =>
  Math.floor(now / minuteMs) * minuteMs - hours * hourMs

/** Duration of a query from the API's milliseconds, which are numbers or strings; empty while it runs. */
export function formatElapsed(start: number | string | null, end: number | string | null): string {
  if (start === null || end === null) return ''
  const ms = Number(end) - Number(start)
  return ms >= 0 ? formatDuration(ms) : ''
}
