import { parseAbsoluteTime, parseClock } from './absolute.ts'
import {
  addUnits,
  lastDay,
  midnight,
  naiveTime,
  toDateParts,
  truncate,
  type NaiveTime,
  type Unit,
} from './naive-time.ts'

const numberWords = 'a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'
const count = String.raw`(?<sign>\s*-\s?)?(?<count>\d+(?:\.\d+)?|\b(?:${numberWords})\b)`
const unit = String.raw`(?<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|quarters?|years?|yrs?)\b`
const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekday = String.raw`(?<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b`
const month = String.raw`\b(?<month>jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|august|september|october|november|december)\b`

/** State of parsing; `timed` is set when the text contains a time of day, otherwise the result is a midnight. */
interface Reading {
  time: NaiveTime
  timed: boolean
}
type Groups = Record<string, string | undefined>

/** Tried in this order at each position of the text; unmatched text is skipped, as in the reference. */
const phrases: [RegExp, (reading: Reading, groups: Groups, now: NaiveTime) => Reading][] = [
  [
    new RegExp(String.raw`${count}\s*${unit}\s+(?<direction>ago|earlier|before|prior|later|after|hence|from)\b`, 'iy'),
    shift,
  ],
  [new RegExp(String.raw`${count}\s*${unit}`, 'iy'), shift],
  [/\bnow\b/iy, (_, __, now) => ({ time: now, timed: true })],
  [/\btoday\b/iy, (_, __, now) => ({ time: midnight(now), timed: false })],
  [/\byesterday\b/iy, (reading) => ({ ...reading, time: addUnits(reading.time, -1, 'day') })],
  [/\btomorrow\b/iy, (reading) => ({ ...reading, time: addUnits(reading.time, 1, 'day') })],
  [/\b(?<hour>noon|midnight)\b/iy, ({ time }, { hour }) => atClock(time, hour === 'noon' ? 12 * 3_600_000 : 0)],
  [/\b(?<which>last|next|this)\s+(?<unit>day|week|month|year)s?\b/iy, namedUnit],
  [new RegExp(String.raw`\b(?:(?<which>last|next|this)\s+)?${weekday}`, 'iy'), namedWeekday],
  [/\b(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?\s*(?<half>[ap]m)?\b/iy, clock],
  [/\b(?<hour>\d{1,2})\s*(?<half>[ap]m)\b/iy, clock],
  [
    /\b\d{4}-\d{2}-\d{2}\b/iy,
    (reading, { text = '' }, now) => ({ ...reading, time: parseAbsoluteTime(text, now)?.time ?? NaN }),
  ],
  [new RegExp(month, 'iy'), nextMonth],
]

/**
 * Parses English text such as `3 weeks ago`, `yesterday`, `last monday`, `2 days before today`, relative to `now`. Unknown words
 * are skipped, so `Last two days` means two days later.
 * @returns null when no part of the text is understood
 */
export function parseRelativeTime(text: string, now: NaiveTime): NaiveTime | null {
  const wanted = inReadingOrder(text)
  let reading: Reading | null = null
  let at = 0
  while (at < wanted.length) {
    const hit = phraseAt(wanted, at)
    if (hit) {
      const [apply, groups, end] = hit
      reading = apply(reading ?? { time: now, timed: false }, groups, now)
      at = end
    } else at = wordEnd(wanted, at)
  }
  if (!reading || Number.isNaN(reading.time)) return null
  return reading.timed ? reading.time : midnight(reading.time)
}

/** Moves the anchor of `2 weeks before today` to the front. */
const inReadingOrder = (text: string) =>
  text.replace(
    /^(.*\b(?:before|after|from))\s+(now|today|yesterday|tomorrow|noon|midnight|\d{4}-\d{2}-\d{2})\s*$/i,
    '$2 $1',
  )

function phraseAt(text: string, at: number) {
  for (const [pattern, apply] of phrases) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) return [apply, { ...match.groups, text: match[0] }, at + match[0].length] as const
  }
  return null
}

const word = /[\p{L}\d]+[\p{L}\d.-]*|[^\p{L}\d]+/uy

/** Start of the next word, so that no phrase starts inside a word. */
function wordEnd(text: string, at: number): number {
  word.lastIndex = at
  return at + (word.exec(text)?.[0].length ?? 1)
}

/** A negative span reverses the direction: `-3 days` is three days ago, `-3 days ago` three days later. */
function shift(
  reading: Reading,
  { sign: minus, count: amount = '', unit: name = '', direction = '' }: Groups,
): Reading {
  const size = /^\d/.test(amount)
    ? Number(amount)
    : Math.max(1, numberWords.split('|').indexOf(amount.toLowerCase()) - 1)
  const unitName = toUnit(name)
  const sign = /^(ago|earlier|before|prior)$/i.test(direction) === (minus === undefined) ? -1 : 1
  const timed = reading.timed || ['hour', 'minute', 'second'].includes(unitName)
  const integerSize = ['month', 'quarter', 'year'].includes(unitName) ? Math.trunc(size) : size
  return { time: addUnits(reading.time, sign * integerSize, unitName), timed }
}

const unitByStart: Readonly<Record<string, Unit>> = {
  se: 'second',
  mi: 'minute',
  ho: 'hour',
  hr: 'hour',
  da: 'day',
  we: 'week',
  wk: 'week',
  mo: 'month',
  qu: 'quarter',
}

function toUnit(name: string): Unit {
  const start = name.toLowerCase().slice(0, 2)
  return unitByStart[start] ?? 'year'
}

/** The next month and year are their first day, this one its last day, as in the reference. */
function namedUnit(reading: Reading, { which = '', unit: name = '' }: Groups): Reading {
  const named = name.toLowerCase() as 'day' | 'week' | 'month' | 'year'
  const step = { last: -1, this: 0, next: 1 }[which.toLowerCase()] ?? 0
  if (step === 0) return { ...reading, time: named === 'day' ? reading.time : lastDay(reading.time, named) }
  if (step > 0 && (named === 'month' || named === 'year')) {
    return { ...reading, time: addUnits(truncate(reading.time, named), 1, named) }
  }
  return { ...reading, time: addUnits(reading.time, step, named) }
}

/** `last`: the most recent one before today; `this`: the one of this week; `next`: the one of next week; alone: the first after today. */
function namedWeekday(reading: Reading, { which = '', weekday: name = '' }: Groups): Reading {
  const ahead = weekdayNames.indexOf(name.slice(0, 3).toLowerCase()) - toDateParts(reading.time).weekday
  const coming = ahead > 0 ? ahead : ahead + 7
  const days = { last: ahead < 0 ? ahead : ahead - 7, this: ahead, next: ahead + 7 }[which.toLowerCase()] ?? coming
  return { ...reading, time: addUnits(reading.time, days, 'day') }
}

const atClock = (time: NaiveTime, sinceMidnightMs: number): Reading => ({
  time: midnight(time) + sinceMidnightMs,
  timed: true,
})

function clock(reading: Reading, groups: Groups): Reading {
  return atClock(reading.time, parseClock(groups) ?? NaN)
}

function nextMonth(reading: Reading, { month: name = '' }: Groups): Reading {
  const { year, month: current } = toDateParts(reading.time)
  const wanted = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].indexOf(
    name.slice(0, 3).toLowerCase(),
  )
  return { ...reading, time: naiveTime(wanted + 1 > current ? year : year + 1, wanted + 1) }
}
