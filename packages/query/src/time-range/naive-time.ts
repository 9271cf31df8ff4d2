/** Milliseconds since 1970 of a time without a zone, read as if it were UTC; a fraction holds the microseconds. */
export type NaiveTime = number

export const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const
export type Unit = (typeof units)[number]

const fixedMs = { week: 7 * 86_400_000, day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 }

export const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

export const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** Months and days count from 1. The caller has checked that the day exists. */
export function naiveTime(year: number, month = 1, day = 1, hour = 0, minute = 0, second = 0): NaiveTime {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() + (hour * 3600 + minute * 60 + second) * 1000
}

export function toDateParts(time: NaiveTime) {
  const date = new Date(Math.floor(time))
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    /** 0 is Monday. */
    weekday: (date.getUTCDay() + 6) % 7,
  }
}

export const midnight = (time: NaiveTime): NaiveTime => Math.floor(time / fixedMs.day) * fixedMs.day

export function truncate(time: NaiveTime, unit: Unit): NaiveTime {
  const { year, month, weekday } = toDateParts(time)
  if (unit === 'year') return naiveTime(year)
  if (unit === 'quarter') return naiveTime(year, month - ((month - 1) % 3))
  if (unit === 'month') return naiveTime(year, month)
  if (unit === 'week') return midnight(time) - weekday * fixedMs.day
  return Math.floor(time / fixedMs[unit]) * fixedMs[unit]
}

/** Calendar arithmetic: a day that the target month lacks becomes its last one. */
export function addUnits(time: NaiveTime, count: number, unit: Unit): NaiveTime {
  if (unit !== 'year' && unit !== 'quarter' && unit !== 'month') return time + count * fixedMs[unit]
  const { year, month, day } = toDateParts(time)
  const months = year * 12 + month - 1 + count * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1)
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1]
  return naiveTime(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth))) + (time - midnight(time))
}

/** Midnight of the last day of the unit; a week ends on Sunday. */
export const lastDay = (time: NaiveTime, unit: 'year' | 'month' | 'week'): NaiveTime =>
  addUnits(truncate(time, unit), 1, unit) - fixedMs.day

const lastInstant = naiveTime(10_000)

export const isRepresentable = (time: NaiveTime) => time >= naiveTime(1) && time < lastInstant

/** `2024-01-01T00:00:00`, with six fractional digits if the seconds have a fraction. */
export function formatIso(time: NaiveTime): string {
  const micros = Math.round((time - Math.floor(time / 1000) * 1000) * 1000)
  const text = new Date(Math.floor(time / 1000) * 1000).toISOString().slice(0, -5)
  return micros === 0 ? text : `${text}.${String(micros).padStart(6, '0')}`
}

/** Inverse of `formatIso`; the time of day is optional. */
export function parseIso(text: string): NaiveTime {
  const [, date, time = '00:00:00', fraction = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(\.\d+)?)?$/.exec(text) ?? []
  if (!date) throw new TypeError(`not an ISO time without a zone: ${text}`)
  return Date.parse(`${date}T${time}Z`) + Number(`0${fraction}`) * 1000
}

interface Clock {
  format: Intl.DateTimeFormat
  /** Second that was formatted last. */
  second: number
  text: string
}

const clocks = new Map<string, Clock>()

/**
 * Returns the clock of a time zone. It is cached because every query needs one, and creating its formatter takes longer than
 * planning the query.
 */
function getClock(timeZone: string): Clock {
  const known = clocks.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const created = { format, second: NaN, text: '' }
  clocks.set(timeZone, created)
  return created
}

function formatSecond(clock: Clock, second: number): string {
  if (clock.second === second) return clock.text
  const parts = Object.fromEntries(clock.format.formatToParts(second * 1000).map(({ type, value }) => [type, value]))
  const date = `${parts['year']}-${parts['month']}-${parts['day']}`
  clock.text = `${date}T${parts['hour']}:${parts['minute']}:${parts['second']}`
  clock.second = second
  return clock.text
}

/** Wall clock of a time zone at an instant, as ISO text for `now`. */
export function formatLocalIso(instantMs: number, timeZone: string): string {
  const second = Math.floor(instantMs / 1000)
  return `${formatSecond(getClock(timeZone), second)}.${String(instantMs - second * 1000).padStart(3, '0')}`
}
