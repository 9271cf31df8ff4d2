import { addUnits, formatIso, parseIso, type Unit } from './naive-time.ts'
import { resolveTimeRange, type TimeRangeContext } from './resolve-time-range.ts'
import { parseOffset, shiftBack } from './time-shift.ts'

export interface ComparisonPeriod {
  /** Earlier range as text of two instants; an open end stays open. Null without a range. */
  range(text: string | null | undefined): string | null
  /** Maps a time of that range to the present one, in milliseconds. */
  onward(timeMs: number): number
}

/**
 * Earlier period that is overlaid on the present one, shifted by the calendar: one year before 1 March is 1 March, whether or not
 * February has a leap day.
 * @param offset `1 year`, `3 weeks ago`
 * @throws AppError `invalid_query` for an invalid offset or range
 */
export function createComparisonPeriod(offset: string, context: TimeRangeContext): ComparisonPeriod {
  const trimmed = offset.trim()
  const shift = parseOffset(/\s(?:ago|later)$/i.test(trimmed) ? trimmed : `${trimmed} ago`, context.now, context.now)
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
