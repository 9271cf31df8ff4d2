import { formatDuration, formatPreciseDuration } from './duration.ts'
import type { Locale } from './locale.ts'

type NumberFormatter = (value: number) => string

/** Three significant digits with k, M, B, T; small numbers with up to four decimals (CONST-004). */
function smart({ number }: Locale): NumberFormatter {
  const large = number.format('.3~s')
  const plain = number.format('.2~f')
  const small = number.format('.4~f')
  return (value) => {
    const size = Math.abs(value)
    if (size === 0) return '0'
    if (size >= 1000) return large(value).replace('G', 'B')
    if (size >= 1) return plain(value)
    return size >= 0.001 ? small(value) : number.format('.2~g')(value)
  }
}

const fullByLocale = new Map<string, NumberFormatter>()

/**
 * Formats the whole number with group separators: two decimals from 1 upward, four significant digits below. Cached by locale: a
 * chart requests several, and creating one takes longer than formatting a thousand numbers.
 */
function full({ name }: Locale): NumberFormatter {
  const known = fullByLocale.get(name)
  if (known) return known
  const large = new Intl.NumberFormat(name, { maximumFractionDigits: 2 })
  const small = new Intl.NumberFormat(name, { maximumSignificantDigits: 4 })
  const format: NumberFormatter = (value) => (Math.abs(value) >= 1 ? large : small).format(value)
  fullByLocale.set(name, format)
  return format
}

/** Reliable digits of a double that is a sum of many; the last of its sixteen are noise. */
const significantDigits = 12

/** Removes the rounding noise of sums. Integers are unchanged. */
export const stripFloatNoise = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(significantDigits))

/** Formats all reliable digits in the given locale. Numbers with an exponent keep it instead of many zeros. */
function allDigits({ name }: Locale, useGrouping: boolean): NumberFormatter {
  const write = new Intl.NumberFormat(name, { maximumFractionDigits: 20, useGrouping })
  return (value) => {
    const number = stripFloatNoise(value)
    return /e/.test(String(number)) ? String(number) : write.format(number)
  }
}

function bytes(step: number, names: string[]): NumberFormatter {
  return (value) => {
    const size = Math.abs(value)
    const power = size < 1 ? 0 : Math.min(names.length - 1, Math.floor(Math.log(size) / Math.log(step)))
    return `${Number((value / step ** power).toFixed(2))}${names[power]}`
  }
}

const signed =
  (write: NumberFormatter): NumberFormatter =>
  (value) =>
    value > 0 ? `+${write(value)}` : write(value)

const named: Record<string, (locale: Locale) => NumberFormatter> = {
  SMART_NUMBER: smart,
  SMART_NUMBER_SIGNED: (locale) => signed(smart(locale)),
  FULL_NUMBER: full,
  OVER_MAX_HIDDEN: smart,
  ALL_DIGITS: (locale) => allDigits(locale, true),
  PLAIN_NUMBER: (locale) => allDigits(locale, false),
  DURATION: () => formatDuration,
  DURATION_SUB: () => formatPreciseDuration,
  MEMORY_DECIMAL: () => bytes(1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']),
  MEMORY_BINARY: () => bytes(1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']),
}

/**
 * Returns a number format by name: one of those above or a d3-format specifier (`,.2f`, `.1%`, `$,.0f`). An unknown name is
 * formatted as SMART_NUMBER: forms are open, and a wrong format must not hide the number. So is a width of three digits or more,
 * since every number would become a text of that length.
 * @see https://d3js.org/d3-format#locale_format
 */
export function numberFormatter(name: string, locale: Locale): NumberFormatter {
  const own = Object.hasOwn(named, name) ? named[name] : undefined
  if (own) return own(locale)
  if (/\d{3}/.test(name)) return smart(locale)
  try {
    const write = locale.number.format(name)
    return (value) => write(value).replace('−', '-')
  } catch {
    return smart(locale)
  }
}
