import { formatLocale, type FormatLocaleObject } from 'd3-format'
import { createUtcFormat, type TimeLocale, type TimeWriter } from './utc-format.ts'

export interface Locale {
  name: string
  number: FormatLocaleObject
  /** Returns a writer for a time format, in UTC. */
  utcFormat: (format: string) => TimeWriter
}

const known = new Map<string, Locale>()

/** Returns the formats of a BCP 47 language tag, from the tables of the platform; English for an unknown tag. */
export function resolveLocale(tag: string): Locale {
  const found = known.get(tag)
  if (found) return found
  const name = findSupportedLocale(tag)
  const locale = { name, number: formatLocale(numberLocale(name)), utcFormat: createUtcFormat(timeLocale(name)) }
  known.set(tag, locale)
  return locale
}

function findSupportedLocale(tag: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

function numberLocale(name: string): Parameters<typeof formatLocale>[0] {
  const parts = new Intl.NumberFormat(name).formatToParts(-1234567.5)
  const part = (type: string) => parts.find((each) => each.type === type)?.value
  return { decimal: part('decimal') ?? '.', thousands: part('group') ?? ',', grouping: [3], currency: ['$', ''] }
}

function timeLocale(name: string): TimeLocale {
  const words = (count: number, options: Intl.DateTimeFormatOptions, at: (i: number) => number) => {
    const write = new Intl.DateTimeFormat(name, { ...options, timeZone: 'UTC' })
    return Array.from({ length: count }, (_, i) => write.format(at(i)))
  }
  /** 4 January 1970 is a Sunday. */
  const days = (weekday: 'long' | 'short') => words(7, { weekday }, (i) => Date.UTC(1970, 0, 4 + i))
  const months = (month: 'long' | 'short') => words(12, { month }, (i) => Date.UTC(1970, i, 1))
  return {
    dateTime: '%x, %X',
    date: '%-m/%-d/%Y',
    time: '%-I:%M:%S %p',
    periods: ['AM', 'PM'],
    days: days('long'),
    shortDays: days('short'),
    months: months('long'),
    shortMonths: months('short'),
  }
}
