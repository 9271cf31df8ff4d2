import { AppError, message, type Message } from '@parquetry/model'
import { parseAbsoluteTime, parsePeriod } from './absolute.ts'
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

const units = 'day|week|month|quarter|year'
const separator = ' : '
const noTimeFilter = 'no filter'
const calendarPeriod = new RegExp(`^(previous calendar|current|this) (${units})$`, 'i')
const boundary = new RegExp(`^(start|beginning|end) of (this|last|next|prior)(?: (\\d+))? (${units})s?$`, 'i')
/** Except for `next month` and `next year`, which as English text begin on their first day. */
const relative = new RegExp(
  `^(?!next (?:month|year)s?$)(this|last|next|prior)(?: (\\d+))? (second|minute|hour|${units})s?$`,
  'i',
)

/**
 * Resolves a `time_range` at `now`: `No filter`, one word form (`Last week`, `previous calendar quarter`, `Current month`,
 * `2026-Q1`, `yesterday`) or two sides with ` : ` between them, of which each may be empty. Case does not matter. Without a text,
 * the range is from `since` to `until`, by default until today, as in the reference.
 * @throws AppError `invalid_query` for text that is not a range or ambiguous (`3 days`), or a start after the end
 */
export function resolveTimeRange(text: string | null | undefined, context: TimeRangeContext): TimeRange {
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
  const [since, until] = parseEnds(text ?? '', now, context)
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

type Ends = [Instant | null, Instant | null]

function parseEnds(text: string, now: NaiveTime, context: TimeRangeContext): Ends {
  // An open end may have lost its outer blank.
  const padded = ` ${text} `
  const index = padded.indexOf(separator)
  if (index < 0) return parseOneWord(text.trim().replace(/\s+/g, ' '), now, context)
  const [since, until] = [padded.slice(0, index), padded.slice(index + separator.length)]
  return [readSide(since, now, context), readSide(until, now, context)]
}

/** Parses a range without a separator. */
function parseOneWord(text: string, now: NaiveTime, context: TimeRangeContext): Ends {
  if (text === '') return parseSeparateEnds(now, context)
  if (text.toLowerCase() === noTimeFilter) return [null, null]
  const [, which, name] = calendarPeriod.exec(text) ?? []
  if (which) {
    const unit = unitNamed(name)
    const from = addUnits(truncate(now, unit), /^previous/i.test(which) ? -1 : 0, unit)
    return [naive(from), naive(addUnits(from, 1, unit))]
  }
  if (/^(last|prior) /i.test(text)) return [readSide(text, now, context), readTime(context.relativeEnd || 'today', now)]
  if (/^next /i.test(text)) return [readTime(context.relativeStart || 'today', now), readSide(text, now, context)]
  if (/^(yesterday|today|tomorrow)$/i.test(text)) {
    const { time } = readTime(text, now)
    return [naive(time), naive(addUnits(time, 1, 'day'))]
  }
  const period = parsePeriod(text, now)
  if (period === null) throw refuse(unknownTime(text))
  return [naive(period.from), naive(period.to)]
}

function parseSeparateEnds(now: NaiveTime, context: TimeRangeContext): Ends {
  const since = context.since?.replace(/^(\d+\s+(?:second|minute|hour|day|week|month|quarter|year)s?)$/, '$1 ago')
  return [since ? readTime(since, now) : null, readTime(context.until || context.relativeEnd || 'today', now)]
}

const naive = (time: NaiveTime): Instant => ({ time, zoned: false })

function readSide(given: string, now: NaiveTime, context: TimeRangeContext): Instant | null {
  const side = given.trim()
  if (side === '') return null
  if (/^(DATETIME|DATEADD|DATETRUNC|LASTDAY|HOLIDAY)/i.test(side)) {
    return evaluateExpression(side, now, (inside) => readTime(inside, now))
  }
  const words = side.replace(/\s+/g, ' ')
  const [, edge, scope, steps, period] = boundary.exec(words) ?? []
  if (edge) {
    const unit = unitNamed(period)
    const start = truncate(shiftedBy(scope, Number(steps ?? 1), unit, now, context), unit)
    return naive(/^end$/i.test(edge) ? addUnits(addUnits(start, 1, unit), -1, 'day') : start)
  }
  const [, direction, count, unit] = relative.exec(words) ?? []
  if (direction) return naive(shiftedBy(direction, Number(count ?? 1), unitNamed(unit), now, context))
  return readTime(side, now)
}

/** Moves the anchor of a relative side: `last` and `prior` back, `next` forward, `this` not at all. */
function shiftedBy(
  direction: string | undefined,
  count: number,
  unit: Unit,
  now: NaiveTime,
  { relativeStart, relativeEnd }: TimeRangeContext,
): NaiveTime {
  const isNext = direction?.toLowerCase() === 'next'
  const steps = direction?.toLowerCase() === 'this' ? 0 : isNext ? count : -count
  return addUnits(readTime((isNext ? relativeEnd : relativeStart) || 'today', now).time, steps, unit)
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
  if (relative === null) throw refuse(unknownTime(text))
  return naive(relative)
}

const unknownTime = (text: string) => message('errors.query.unknownTime', 'Cannot parse time string [{text}]', { text })

const refuse = (text: Message) => new AppError('invalid_query', { message: text })
