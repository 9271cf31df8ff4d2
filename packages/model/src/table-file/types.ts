/** Column types for file values. `integer` has 64 bits, `decimal` is a double. */
export const fileTypes = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime'] as const
export type FileType = (typeof fileTypes)[number]

/** Format of times: `iso`, or a strptime pattern of `%d %m %Y %H %M %S %y %b`. */
export type TimeFormat = 'iso' | (typeof timeFormats)[number]
export const timeFormats = [
  '%d/%m/%Y',
  '%m/%d/%Y',
  '%d.%m.%Y',
  '%d-%m-%Y',
  '%m-%d-%Y',
  '%d %b %Y',
  '%b %d, %Y',
  '%d/%m/%Y %H:%M',
  '%m/%d/%Y %H:%M',
  '%d.%m.%Y %H:%M',
  '%d/%m/%Y %H:%M:%S',
  '%m/%d/%Y %H:%M:%S',
  '%d.%m.%Y %H:%M:%S',
] as const

/** Words that usually mean null and are ignored when detecting a column's type. */
export const nullMarkers = ['NULL', 'null', 'NA', 'N/A', 'n/a', '#N/A', 'None', 'NaN', 'nan', '-'] as const

/** Number format. Thousands separators are optional. */
export interface NumberStyle {
  decimal: '.' | ','
}

const numberPatterns: Record<NumberStyle['decimal'], RegExp> = {
  '.': /^[+-]?(?:\d+|\d{1,3}(?:[,' \u00a0\u202f]\d{3})+)(?:\.\d*)?(?:[eE][+-]?\d+)?$|^[+-]?\.\d+(?:[eE][+-]?\d+)?$/,
  ',': /^[+-]?(?:\d+|\d{1,3}(?:[.' \u00a0\u202f]\d{3})+)(?:,\d*)?(?:[eE][+-]?\d+)?$|^[+-]?,\d+(?:[eE][+-]?\d+)?$/,
}
const integerPatterns: Record<NumberStyle['decimal'], RegExp> = {
  '.': /^[+-]?(?:\d+|\d{1,3}(?:[,' \u00a0\u202f]\d{3})+)$/,
  ',': /^[+-]?(?:\d+|\d{1,3}(?:[.' \u00a0\u202f]\d{3})+)$/,
}
/** Thousands separators, in addition to the decimal separator of the other style. */
export const groupSeparators = "' \u00a0\u202f"

const maxInteger = 9_223_372_036_854_775_807n
const booleanTexts = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n'])
const iso = /^\d{4}-\d{1,2}-\d{1,2}$/
const isoTime = /^(\d{4}-\d{1,2}-\d{1,2})[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const parts: Record<string, string> = {
  d: String.raw`(?<d>\d{1,2})`,
  m: String.raw`(?<m>\d{1,2})`,
  Y: String.raw`(?<Y>\d{4})`,
  b: String.raw`(?<b>[A-Za-z]{3})`,
  H: String.raw`(?<H>\d{1,2})`,
  M: String.raw`(?<M>\d{1,2})`,
  S: String.raw`(?<S>\d{1,2})`,
}
const patterns = new Map<string, RegExp>()
const timePattern = (format: string): RegExp => {
  const known = patterns.get(format)
  if (known) return known
  const text = format.replaceAll('.', String.raw`\.`).replaceAll(/%(\w)/g, (_, part: string) => parts[part] ?? '')
  const made = new RegExp(`^${text}$`)
  patterns.set(format, made)
  return made
}

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

function isIsoDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return iso.test(text) && isDay(year, month, day)
}

function isTime(text: string, format: TimeFormat): boolean {
  if (format === 'iso') {
    const found = isoTime.exec(text)
    if (!found) return isIsoDay(text)
    const [, day = '', hour, minute, second = '0'] = found
    return isIsoDay(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  }
  const found = timePattern(format).exec(text)?.groups
  if (!found) return false
  const month = found['b'] === undefined ? Number(found['m']) : months.indexOf(found['b'].toLowerCase()) + 1
  const clock = Number(found['H'] ?? 0) < 24 && Number(found['M'] ?? 0) < 60 && Number(found['S'] ?? 0) < 60
  return clock && isDay(Number(found['Y']), month, Number(found['d']))
}

const hasClock = (format: TimeFormat): boolean => format.includes('%H')

/** Returns true if the text, without surrounding spaces, is a valid value of the type. */
export function matchesType(
  text: string,
  type: FileType,
  { decimal }: NumberStyle,
  format: TimeFormat = 'iso',
): boolean {
  switch (type) {
    case 'text':
      return true
    case 'integer':
      return integerPatterns[decimal].test(text) && inRange(text.replaceAll(/[^\d]/g, ''))
    case 'decimal':
      return numberPatterns[decimal].test(text)
    case 'boolean':
      return booleanTexts.has(text.toLowerCase()) || text === '0' || text === '1'
    case 'date':
      return format === 'iso' ? isIsoDay(text) : !hasClock(format) && isTime(text, format)
    case 'datetime':
      return isTime(text, format)
  }
}

const inRange = (text: string): boolean => text.length < 19 || (text.length === 19 && BigInt(text) <= maxInteger)

/** Returns true for numeric codes: a leading zero means that the digits must be preserved. */
const isCode = (text: string): boolean => /^0\d/.test(text)

/**
 * Returns the common type of a column's values and the format of its times. Empty texts and null words are ignored.
 * @param nulls  additional null words
 */
export function guessType(
  values: readonly string[],
  style: NumberStyle,
  nulls: readonly string[] = [],
): { type: FileType; format: TimeFormat | null } {
  const words = new Set<string>([...nullMarkers, ...nulls])
  const told = values.map((value) => value.trim()).filter((value) => value !== '' && !words.has(value))
  if (told.length === 0) return { type: 'text', format: null }
  const all = (test: (text: string) => boolean) => told.every(test)
  if (all((text) => booleanTexts.has(text.toLowerCase())) && new Set(told.map((text) => text.toLowerCase())).size <= 2)
    return { type: 'boolean', format: null }
  if (!told.some(isCode)) {
    const mostly = (type: FileType) => mostlyMatchesType(told, type, style)
    if (
      mostly('integer') &&
      !told.some((text) => matchesType(text, 'decimal', style) && !matchesType(text, 'integer', style))
    )
      return { type: 'integer', format: null }
    if (mostly('decimal')) return { type: 'decimal', format: null }
  }
  if (mostlyMatchesType(told, 'date', style)) return { type: 'date', format: 'iso' }
  if (mostlyMatchesType(told, 'datetime', style)) return { type: 'datetime', format: 'iso' }
  for (const format of timeFormats) {
    const type = hasClock(format) ? 'datetime' : 'date'
    if (mostlyMatchesType(told, type, style, format)) return { type, format }
  }
  return { type: 'text', format: null }
}

/**
 * Returns the type of most values of a text column, if the other values do not even start like a number; null if there is none.
 * @param nulls  additional null words
 */
export function guessMajorityType(
  values: readonly string[],
  style: NumberStyle,
  nulls: readonly string[] = [],
): { type: FileType; format: TimeFormat | null } | null {
  const told = values.map((value) => value.trim()).filter((value) => value !== '')
  const likely = told.filter((value) => /^[+-]?[.,]?\d/.test(value))
  if (likely.length <= told.length / 2) return null
  const guessed = guessType(likely, style, nulls)
  return guessed.type === 'text' ? null : guessed
}

/** Share of non-matching values up to which a number column keeps its type; the user is notified. */
const maxMismatchShare = 0.05
const quickCheckCount = 10

function mostlyMatchesType(told: readonly string[], type: FileType, style: NumberStyle, format?: TimeFormat): boolean {
  const allowed = told.length < 20 ? (told.length < 5 ? 0 : 1) : Math.floor(told.length * maxMismatchShare)
  // The first values decide for most columns; only columns that nearly match are read further.
  if (!told.slice(0, quickCheckCount).some((text) => matchesType(text, type, style, format))) return false
  let stray = 0
  for (const text of told) if (!matchesType(text, type, style, format) && ++stray > allowed) return false
  return true
}

/** Detects the decimal separator of number columns: a comma followed by other than three digits is decimal. */
export function guessDecimal(rows: readonly (readonly string[])[]): '.' | ',' {
  let comma = 0
  let point = 0
  for (const row of rows)
    for (const value of row) {
      if (/^[+-]?[\d.]*\d,\d+$/.test(value.trim()) && !/^[+-]?\d{1,3}(,\d{3})+$/.test(value.trim())) comma++
      else if (/^[+-]?[\d,]*\d\.\d+$/.test(value.trim()) && !/^[+-]?\d{1,3}(\.\d{3})+$/.test(value.trim())) point++
    }
  return comma > point ? ',' : '.'
}
