/** Names and formats of a language, for `%a`, `%B`, `%x` and their like. */
export interface TimeLocale {
  dateTime: string
  date: string
  time: string
  periods: readonly string[]
  days: readonly string[]
  shortDays: readonly string[]
  months: readonly string[]
  shortMonths: readonly string[]
}

/** Character that fills a number up to its width. */
type Fill = '0' | ' ' | ''

type Directive = (date: Date, fill: Fill) => string | number

/** Writes a time in UTC. */
export type TimeWriter = (date: Date) => string

const fills: Readonly<Record<string, Fill>> = { '-': '', _: ' ', '0': '0' }
const dayMs = 86_400_000
const directive = /%([-_0][^]?|[^]?)/

function pad(value: number, fill: Fill, width: number): string {
  const text = String(Math.abs(value))
  return (value < 0 ? '-' : '') + (fill === '' ? text : text.padStart(width, fill))
}

const yearStart = (date: Date): number => new Date(0).setUTCFullYear(date.getUTCFullYear(), 0, 1)

/** Days since 1 January. */
const dayOfYear = (date: Date): number => Math.floor((date.getTime() - yearStart(date)) / dayMs)

/** Number of the week in its year; the first week begins with the first day of this weekday. */
const weekFrom = (date: Date, firstDay: number): number =>
  Math.floor((dayOfYear(date) + 7 - ((date.getUTCDay() + 7 - firstDay) % 7)) / 7)

/** Thursday of the same ISO 8601 week, which decides the year of the week. */
const isoThursday = (date: Date): Date => new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMs)

const directives: Readonly<Record<string, Directive>> = {
  d: (date, fill) => pad(date.getUTCDate(), fill, 2),
  e: (date, fill) => pad(date.getUTCDate(), fill, 2),
  f: (date, fill) => `${pad(date.getUTCMilliseconds(), fill, 3)}000`,
  g: (date, fill) => pad(isoThursday(date).getUTCFullYear() % 100, fill, 2),
  G: (date, fill) => pad(isoThursday(date).getUTCFullYear() % 10_000, fill, 4),
  H: (date, fill) => pad(date.getUTCHours(), fill, 2),
  I: (date, fill) => pad(date.getUTCHours() % 12 || 12, fill, 2),
  j: (date, fill) => pad(1 + dayOfYear(date), fill, 3),
  L: (date, fill) => pad(date.getUTCMilliseconds(), fill, 3),
  m: (date, fill) => pad(date.getUTCMonth() + 1, fill, 2),
  M: (date, fill) => pad(date.getUTCMinutes(), fill, 2),
  q: (date) => 1 + Math.floor(date.getUTCMonth() / 3),
  Q: (date) => date.getTime(),
  s: (date) => Math.floor(date.getTime() / 1000),
  S: (date, fill) => pad(date.getUTCSeconds(), fill, 2),
  u: (date) => date.getUTCDay() || 7,
  U: (date, fill) => pad(weekFrom(date, 0), fill, 2),
  V: (date, fill) => pad(1 + Math.floor(dayOfYear(isoThursday(date)) / 7), fill, 2),
  w: (date) => date.getUTCDay(),
  W: (date, fill) => pad(weekFrom(date, 1), fill, 2),
  y: (date, fill) => pad(date.getUTCFullYear() % 100, fill, 2),
  Y: (date, fill) => pad(date.getUTCFullYear() % 10_000, fill, 4),
  Z: () => '+0000',
  '%': () => '%',
}

/**
 * Creates writers for the formats of d3-time-format in UTC: `%` and a letter, between them `-`, `_` or `0` for how numbers are
 * filled. Written here because that library brings parsing, local time and two other libraries: 6 KB for every page with a chart.
 */
export function createUtcFormat(locale: TimeLocale): (format: string) => TimeWriter {
  const named: Readonly<Record<string, Directive>> = {
    ...directives,
    a: (date) => locale.shortDays[date.getUTCDay()] ?? '',
    A: (date) => locale.days[date.getUTCDay()] ?? '',
    b: (date) => locale.shortMonths[date.getUTCMonth()] ?? '',
    B: (date) => locale.months[date.getUTCMonth()] ?? '',
    p: (date) => locale.periods[date.getUTCHours() < 12 ? 0 : 1] ?? '',
    c: (date) => createWriter(locale.dateTime)(date),
    x: (date) => createWriter(locale.date)(date),
    X: (date) => createWriter(locale.time)(date),
  }
  const createWriter = (format: string): TimeWriter => {
    const parts = format.split(directive).map((part, index): string | TimeWriter => {
      if (index % 2 === 0) return part
      const letter = part.replace(/^[-_0]/, '')
      const write = Object.hasOwn(named, letter) ? named[letter] : undefined
      const fill = (letter === part ? undefined : fills[part.charAt(0)]) ?? (letter === 'e' ? ' ' : '0')
      return write ? (date) => String(write(date, fill)) : letter
    })
    return (date) => parts.map((part) => (typeof part === 'string' ? part : part(date))).join('')
  }
  return createWriter
}
