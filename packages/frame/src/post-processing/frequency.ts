import { toCivilDate, dayMs, toDayNumber, weekdayOf } from '../calendar.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'

/** Periods of a resampling. `labels` returns the label of each period, from that of `first` to that of `last`. */
export interface Frequency {
  /** Minimum length of a period, used to estimate the number of periods. */
  minMs: number
  labels(first: number, last: number): Float64Array
  /** True if a period is labeled by its last day, which it includes, instead of its start. */
  byEnd: boolean
}

/** Lengths of fixed periods in milliseconds, by pandas alias. */
const ticks: Record<string, number> = {
  D: dayMs,
  h: 3_600_000,
  H: 3_600_000,
  T: 60_000,
  min: 60_000,
  S: 1000,
  s: 1000,
  L: 1,
  ms: 1,
}
const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
/** Months of a period, and true if it is labeled by its end. */
const calendar: Record<string, [months: number, byEnd: boolean]> = {
  M: [1, true],
  ME: [1, true],
  MS: [1, false],
  Q: [3, true],
  QE: [3, true],
  QS: [3, false],
  A: [12, true],
  Y: [12, true],
  YE: [12, true],
  AS: [12, false],
  YS: [12, false],
}

/**
 * Frequency of a pandas rule: `1D`, `12H`, `30min`, `W-MON`, `1M`, `6MS`, `QS`, `1AS`, `Q-NOV`.
 * @throws AppError for any other rule
 */
export function parseFrequency(rule: string): Frequency {
  const [, digits = '', unit = '', anchor] = /^(\d{0,9})([A-Za-z]+)(?:-([A-Z]{3}))?$/.exec(rule.trim()) ?? []
  const count = digits === '' ? 1 : Number(digits)
  if (count >= 1 && Object.hasOwn(ticks, unit) && !anchor) return fixed(count * ticks[unit]!)
  if (count >= 1 && unit === 'W') {
    const weekday = weekdays.indexOf(anchor ?? 'SUN')
    if (weekday >= 0) return weeks(count, weekday)
  }
  if (count >= 1 && Object.hasOwn(calendar, unit)) {
    const [months, byEnd] = calendar[unit]!
    const month = anchor ? monthNames.indexOf(anchor) + 1 : byEnd ? 12 : 1
    if (month > 0 && !(months === 1 && anchor)) return monthFrequency(count, months, month, byEnd)
  }
  throw invalidStep(
    message(
      'errors.frame.resamplingRule',
      '`{rule}` is not a valid resampling rule. Use a rule such as 1D, 1W, 1M, 1MS, 1Q, 1A, 1H, or 30min.',
      { rule },
    ),
  )
}

/** Periods of fixed length, counted from the midnight before the first time. */
function fixed(length: number): Frequency {
  return {
    minMs: length,
    byEnd: false,
    labels(first, last) {
      const midnight = Math.floor(first / dayMs) * dayMs
      const start = midnight + Math.floor((first - midnight) / length) * length
      return Float64Array.from(
        { length: Math.floor((last - start) / length) + 1 },
        (_, index) => start + index * length,
      )
    },
  }
}

function weeks(count: number, weekday: number): Frequency {
  return {
    minMs: count * 7 * dayMs,
    byEnd: true,
    labels(first, last) {
      const day = Math.floor(first / dayMs)
      const end = day + ((weekday - weekdayOf(day) + 7) % 7)
      const length = Math.max(0, Math.ceil((Math.floor(last / dayMs) - end) / (7 * count))) + 1
      return Float64Array.from({ length }, (_, index) => (end + index * 7 * count) * dayMs)
    },
  }
}

/** @param anchor  month in which a period ends (`byEnd`) or begins */
function monthFrequency(count: number, months: number, anchor: number, byEnd: boolean): Frequency {
  return {
    minMs: count * months * 28 * dayMs,
    byEnd,
    labels(first, last) {
      const [year, month] = toCivilDate(Math.floor(first / dayMs))
      const toAnchor = (((anchor - month) % months) + months) % months
      const out: number[] = []
      for (let step = 0; ; step += count * months) {
        const label = byEnd
          ? toDayNumber(year, month + toAnchor + step + 1, 1) - 1
          : toDayNumber(year, month - ((months - toAnchor) % months) + step, 1)
        if (byEnd ? out.length > 0 && out.at(-1)! >= Math.floor(last / dayMs) * dayMs : label * dayMs > last) break
        out.push(label * dayMs)
      }
      return Float64Array.from(out)
    },
  }
}
