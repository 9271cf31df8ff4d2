import { addUnits, daysInMonth, naiveTime, toDateParts, type NaiveTime, type Unit } from './naive-time.ts'

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekdays = 'mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?'

const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2}(?:\.\d{1,6})?))?)?\s*(?<half>[ap]m)?`
const zone = String.raw`\s*(?<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?`

/**
 * Formats of a date. Missing parts default to 1 January of the current year, as in the reference; a weekday alone is the first one
 * on or after that day.
 */
const dates = [
  String.raw`(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`,
  String.raw`(?<year>\d{4})-w(?<week>\d{2})`,
  String.raw`(?<year>\d{4})-q(?<quarter>[1-4])`,
  String.raw`(?<first>\d{1,2})[-/](?<next>\d{1,2})[-/](?<year>\d{4})`,
  String.raw`(?<name>${months})\.?(?:\s+(?<day>\d{1,2})(?:st|nd|rd|th)?)?(?:,?\s+(?<year>\d{4}))?`,
  String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<name>${months})\.?(?:,?\s+(?<year>\d{4}))?`,
  String.raw`(?<day>\d{1,2})`,
  String.raw`(?<weekday>${weekdays})\.?`,
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
 * Parses a written date or time: ISO, `2020-Q1`, `01/02/2020` (month first), `5 January 2020`, `April`, `10:30`, a day of the month
 * or a weekday alone.
 * @returns null for any other text, or for a day that does not exist
 */
export function parseAbsoluteTime(text: string, now: NaiveTime): AbsoluteTime | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(text.trim())?.groups
    if (groups) return fromGroups(groups, now)
  }
  return null
}

/** Dates that name a whole period, with its unit. */
const periods: [RegExp, Unit][] = [
  [/^\d{4}$/, 'year'],
  [/^\d{4}-q[1-4]$/i, 'quarter'],
  [/^\d{4}-\d{1,2}$/, 'month'],
  [/^\d{4}-w\d{2}$/i, 'week'],
  [/^\d{4}-\d{1,2}-\d{1,2}$/, 'day'],
]

/**
 * Parses an ISO date as the period that it names: `2020`, `2020-Q1`, `2020-05`, `2020-W05`, `2020-05-03`.
 * @returns its start and the start of the next period; null for any other text
 */
export function parsePeriod(text: string, now: NaiveTime): { from: NaiveTime; to: NaiveTime } | null {
  const unit = periods.find(([pattern]) => pattern.test(text))?.[1]
  const from = unit && parseAbsoluteTime(text, now)?.time
  return unit === undefined || from === undefined ? null : { from, to: addUnits(from, 1, unit) }
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
  if (groups['quarter']) return naiveTime(year, Number(groups['quarter']) * 3 - 2)
  if (groups['weekday']) return firstWeekday(year, weekdayNames.indexOf(groups['weekday'].slice(0, 3).toLowerCase()))
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

function firstWeekday(year: number, weekday: number): NaiveTime {
  const first = naiveTime(year)
  return addUnits(first, (weekday - toDateParts(first).weekday + 7) % 7, 'day')
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
