const dayMs = 86_400_000

const parts = /^([+-]?)(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?$/

/**
 * Milliseconds since 1970 of a date or a time without a zone, read as UTC (`2020-01-02`, `-0044-03-15 10:00:00.5`); microseconds
 * are the fraction, finer digits are truncated. Null for any other text.
 */
export function parseUtcTime(text: string): number | null {
  const found = parts.exec(text)
  if (!found) return null
  const [, sign, years, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = found
  const date = new Date(0)
  date.setUTCFullYear(sign === '-' ? -Number(years) : Number(years), Number(month) - 1, Number(day))
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const wholeMs = Math.round(date.getTime() / dayMs) * dayMs + seconds * 1000
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6))
  // Rounds only once, at the end: before 1970 the fraction and the rest have opposite signs.
  const exact = wholeMs * 1000 + micros
  return Number.isSafeInteger(exact) ? exact / 1000 : wholeMs + micros / 1000
}

/** Digits of a decimal without its point. @returns null if it is not a number (`NaN`) */
export function parseScaledInteger(text: string, scale: number): bigint | null {
  const [, integerPart, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return integerPart === undefined ? null : BigInt(integerPart + fraction.padEnd(scale, '0'))
}

/** `10:00:00.5` with six decimal places, or none if all are zero; further digits are preserved. */
export const formatTimeOfDay = (text: string): string =>
  text.replace(/\.(\d+)/, (_, digits: string) => (/^0+$/.test(digits) ? '' : `.${digits.padEnd(6, '0')}`))
