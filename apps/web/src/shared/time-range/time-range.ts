import { addDays } from './calendar.ts'

/** Time ranges as text and as the picker edits them. Only the server resolves a text to instants: `GET /api/v1/time_range/`. */
export const noTimeFilter = 'No filter'

/** Choices of the modes Last and Previous, which the API calls Common and Calendar (TIME-002, TIME-004, TIME-005). */
export const lastRanges = ['Last day', 'Last week', 'Last month', 'Last quarter', 'Last year'] as const
export const previousRanges = [
  'previous calendar week',
  'previous calendar month',
  'previous calendar quarter',
  'previous calendar year',
] as const
/** Choices of the mode Current, which later releases of the API have. */
export const currentRanges = [
  'Current day',
  'Current week',
  'Current month',
  'Current quarter',
  'Current year',
] as const
const defaultLast = 'Last week'
const defaultPrevious = 'previous calendar week'
const defaultCurrent = 'Current week'

/** TIME-001 and Current, in the order of the picker. */
export const timeModes = ['Last', 'Previous', 'Current', 'Custom', 'Advanced', 'No filter'] as const
export type TimeMode = (typeof timeModes)[number]

export const timeUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type TimeUnit = (typeof timeUnits)[number]

export type SideMode = 'specific' | 'relative' | 'now' | 'today'

/** TIME-010. Quantities are 1 or more (TIME-015); `sinceWay` and `untilWay` hold Before and After (TIME-013). */
export interface CustomRange {
  sinceMode: SideMode
  sinceDatetime: string
  sinceGrain: TimeUnit
  sinceGrainValue: number
  sinceWay: 'before' | 'after'
  untilMode: SideMode
  untilDatetime: string
  untilGrain: TimeUnit
  untilGrainValue: number
  untilWay: 'before' | 'after'
  /** Relative sides count from one anchor (TIME-019). */
  anchorMode: 'now' | 'specific'
  anchorValue: string
}

/** TIME-020: from 7 days before midnight today to midnight today. */
export const defaultCustomRange: CustomRange = {
  sinceMode: 'relative',
  sinceDatetime: '',
  sinceGrain: 'day',
  sinceGrainValue: 7,
  sinceWay: 'before',
  untilMode: 'today',
  untilDatetime: '',
  untilGrain: 'day',
  untilGrainValue: 7,
  untilWay: 'after',
  anchorMode: 'now',
  anchorValue: 'now',
}

const separator = ' : '
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/
const dateAdd = /^DATEADD\(DATETIME\("([^"]*)"\),\s*([+-]?\d+),\s*([A-Za-z]+)\)$/

interface Side {
  mode: SideMode
  datetime: string
  grain: TimeUnit
  value: number
  way: 'before' | 'after'
  anchor: string | null
}

const plain = { datetime: '', grain: 'day', value: 7, way: 'before', anchor: null } as const

/** Parses one side of a custom range; null for anything that the Custom mode cannot show (TIME-016 to TIME-018). */
function readSide(text: string): Side | null {
  const lower = text.toLowerCase()
  if (lower === 'now' || lower === 'today') return { ...plain, mode: lower }
  if (isoDate.test(text)) return { ...plain, mode: 'specific', datetime: text.replace(' ', 'T') }
  const [, anchor = '', amount = '', unit = ''] = dateAdd.exec(text) ?? []
  const grain = timeUnits.find((each) => each === unit.toLowerCase())
  const value = Number(amount)
  if (!grain || !Number.isSafeInteger(value) || value === 0) return null
  return { mode: 'relative', datetime: '', grain, value: Math.abs(value), way: value < 0 ? 'before' : 'after', anchor }
}

/** Parses the fields of a custom range; null for other text (TIME-016, TIME-019). */
export function parseCustomRange(range: string): CustomRange | null {
  const [sinceText, untilText, ...more] = range.split(separator)
  if (sinceText === undefined || untilText === undefined || more.length > 0) return null
  const since = readSide(sinceText.trim())
  const until = readSide(untilText.trim())
  if (!since || !until) return null
  if (since.anchor !== null && until.anchor !== null && since.anchor !== until.anchor) return null
  const anchor = since.anchor ?? until.anchor ?? 'now'
  const isMoving = ['now', 'today'].includes(anchor.toLowerCase())
  return {
    sinceMode: since.mode,
    sinceDatetime: since.datetime,
    sinceGrain: since.grain,
    sinceGrainValue: since.value,
    sinceWay: since.way,
    untilMode: until.mode,
    untilDatetime: until.datetime,
    untilGrain: until.grain,
    untilGrainValue: until.value,
    untilWay: until.mode === 'relative' ? until.way : 'after',
    anchorMode: isMoving ? 'now' : 'specific',
    anchorValue: anchor,
  }
}

/** Formats a custom range. Without a specific date, the anchor is midnight today, or now where `usesNow`. */
export function formatCustomRange(range: CustomRange): string {
  const anchor =
    range.anchorMode === 'specific'
      ? range.anchorValue
      : range.anchorValue.toLowerCase() === 'now' && usesNow(range)
        ? 'now'
        : 'today'
  const side = (mode: SideMode, datetime: string, value: number, way: 'before' | 'after', grain: TimeUnit) => {
    if (mode === 'specific') return datetime
    if (mode !== 'relative') return mode
    return `DATEADD(DATETIME("${anchor}"), ${way === 'before' ? -value : value}, ${grain})`
  }
  return [
    side(range.sinceMode, range.sinceDatetime, range.sinceGrainValue, range.sinceWay, range.sinceGrain),
    side(range.untilMode, range.untilDatetime, range.untilGrainValue, range.untilWay, range.untilGrain),
  ].join(separator)
}

/** Returns whether midnight would be the wrong anchor: a unit below a day, or the other side is now. */
const usesNow = (range: CustomRange): boolean =>
  range.sinceMode === 'now' ||
  range.untilMode === 'now' ||
  [range.sinceMode === 'relative' && range.sinceGrain, range.untilMode === 'relative' && range.untilGrain].some(
    (grain) => grain === 'second' || grain === 'minute' || grain === 'hour',
  )

/** Returns the invalid field; null when all are valid. */
export const validateCustomRange = (range: CustomRange): 'since' | 'until' | 'anchor' | null => {
  const isBad = (mode: SideMode, datetime: string, value: number) =>
    (mode === 'specific' && !isoDate.test(datetime)) ||
    (mode === 'relative' && !(Number.isSafeInteger(value) && value >= 1))
  if (isBad(range.sinceMode, range.sinceDatetime, range.sinceGrainValue)) return 'since'
  if (isBad(range.untilMode, range.untilDatetime, range.untilGrainValue)) return 'until'
  return range.anchorMode === 'specific' && !isoDate.test(range.anchorValue) ? 'anchor' : null
}

/** TIME-006: returns the mode that shows a text. */
export function detectTimeMode(range: string): TimeMode {
  if ((lastRanges as readonly string[]).includes(range)) return 'Last'
  if ((previousRanges as readonly string[]).includes(range)) return 'Previous'
  if ((currentRanges as readonly string[]).includes(range)) return 'Current'
  if (range === noTimeFilter || range === '') return 'No filter'
  return parseCustomRange(range) ? 'Custom' : 'Advanced'
}

/** Returns the mode that the picker opens with: that of its range, or Last when there is none yet. */
export const initialTimeMode = (range: string): TimeMode => {
  const mode = detectTimeMode(range)
  return mode === 'No filter' ? 'Last' : mode
}

/** TIME-022: splits any range into two parts; a one-word form gets its implied end. */
export function parseAdvancedRange(range: string): [since: string, until: string] {
  const index = range.indexOf(separator)
  if (index >= 0) return [range.slice(0, index), range.slice(index + separator.length)]
  if (range === noTimeFilter) return ['', '']
  return range.startsWith('Next ') ? ['today', range] : [range, range.startsWith('Last ') ? 'today' : '']
}

export const formatAdvancedRange = (since: string, until: string): string =>
  `${since.trim()}${separator}${until.trim()}`

/** Returns the range that a mode starts with: the same text if the mode can show it, else its default. */
export function switchTimeMode(range: string, mode: TimeMode): string {
  if (detectTimeMode(range) === mode) return range
  switch (mode) {
    case 'Last':
      return defaultLast
    case 'Previous':
      return defaultPrevious
    case 'Current':
      return defaultCurrent
    case 'Custom':
      return formatCustomRange(parseCustomRange(range) ?? defaultCustomRange)
    case 'Advanced':
      return range === noTimeFilter ? formatAdvancedRange('', '') : formatAdvancedRange(...parseAdvancedRange(range))
    case 'No filter':
      return noTimeFilter
  }
}

const units: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', q: 'quarter', y: 'year' }

/**
 * Converts typed text to a range that every release of the API understands: `last 30 days`, `30d`, `2026`, `2026-Q1`, `2026-05`,
 * `2026-05-03`, `yesterday`, `today`, and any two sides. Null for all other text, of which the server knows more.
 */
export function parseTypedRange(text: string): string | null {
  const typed = text.trim()
  const lower = typed.toLowerCase()
  if (lower === 'no filter' || lower === '') return noTimeFilter
  if (lower === 'yesterday') return 'DATEADD(DATETIME("today"), -1, day) : today'
  if (lower === 'today') return 'today : DATEADD(DATETIME("today"), 1, day)'
  const known = [...lastRanges, ...previousRanges, ...currentRanges].find((range) => range.toLowerCase() === lower)
  if (known) return known
  const [, direction, count, unit] =
    /^(last|next) (\d+) (second|minute|hour|day|week|month|quarter|year)s?$/.exec(lower) ?? []
  if (direction && count && unit)
    return `${direction === 'last' ? 'Last' : 'Next'} ${count} ${unit}${count === '1' ? '' : 's'}`
  const [, short, letter] = /^(\d+) ?([dwmqy])$/.exec(lower) ?? []
  if (short && letter) return `Last ${short} ${units[letter]}${short === '1' ? '' : 's'}`
  if (/^\d{4}$/.test(lower)) return `${lower}-01-01${separator}${Number(lower) + 1}-01-01`
  const [, quarterYear, quarter] = /^(\d{4})-q([1-4])$/.exec(lower) ?? []
  if (quarterYear && quarter) return monthsRange(Number(quarterYear), Number(quarter) * 3 - 2, 3)
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(lower) ?? []
  if (year && month && Number(month) >= 1 && Number(month) <= 12) return monthsRange(Number(year), Number(month), 1)
  if (/^\d{4}-\d{2}-\d{2}$/.test(lower)) return isRealDay(lower) ? `${lower}${separator}${addDays(lower, 1)}` : null
  // An open end has lost its outer blank.
  const index = ` ${typed} `.indexOf(separator)
  return index < 0
    ? null
    : formatAdvancedRange(typed.slice(0, Math.max(0, index - 1)), typed.slice(index + separator.length - 1))
}

const pad = (n: number) => String(n).padStart(2, '0')

function monthsRange(year: number, month: number, count: number): string {
  const [nextYear, nextMonth] = month + count > 12 ? [year + 1, month + count - 12] : [year, month + count]
  return `${year}-${pad(month)}-01${separator}${nextYear}-${pad(nextMonth)}-01`
}

const isRealDay = (day: string) => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** Range of the days from `from` to `to`, both inclusive. */
export const formatDays = (from: string, to: string): string => `${from}T00:00:00${separator}${addDays(to, 1)}T00:00:00`
