import { daysInMonth, naiveTime, toDateParts, type NaiveTime } from './naive-time.ts'

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2}(?:\.\d{1,6})?))?)?\s*(?<half>[ap]m)?`
const zone = String.raw`\s*(?<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?`

/** Formats of a date. Missing parts default to 1 January of the current year, as in the reference. */
const dates = [
  String.raw`(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`,
  String.raw`(?<year>\d{4})-w(?<week>\d{2})`,
  String.raw`(?<first>\d{1,2})[-/](?<next>\d{1,2})[-/](?<year>\d{4})`,
  String.raw`(?<name>${months})\.?(?:\s+(?<day>\d{1,2})(?:st|nd|rd|th)?)?(?:,?\s+(?<year>\d{4}))?`,
  String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<name>${months})\.?(?:,?\s+(?<year>\d{4}))?`,
  String.raw`(?<day>\d{1,2})`,
]
const patterns = [
  ...dates.map((date) => new RegExp(String.raw`^${date}(?:(?:t|\s+|,\s*)${clock}${zone})?$`, 'i')),
  new RegExp(`^${clock}${zone}$`, 'i'),
]

export interface AbsoluteTime {
  time: NaiveTime
  /** The text contained a time zone; `time` is then in UTC. */
  zoned: boolean
}

/**
 * Parses a written date or time: ISO, `01/02/2020` (month first), `5 January 2020`, `April`, `10:30`, a day of the month alone.
 * @returns null for any other text, or for a day that does not exist
 */
export function parseAbsoluteTime(text: string, now: NaiveTime): AbsoluteTime | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(text.trim())?.groups
    if (groups) return fromGroups(groups, now)
  }
  return null
}

function fromGroups(groups: Record<string, string | undefined>, now: NaiveTime): AbsoluteTime | null {
  const date = toDate(groups, now)
  const time = parseClock(groups)
  if (date === null || time === null) return null
  const minutes = offsetMinutes(groups['zone'])
  return { time: date + time - (minutes ?? 0) * 60_000, zoned: minutes !== null }
}

function toDate(groups: Record<string, string | undefined>, now: NaiveTime): NaiveTime | null {
  const year = Number(groups['year'] ?? toDateParts(now).year)
  if (year < 1) return null
  if (groups['week']) return startOfIsoWeek(year, Number(groups['week']))
  const [month, day] = monthAndDay(groups)
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return naiveTime(year, month, day)
}

function monthAndDay({ name, month, day, first, next }: Record<string, string | undefined>): [number, number] {
  if (name) return [monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(day ?? 1)]
  if (!first || !next) return [Number(month ?? 1), Number(day ?? 1)]
  return Number(first) > 12 ? [Number(next), Number(first)] : [Number(first), Number(next)]
}

function startOfIsoWeek(year: number, week: number): NaiveTime | null {
  const fourth = naiveTime(year, 1, 4)
  return week < 1 || week > 53 ? null : fourth + ((week - 1) * 7 - toDateParts(fourth).weekday) * 86_400_000
}

/** Milliseconds since midnight. */
export function parseClock(groups: Record<string, string | undefined>): number | null {
  if (groups['hour'] === undefined) return 0
  const half = groups['half']?.toLowerCase()
  const hour = Number(groups['hour'])
  const minute = Number(groups['minute'] ?? 0)
  const second = Number(groups['second'] ?? 0)
  if (half ? hour < 1 || hour > 12 : hour > 23) return null
  if (minute > 59 || second >= 60) return null
  const inDay = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour
  return (inDay * 60 + minute) * 60_000 + second * 1000
}

function offsetMinutes(zone: string | undefined): number | null {
  if (!zone) return null
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0
}
