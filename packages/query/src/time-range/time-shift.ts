import { AppError, message, type OffsetJoin } from '@parquetry/model'
import { addUnits, parseIso, type NaiveTime, type Unit } from './naive-time.ts'
import { parseRelativeTime } from './relative.ts'

/** No valid shift is longer, and each blank of a long text is scanned repeatedly. */
const maxShiftLength = 1000

/** Distance of `time_shift` (`1 year ago`) back from now, in milliseconds; the word after the unit is ignored. */
export function parseShiftMs(text: string, now: NaiveTime): number {
  if (text.length > maxShiftLength) return 0
  const [, amount = ''] = /^\s*-?\s*(.*?)(?:\s+(?:ago|later))?\s*$/i.exec(text) ?? []
  const shifted = parseRelativeTime(`${amount} before now`, now)
  return shifted === null ? 0 : now - shifted
}

/**
 * Shift of a query's range by a time offset: `1 week ago`, `3 months later`, `inherit` (the period right before) or a date at
 * which the shifted range begins. `since` and `until` are the range of the query.
 * @throws AppError `invalid_query`
 */
export function parseOffset(offset: string, since: string, until: string): OffsetJoin['shift'] {
  const start = parseIso(since)
  if (offset === 'inherit') return { seconds: (parseIso(until) - start) / 1000 }
  if (/^\d{4}-\d{2}-\d{2}$/.test(offset)) return { seconds: (start - parseIso(offset)) / 1000 }
  const [, count, unit, direction] =
    /^\s*(\d+)\s+(second|minute|hour|day|week|month|quarter|year)s?\s+(ago|later)\s*$/i.exec(offset) ?? []
  if (!count || !unit) {
    throw new AppError('invalid_query', {
      message: message(
        'errors.query.ambiguousOffset',
        'Error: Time delta is ambiguous. Please specify [{offset} ago] or [{offset} later].',
        { offset },
      ),
    })
  }
  const amount = Number(count) * (direction?.toLowerCase() === 'later' ? -1 : 1)
  const name = unit.toLowerCase()
  return name === 'quarter' ? { months: amount * 3 } : { [`${name}s`]: amount }
}

/** Moves a time back by a shift. */
export function shiftBack(time: NaiveTime, shift: OffsetJoin['shift']): NaiveTime {
  return Object.entries(shift).reduce((at, [unit, count]) => addUnits(at, -count, unit.slice(0, -1) as Unit), time)
}
