import { AppError, message, type Message } from '@parquetry/model'
import { parseAbsoluteTime } from './absolute.ts'
import { evaluateExpression } from './expression.ts'
import { addUnits, formatIso, isRepresentable, parseIso, truncate, type NaiveTime, type Unit } from './naive-time.ts'
import { parseRelativeTime } from './relative.ts'
import { parseShiftMs } from './time-shift.ts'

export interface TimeRangeContext {
  /** Server's wall clock in its own time zone, as ISO text without a zone; created by `formatLocalIso`. */
  now: string
  /** Anchor from which `Last` ranges count back, `today` (midnight) or `now`; `extras.relative_start`. */
  relativeStart?: string | null
  /** End of ranges that name none, and anchor from which `Next` counts forward; `extras.relative_end`. */
  relativeEnd?: string | null
  /** `1 year ago`: moves both ends back by this span, measured from `now`; an invalid text moves nothing. */
  timeShift?: string | null
  /** Ends in the old form without a range; `7 days` as `since` means `7 days ago`. */
  since?: string | null
  until?: string | null
}

/** Local times without a zone, `2024-01-01T00:00:00`; `since` is inclusive, `until` exclusive; null is open. */
export interface TimeRange {
  since: string | null
  until: string | null
}

/** Bounded because each word is tried against a dozen phrases. */
const maxTextLength = 1000

const noTimeFilter = 'No filter'
const separator = ' : '
const calendar = /^previous calendar (week|month|year)/

/**
 * Resolves a `time_range` at `now`, with the grammar of the reference of April 2023: outside of ` : `, keywords are
 * case-sensitive, and a text that is not a range means "until today".
 * @throws AppError `invalid_query` for text that is invalid or ambiguous (`3 days`), or a start after the end
 */
export function resolveTimeRange(text: string | null | undefined, context: TimeRangeContext): TimeRange {
  if (text === noTimeFilter) return { since: null, until: null }
  const longest = [text, ...Object.values(context)].find(
    (part) => typeof part === 'string' && part.length > maxTextLength,
  )
  if (longest)
    throw refuse(
      message('errors.query.timeRangeLength', 'A time range can have at most {max, number} characters.', {
        max: maxTextLength,
      }),
    )
  const now = parseIso(context.now)
  const [since, until] = parseEnds(withBothSides(text ?? '', context), now, context)
  const back = context.timeShift ? parseShiftMs(context.timeShift, now) : 0
  const from = since && { ...since, time: since.time - back }
  const to = until && { ...until, time: until.time - back }
  for (const side of [from, to])
    if (side && !isRepresentable(side.time))
      throw refuse(message('errors.query.timeRangeYears', 'The time range must be between the years 1 and 9999.'))
  if (from && to) {
    if (from.zoned !== to.zoned)
      throw refuse(
        message('errors.query.timeRangeZones', 'Both ends of a time range must have a time zone, or neither.'),
      )
    if (from.time > to.time)
      throw refuse(message('errors.query.timeRangeOrder', 'From date cannot be larger than to date'))
  }
  return { since: from && formatIso(from.time), until: to && formatIso(to.time) }
}

type Instant = { time: NaiveTime; zoned: boolean }

function withBothSides(text: string, { relativeStart, relativeEnd }: TimeRangeContext): string {
  if (text.includes(separator)) return text
  if (text.startsWith('Last')) return `${text}${separator}${relativeEnd || 'today'}`
  if (text.startsWith('Next')) return `${relativeStart || 'today'}${separator}${text}`
  return text
}

function parseEnds(text: string, now: NaiveTime, context: TimeRangeContext): [Instant | null, Instant | null] {
  const at = text.indexOf(separator)
  if (at >= 0) {
    const sides = [text.slice(0, at).trim(), text.slice(at + separator.length).trim()] as const
    return [readSide(sides[0], now, context), readSide(sides[1], now, context)]
  }
  const period = calendar.exec(text)?.[1] as Unit | undefined
  if (period) {
    const current = truncate(now, period)
    return [naive(addUnits(current, -1, period)), naive(current)]
  }
  const since = context.since?.replace(/^(\d+\s+(?:second|minute|hour|day|week|month|quarter|year)s?)$/, '$1 ago')
  return [since ? readTime(since, now) : null, readTime(context.until || context.relativeEnd || 'today', now)]
}

const naive = (time: NaiveTime): Instant => ({ time, zoned: false })

function readSide(side: string, now: NaiveTime, { relativeStart, relativeEnd }: TimeRangeContext): Instant | null {
  if (side === '') return null
  const [, lastUnit] = /^last\s+(day|week|month|quarter|year)$/i.exec(side) ?? []
  const [, direction, count, unit] =
    /^(last|next)\s+(\d+)\s+(second|minute|hour|day|week|month|year)s?$/i.exec(side) ?? []
  if (lastUnit || direction?.toLowerCase() === 'last') {
    const start = readTime(relativeStart || 'today', now)
    return naive(addUnits(start.time, -Number(count ?? 1), unitNamed(lastUnit ?? unit)))
  }
  if (direction) return naive(addUnits(readTime(relativeEnd || 'today', now).time, Number(count), unitNamed(unit)))
  if (/^(DATETIME|DATEADD|DATETRUNC|LASTDAY|HOLIDAY)/i.test(side)) {
    return evaluateExpression(side, now, (inside) => readTime(inside, now))
  }
  return readTime(side, now)
}

const unitNamed = (name: string | undefined) => name?.toLowerCase() as Unit

/** Parses one date text: a written date, otherwise English text relative to now. */
function readTime(text: string, now: NaiveTime): Instant {
  if (/^\s*\d+\s+(second|minute|hour|day|week|month|quarter|year)s?\s*$/i.test(text)) {
    throw refuse(
      message(
        'errors.query.ambiguousTime',
        'Time string is ambiguous. Please specify [{text} ago] or [{text} later].',
        { text },
      ),
    )
  }
  const absolute = parseAbsoluteTime(text, now)
  if (absolute) return absolute
  const relative = parseRelativeTime(text, now)
  if (relative === null)
    throw refuse(message('errors.query.unknownTime', 'Cannot parse time string [{text}]', { text }))
  return naive(relative)
}

const refuse = (text: Message) => new AppError('invalid_query', { message: text })
