import { formatInterval } from '../shared/format-time.ts'

const dayMs = 86_400_000

const dateParts = /^(\d{4,})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(?:[+-]\d\d(?::?\d\d)*)?( BC)?$/

/**
 * Milliseconds since 1970 of a DATE, TIMESTAMP or TIMESTAMPTZ as PostgreSQL writes it in a UTC session, with microseconds as the
 * fraction; null for the two infinities.
 */
export function parsePostgresTime(text: string): number | null {
  const parts = dateParts.exec(text)
  if (!parts) return null
  const [, years, month, day, hour = '0', minute = '0', second = '0', fraction = '', isBefore] = parts
  const year = isBefore ? 1 - Number(years) : Number(years)
  const date = new Date(0)
  date.setUTCFullYear(year, Number(month) - 1, Number(day))
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const wholeMs = Math.round(date.getTime() / dayMs) * dayMs + seconds * 1000
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6))
  // Rounds only once, at the end: before 1970 the fraction and the rest have opposite signs.
  const exact = wholeMs * 1000 + micros
  return Number.isSafeInteger(exact) ? exact / 1000 : wholeMs + micros / 1000
}

const intervalParts =
  /^(?:(-?\+?\d+) years? ?)?(?:(-?\+?\d+) mons? ?)?(?:(-?\+?\d+) days? ?)?(?:([-+]?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?)?$/

/** Converts an interval in the style `postgres` to the API's spelling. */
export function formatPostgresInterval(text: string): string {
  const parts = intervalParts.exec(text)
  if (!parts) return text
  const [, years = '0', months = '0', days = '0', sign, hours = '0', minutes = '0', seconds = '0', fraction = ''] =
    parts
  const wholeMicros = (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * 1_000_000n
  const micros = wholeMicros + BigInt(fraction.padEnd(6, '0'))
  return formatInterval(Number(years) * 12 + Number(months), Number(days), sign === '-' ? -micros : micros)
}

/** TIME and TIMETZ in the common spelling of all engines: six decimal places if there are any, zones with minutes. */
export const formatPostgresTimeOfDay = (text: string): string =>
  text.replace(/\.(\d+)/, (_, fraction: string) => `.${fraction.padEnd(6, '0')}`).replace(/([+-]\d\d)$/, '$1:00')

/** Digits of a decimal without its point, or null for NaN and infinities. */
export function parsePostgresDecimal(text: string, scale: number): bigint | null {
  const point = text.indexOf('.')
  const integerPart = point < 0 ? text : text.slice(0, point)
  const fraction = point < 0 ? '' : text.slice(point + 1)
  return /^-?\d+$/.test(integerPart) ? BigInt(integerPart + fraction.padEnd(scale, '0')) : null
}

export const hexToBase64 = (hex: string): string => Buffer.from(hex.slice(2), 'hex').toString('base64')

/** Converts an array literal to JSON: `{1,NULL,"a \"b\""}`, including nested ones and those with bounds (`[0:1]={1,2}`). */
export function arrayToJson(text: string, element: 'bare' | 'boolean' | 'text' | 'json'): string {
  let index = text.indexOf('{')
  const quoted = (): string => {
    let value = ''
    for (index++; text[index] !== '"'; index++) {
      if (text[index] === '\\') index++
      value += text[index]
    }
    index++
    return value
  }
  const bare = (): string => {
    const start = index
    while (text[index] !== ',' && text[index] !== '}') index++
    return text.slice(start, index)
  }
  const item = (): string => {
    if (text[index] === '{') return list()
    const isQuoted = text[index] === '"'
    const value = isQuoted ? quoted() : bare()
    if (!isQuoted && value === 'NULL') return 'null'
    if (element === 'json') return value
    if (element === 'boolean') return value === 't' ? 'true' : 'false'
    return element === 'bare' && /^-?\d/.test(value) ? value : JSON.stringify(value)
  }
  const list = (): string => {
    const items: string[] = []
    index++
    while (text[index] !== '}') {
      items.push(item())
      if (text[index] === ',') index++
    }
    index++
    return `[${items.join(', ')}]`
  }
  return list()
}
