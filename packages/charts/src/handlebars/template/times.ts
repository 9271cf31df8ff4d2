import { memoize } from './values.ts'

/**
 * Parses a time in milliseconds since 1970 UTC, or as ISO text; without a zone it is UTC, as in database results. Null if
 * invalid.
 */
function parseTime(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\d{4}(?:-\d\d){1,2}/.test(value)) return null
  const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes(':')
  const time = Date.parse(isZoned ? value : `${value.replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? null : time
}

const two = (value: number): string => String(value).padStart(2, '0')
const day = 86_400_000

/** Returns the ISO 8601 week number of a day: weeks begin on Monday, and the first one contains January 4. */
function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * day)
  return Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * day)) + 1
}

type Write = (date: Date, locale: string) => string

const intlWriter = (options: Intl.DateTimeFormatOptions): Write => {
  const format = memoize((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }))
  return (date, locale) => format(locale).format(date)
}
const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12
const half = (date: Date): string => (date.getUTCHours() < 12 ? 'AM' : 'PM')
const ordinal = (n: number): string =>
  `${n}${n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`

/** Format tokens of Moment.js and Day.js. @see https://momentjs.com/docs/#/displaying/format/ */
const tokens: Record<string, Write> = {
  YYYY: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  YY: (date) => two(date.getUTCFullYear() % 100),
  Q: (date) => String(Math.floor(date.getUTCMonth() / 3) + 1),
  MMMM: intlWriter({ month: 'long' }),
  MMM: intlWriter({ month: 'short' }),
  MM: (date) => two(date.getUTCMonth() + 1),
  M: (date) => String(date.getUTCMonth() + 1),
  WW: (date) => two(isoWeek(date)),
  W: (date) => String(isoWeek(date)),
  DDDD: (date) => String(dayOfYear(date)).padStart(3, '0'),
  DDD: (date) => String(dayOfYear(date)),
  DD: (date) => two(date.getUTCDate()),
  Do: (date) => ordinal(date.getUTCDate()),
  D: (date) => String(date.getUTCDate()),
  dddd: intlWriter({ weekday: 'long' }),
  ddd: intlWriter({ weekday: 'short' }),
  dd: (date, locale) => intlWriter({ weekday: 'short' })(date, locale).slice(0, 2),
  d: (date) => String(date.getUTCDay()),
  HH: (date) => two(date.getUTCHours()),
  H: (date) => String(date.getUTCHours()),
  hh: (date) => two(hour12(date)),
  h: (date) => String(hour12(date)),
  mm: (date) => two(date.getUTCMinutes()),
  m: (date) => String(date.getUTCMinutes()),
  ss: (date) => two(date.getUTCSeconds()),
  s: (date) => String(date.getUTCSeconds()),
  SSS: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
  A: half,
  a: (date) => half(date).toLowerCase(),
  ZZ: () => '+0000',
  Z: () => '+00:00',
  X: (date) => String(Math.floor(date.getTime() / 1000)),
  x: (date) => String(date.getTime()),
  LTS: intlWriter({ timeStyle: 'medium' }),
  LT: intlWriter({ timeStyle: 'short' }),
  LLLL: intlWriter({ dateStyle: 'full', timeStyle: 'short' }),
  LLL: intlWriter({ dateStyle: 'long', timeStyle: 'short' }),
  LL: intlWriter({ dateStyle: 'long' }),
  L: intlWriter({ year: 'numeric', month: '2-digit', day: '2-digit' }),
}

const dayOfYear = (date: Date): number => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day) + 1

const pattern = new RegExp(
  `\\[([^\\]]*)\\]|${Object.keys(tokens)
    .toSorted((a, b) => b.length - a.length)
    .join('|')}`,
  'g',
)

/** Formats a time in UTC, with a format such as `MMM D, YYYY [at] HH:mm`; empty for null, `Invalid date` for an invalid time. */
export function formatTime(value: unknown, format: string, locale: string): string {
  if (value === null || value === undefined || value === '') return ''
  const time = parseTime(value)
  if (time === null) return 'Invalid date'
  const date = new Date(time)
  return format.replace(
    pattern,
    (token: string, literal: string | undefined) => literal ?? tokens[token]!(date, locale),
  )
}
