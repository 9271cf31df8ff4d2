/**
 * Formats of dates and times: `iso`, days since 1900 or 1904 as spreadsheets count them, or a strptime pattern of
 * `%d %m %Y %y %b %H %I %M %S %p`.
 */
export type TimeFormat = 'iso' | SerialFormat | (typeof timeFormats)[number]
/** Formats that are recognized, in the order in which they are tried. */
export const recognizedTimeFormats = [
  '%d/%m/%Y',
  '%m/%d/%Y',
  '%d.%m.%Y',
  '%d-%m-%Y',
  '%m-%d-%Y',
  '%d %b %Y',
  '%d-%b-%Y',
  '%b %d, %Y',
  '%d/%m/%Y %H:%M',
  '%m/%d/%Y %H:%M',
  '%d.%m.%Y %H:%M',
  '%d-%m-%Y %H:%M',
  '%m-%d-%Y %H:%M',
  '%d/%m/%Y %H:%M:%S',
  '%m/%d/%Y %H:%M:%S',
  '%d.%m.%Y %H:%M:%S',
  '%d-%m-%Y %H:%M:%S',
  '%m-%d-%Y %H:%M:%S',
  '%d/%m/%Y %I:%M %p',
  '%m/%d/%Y %I:%M %p',
  '%d/%m/%Y %I:%M:%S %p',
  '%m/%d/%Y %I:%M:%S %p',
  '%Y-%m-%d %I:%M %p',
  '%Y-%m-%d %I:%M:%S %p',
] as const
/** Formats without a century, which are used only when a user chooses them. */
export const shortYearFormats = ['%d/%m/%y', '%m/%d/%y', '%d.%m.%y', '%d-%m-%y', '%m-%d-%y'] as const
export const timeFormats = [...recognizedTimeFormats, ...shortYearFormats] as const
export const serialFormats = ['excel-1900', 'excel-1904'] as const
export type SerialFormat = (typeof serialFormats)[number]

/** Four digits, without the year 0. */
const year = '[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9]'
const partPatterns: Record<string, string> = {
  d: '([0-9]{1,2})',
  m: '([0-9]{1,2})',
  Y: `(${year})`,
  y: '([0-9]{2})',
  b: '([A-Za-z]{3})',
  H: '([0-9]{1,2})',
  I: '([0-9]{1,2})',
  M: '([0-9]{2})',
  S: '([0-9]{2})',
  p: '([AaPp][Mm])',
}

/** Returns the regular expression of a format, for JavaScript and the engine. */
export const timePattern = (format: string): string =>
  format.replaceAll('.', '[.]').replaceAll(/%(\w)/g, (_, part: string) => partPatterns[part] ?? '')

const day = `(${year})[-/]([0-9]{1,2})[-/]([0-9]{1,2})`
export const isoDatePattern = day
export const isoTimePattern = `${day}[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,9}))?)?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?`
/** A time whose digits beyond microseconds are zeros, so that none is lost. */
export const microsecondPattern = '(?:[^.]*|[^.]*[.][0-9]{1,6}0*(?:[^0-9].*)?)'
/** A time with an offset from UTC other than none. */
const zonePattern = /:\d{2}(?:\.\d+)?(?!.00(?::?00)?$)[+-]\d{2}(?::?\d{2})?$/

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const regexes = new Map<string, RegExp>()
function matchWhole(text: string, pattern: string): RegExpExecArray | null {
  let regex = regexes.get(pattern)
  if (!regex) regexes.set(pattern, (regex = new RegExp(`^${pattern}$`)))
  return regex.exec(text)
}

interface Parts {
  year: number
  month: number
  day: number
  hour?: number
  minute?: number
  second?: number
  fraction?: string
}

const pad = (number: number, width = 2): string => String(number).padStart(width, '0')

/** `2024-01-31`, or `2024-01-31 08:15:00` with a clock; null for a day or time that does not exist. */
function formatParts(parts: Parts, hasClock: boolean): string | null {
  const { year, month, day, hour = 0, minute = 0, second = 0, fraction = '' } = parts
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (!isDay || hour > 23 || minute > 59 || second > 59) return null
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  if (!hasClock) return date
  const digits = fraction.slice(0, 6).replace(/0+$/, '')
  return `${date} ${pad(hour)}:${pad(minute)}:${pad(second)}${digits && `.${digits}`}`
}

export const hasZone = (text: string): boolean => zonePattern.test(text)
export const hasClock = (format: TimeFormat): boolean => /%[HI]/.test(format)

function parseIso(text: string, type: 'date' | 'datetime', exact: boolean): string | null {
  const [, ...date] = matchWhole(text, isoDatePattern) ?? []
  const [year = 0, month = 0, day = 0] = date.map(Number)
  if (date.length > 0) return formatParts({ year, month, day }, type === 'datetime')
  const found = matchWhole(text, isoTimePattern)
  if (type === 'date') return exact ? null : parseMidnight(text)
  if (!found || (exact && !matchWhole(text, microsecondPattern))) return null
  const [clockYear = 0, clockMonth = 0, clockDay = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const local = { year: clockYear, month: clockMonth, day: clockDay, hour, minute, second, fraction: found[7] ?? '' }
  const formatted = formatParts(local, true)
  if (!formatted || !found[8] || found[8] === 'Z') return formatted
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(found[8]) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const moment = new Date(`${formatted.slice(0, 19).replace(' ', 'T')}Z`)
  if (Number.isNaN(moment.getTime())) return null
  moment.setUTCMinutes(moment.getUTCMinutes() - offset)
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')}${formatted.slice(19)}`
}

/** The date of a time at midnight, as databases write dates. */
function parseMidnight(text: string): string | null {
  const [, date] = /^(.+)[T ]0?0:00(?::00(?:[.]0+)?)?$/.exec(text) ?? []
  return date === undefined ? null : parseIso(date, 'date', true)
}

function parsePattern(text: string, format: string): string | null {
  const found = matchWhole(text, timePattern(format))
  if (!found) return null
  const names = [...format.matchAll(/%(\w)/g)].map(([, name]) => name)
  const part = (name: string): string | undefined => {
    const index = names.indexOf(name)
    return index < 0 ? undefined : found[index + 1]
  }
  const short = Number(part('y'))
  const year = part('Y') === undefined ? (short < 69 ? 2000 : 1900) + short : Number(part('Y'))
  const name = part('b')
  const month = name === undefined ? Number(part('m')) : months.indexOf(name.toLowerCase()) + 1
  const twelve = part('I')
  if (twelve !== undefined && (Number(twelve) < 1 || Number(twelve) > 12)) return null
  const hour =
    twelve === undefined ? Number(part('H') ?? 0) : (Number(twelve) % 12) + (part('p')?.toLowerCase() === 'pm' ? 12 : 0)
  const clock = { hour, minute: Number(part('M') ?? 0), second: Number(part('S') ?? 0) }
  return formatParts({ year, month, day: Number(part('d')), ...clock }, hasClock(format as TimeFormat))
}

const dayMs = 86_400_000
/** Days from the start of the spreadsheets' count to 1970, and from 1900's start to 1904's. */
export const serialEpoch = { 'excel-1900': 25_569, 'excel-1904': 24_107 } as const
/** Serial numbers end with the year 9999. */
export const maxSerial = 2_958_466

/**
 * Formats a day number of a spreadsheet: `2024-01-31`, or `2024-01-31 18:00:00` if it has a fraction. The 1900 count includes a
 * day that never was, number 60, for which it returns null, as for numbers outside the years 1900 to 9999.
 */
export function formatSerial(serial: number, format: SerialFormat): string | null {
  if (!(serial >= 0 && serial < maxSerial)) return null
  if (format === 'excel-1900' && serial >= 60 && serial < 61) return null
  const days = format === 'excel-1900' && serial < 60 ? serial + 1 : serial
  const seconds = Math.round((days - serialEpoch[format]) * (dayMs / 1000))
  const text = new Date(seconds * 1000).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}

/**
 * Returns the time that a text means as ISO text, in UTC if it has a zone; null if the text is not a time of the format.
 * @param exact  digits beyond microseconds are refused; else they are cut
 */
export function parseTime(
  text: string,
  type: 'date' | 'datetime',
  { format, exact }: { format: TimeFormat; exact: boolean },
): string | null {
  if (format === 'iso') return parseIso(text, type, exact)
  if (format === 'excel-1900' || format === 'excel-1904') {
    const found = /^\d+(?:[.,]\d*)?$/.test(text) ? formatSerial(Number(text.replace(',', '.')), format) : null
    if (type === 'date') return found?.length === 10 ? found : null
    return found?.length === 10 ? `${found} 00:00:00` : found
  }
  const found = parsePattern(text, format)
  if (type === 'date') return hasClock(format) ? null : found
  return found?.length === 10 ? `${found} 00:00:00` : found
}

/** The same format with day and month exchanged; null if its order is certain. */
export function swapDayAndMonth(format: TimeFormat): TimeFormat | null {
  const swapped = format.replace(/^%([dm])([/-])%([dm])/, '%$3$2%$1')
  return swapped === format ? null : (timeFormats.find((each) => each === swapped) ?? null)
}
