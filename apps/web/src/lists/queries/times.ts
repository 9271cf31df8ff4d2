import { formatDuration } from '../../shared/format-duration.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

/** Since when, in hours. Rounded to the minute, so that the question stays the same while the page is drawn anew. */
export const timestampHoursAgo = (hours: number, now: number): number =>
  Math.floor(now / minuteMs) * minuteMs - hours * hourMs

/** How long a run took, from the API's milliseconds, which are numbers or texts; empty while it runs. */
export function formatElapsed(start: number | string | null, end: number | string | null): string {
  if (start === null || end === null) return ''
  const ms = Number(end) - Number(start)
  return ms >= 0 ? formatDuration(ms) : ''
}
