import { addUnits, formatIso, parseIso, type Unit } from './naive-time.ts'
import { resolveTimeRange, type TimeRangeContext } from './resolve-time-range.ts'
import { parseOffset, shiftBack } from './time-shift.ts'

export interface ComparisonPeriod {
  /** The range before: two instants as a text, an open end stays open. Null for no range. */
  range(text: string | null | undefined): string | null
  /** A time of that range, in milliseconds, as a time of the present one. */
  onward(timeMs: number): number
}

/**
 * An earlier time that is laid over the present one, by the calendar: a year before the first of March is one, whatever February has.
 * @param offset `1 year`, `3 weeks ago`
 * @throws AppError `invalid_query`: no such offset, no such range
 */
export function createComparisonPeriod(offset: string, context: TimeRangeContext): ComparisonPeriod {
  const words = offset.trim()
  const shift = parseOffset(/\s(?:ago|later)$/i.test(words) ? words : `${words} ago`, context.now, context.now)
  return {
    range(text) {
      if (!text) return null
      const { since, until } = resolveTimeRange(text, context)
      if (since === null && until === null) return null
      const [from, to] = [since, until].map((side) =>
        side === null ? '' : formatIso(shiftBack(parseIso(side), shift)),
      )
      return `${from} : ${to}`
    },
    onward: (timeMs) =>
      Object.entries(shift).reduce((at, [unit, count]) => addUnits(at, count, unit.slice(0, -1) as Unit), timeMs),
  }
}
