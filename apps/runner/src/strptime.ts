const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNames = months.map((name) => `${name}[a-z]*`).join('|')
const weekdays = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*'

type Field =
  | 'year'
  | 'shortYear'
  | 'month'
  | 'monthName'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'dayOfYear'
  | 'zone'

/** Directives of Python's strptime, with pattern and meaning. */
const directives: Record<string, [pattern: string, field: Field | null]> = {
  Y: ['\\d{4}', 'year'],
  y: ['\\d{2}', 'shortYear'],
  m: ['\\d{1,2}', 'month'],
  b: [monthNames, 'monthName'],
  B: [monthNames, 'monthName'],
  d: ['\\d{1,2}', 'day'],
  e: ['\\d{1,2}', 'day'],
  j: ['\\d{1,3}', 'dayOfYear'],
  H: ['\\d{1,2}', 'hour'],
  I: ['\\d{1,2}', 'hour'],
  p: ['am|pm', 'half'],
  M: ['\\d{1,2}', 'minute'],
  S: ['\\d{1,2}', 'second'],
  f: ['\\d{1,6}', 'fraction'],
  z: ['Z|[+-]\\d{2}:?\\d{2}', 'zone'],
  a: [weekdays, null],
  A: [weekdays, null],
  '%': ['%', null],
}

/**
 * Returns a parser for the values of a column with a `python_date_format`: `epoch_s`, `epoch_ms` or a pattern of strptime, to
 * milliseconds since 1970 UTC. A null format means ISO text. Values that do not match are null, as in pandas with
 * `errors="coerce"`.
 */
export function createTimeParser(format: string | null): (text: string) => number | null {
  if (format === 'epoch_s') return (text) => finiteOrNull(Number(text) * 1000)
  if (format === 'epoch_ms') return (text) => finiteOrNull(Number(text))
  if (format === null) return parseIsoTime
  const fields: (Field | null)[] = []
  const pattern = format.replace(/%(.)|[^%]+|%$/gs, (directiveText, letter: string | undefined) => {
    const directive = letter !== undefined && Object.hasOwn(directives, letter) ? directives[letter] : undefined
    if (!directive) return directiveText.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
    fields.push(directive[1])
    return `(${directive[0]})`
  })
  const matcher = new RegExp(`^\\s*${pattern}\\s*$`, 'i')
  return (text) => {
    const match = matcher.exec(text)
    return match ? toTimestamp(new Map(fields.map((field, index) => [field, match[index + 1] ?? '']))) : null
  }
}

const finiteOrNull = (ms: number) => (Number.isFinite(ms) ? ms : null)

function toTimestamp(parts: ReadonlyMap<Field | null, string>): number | null {
  const number = (field: Field, other: number) => (parts.has(field) ? Number(parts.get(field)) : other)
  const short = number('shortYear', 0)
  const year = parts.has('shortYear') ? short + (short < 69 ? 2000 : 1900) : number('year', 1900)
  const name = parts.get('monthName')
  const month = name ? months.indexOf(name.slice(0, 3).toLowerCase()) + 1 : number('month', 1)
  const day = number('day', 1)
  const half = parts.get('half')?.toLowerCase()
  const hour = half ? (number('hour', 12) % 12) + (half === 'pm' ? 12 : 0) : number('hour', 0)
  const [minute, second] = [number('minute', 0), number('second', 0)]
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 61) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCDate() !== day) return null
  const days = date.getTime() + (parts.has('dayOfYear') ? number('dayOfYear', 1) - 1 : 0) * 86_400_000
  const fraction = Number((parts.get('fraction') ?? '').padEnd(6, '0')) / 1000
  return days + ((hour * 60 + minute) * 60 + second) * 1000 + fraction - parseZoneMs(parts.get('zone'))
}

function parseZoneMs(zone: string | undefined): number {
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '')
  return parts ? (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) * 60_000 : 0
}

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** A text without a zone is UTC, unlike in `Date.parse`, where one with a time is local. */
function parseIsoTime(text: string): number | null {
  const parts = iso.exec(text.trim())
  if (!parts) return null
  const [, date, time = '00:00:00', zone = 'Z'] = parts
  return finiteOrNull(Date.parse(`${date}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`))
}
