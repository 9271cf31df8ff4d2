const day = 86_400_000
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Consecutive periods of a frequency, without gaps. */
export interface PeriodSequence {
  unit: 'hour' | 'day' | 'week' | 'month' | 'year'
  /** Number of units, or of months if periods consist of months. */
  count: number
  /** Returns the start of the period that contains this time; `last` is a time in the last period. */
  startOf(time: number, last: number): number
  /** Returns the position of a time when its period is overlaid on another one. */
  over(time: number, from: number, to: number): number
}

/** @param base one of the starts, from which the others are counted */
const even = (
  unit: PeriodSequence['unit'],
  count: number,
  ms: number,
  base: (last: number) => number,
): PeriodSequence => ({
  unit,
  count,
  startOf: (time, last) => base(last) + Math.floor((time - base(last)) / ms) * ms,
  over: (time, from, to) => time - from + to,
})

/**
 * Months differ in length: grains of a month or longer are aligned by month, finer ones by day.
 * @param first first month of a year, from 0
 */
const calendar = (unit: 'month' | 'year', months: number, first: number, isByMonth: boolean): PeriodSequence => ({
  unit,
  count: months,
  startOf(time) {
    const at = toMonthIndex(time)
    return startOfMonth(at - modulo(at - first, months))
  },
  over(time, from, to) {
    if (!isByMonth) return time - from + to
    const at = toMonthIndex(time)
    return startOfMonth(toMonthIndex(to) + at - toMonthIndex(from)) + (time - startOfMonth(at))
  },
})

/** Returns months since the year 0. */
const toMonthIndex = (time: number) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth()
const startOfMonth = (at: number) => new Date(0).setUTCFullYear(Math.floor(at / 12), modulo(at, 12), 1)
const modulo = (value: number, by: number) => ((value % by) + by) % by

/** Several weeks are counted back from the week of the last time, so that the last period is complete. */
function weeks(count: number, weekday: number): PeriodSequence {
  // 4 January 1970 was a Sunday.
  const begin = (3 + weekday) * day
  const weekOf = (time: number) => begin + Math.floor((time - begin) / (7 * day)) * 7 * day
  return even('week', count, count * 7 * day, (last) => weekOf(last) - (count - 1) * 7 * day)
}

/** Returns true for grains of months or longer. */
export const isMonthly = (grain?: string | null): boolean => /P([\d.]+Y|[\d.]+M)$/.test(grain ?? '')

/**
 * Returns the periods of a frequency in pandas notation: `AS`, `QS`, `MS`, `W-MON`, `4W-MON`, `D`, `H`. Others fall back to weeks
 * from Monday.
 * @param grain of the times: grains of a month or longer are aligned by month
 * @see https://pandas.pydata.org/docs/user_guide/timeseries.html#offset-aliases
 */
export function parseFrequency(freq: string, grain?: string | null): PeriodSequence {
  const [, times = '', unit = '', anchor = ''] = /^(\d*)([A-Z]+)(?:-([A-Z]{3}))?$/.exec(freq.trim().toUpperCase()) ?? []
  const count = Math.max(1, Number(times || 1))
  const isByMonth = isMonthly(grain)
  const first = unit.endsWith('S') ? Math.max(0, monthNames.indexOf(anchor)) : 0
  if (/^(B?[AY](S|E)?)$/.test(unit)) return calendar('year', 12 * count, first, isByMonth)
  if (/^B?Q(S|E)?$/.test(unit)) return calendar('month', 3 * count, first, isByMonth)
  if (/^B?M(S|E)?$/.test(unit)) return calendar('month', count, 0, isByMonth)
  if (unit === 'D') return even('day', count, count * day, (last) => Math.floor(last / day) * day - (count - 1) * day)
  if (unit === 'H')
    return even(
      'hour',
      count,
      count * 3_600_000,
      (last) => Math.floor(last / 3_600_000) * 3_600_000 - (count - 1) * 3_600_000,
    )
  if (unit === 'W') return weeks(count, Math.max(0, weekdays.indexOf(anchor)))
  return weeks(1, 1)
}
