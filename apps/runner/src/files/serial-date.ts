import { formatSerial } from '@parquetry/model/table-file/times'

/** Kind of value that a number format shows: a date with or without its time, a time of day, or hours that may be more than a day. */
export type TimeKind = 'date' | 'time' | 'duration'

/** Built-in number formats that show times. */
const classifyBuiltInFormat = (id: number): TimeKind | null => {
  if (id === 46) return 'duration'
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return 'time'
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : null
}

/** Returns what a number format shows; null for a plain number. */
export function classifyNumberFormat(id: number, code: string | undefined): TimeKind | null {
  if (code === undefined) return classifyBuiltInFormat(id)
  const [positive = ''] = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')
  if (/general/i.test(positive) || /[#?]/.test(positive)) return null
  if (/[yd]/i.test(positive)) return 'date'
  if (/\[(h+|m+|s+)\]/i.test(positive)) return 'duration'
  if (/[hs]/i.test(positive)) return 'time'
  return /m/i.test(positive) ? 'date' : null
}

/**
 * Formats the number of a cell as its format shows it: a date, a date with time, a time of day, or a duration in hours.
 * @returns null for a number that is not a date
 */
export function formatSerialDate(serial: number, kind: TimeKind, is1904: boolean): string | null {
  if (kind === 'duration' || (kind === 'time' && serial >= 0 && serial < 1)) {
    const seconds = Math.round(Math.abs(serial) * 86_400)
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    return `${serial < 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
  }
  return formatSerial(serial, is1904 ? 'excel-1904' : 'excel-1900')
}
