const dayMs = 86_400_000
const parts = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?$/

/**
 * Milliseconds since 1970 of a DATE, DATETIME or TIMESTAMP in a UTC session, with microseconds as the fraction. Null for the zero
 * date and others with month or day 0, which are not times.
 */
export function parseMysqlTime(text: string): number | null {
  const found = parts.exec(text)
  if (!found) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = found
  if (month === '00' || day === '00') return null
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const wholeMs = Math.round(date.getTime() / dayMs) * dayMs + seconds * 1000
  // Rounds only once, at the end: before 1970 the fraction and the rest have opposite signs.
  const exact = wholeMs * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return exact / 1000
}

/** TIME in the common spelling of all engines: six decimal places if there are any. It may be negative or longer than a day. */
export const formatMysqlTimeOfDay = (text: string): string => {
  const [integerPart = '', fraction = ''] = text.split('.')
  return Number(fraction) === 0 ? integerPart : `${integerPart}.${fraction.padEnd(6, '0')}`
}

/** Digits of a decimal without its point. */
export function parseMysqlDecimal(text: string, scale: number): bigint {
  const [integerPart = '', fraction = ''] = text.split('.')
  return BigInt(integerPart + fraction.padEnd(scale, '0').slice(0, scale))
}
