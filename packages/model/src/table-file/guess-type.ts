import type { NumberStyle } from './numbers.ts'
import {
  hasClock,
  hasZone,
  recognizedTimeFormats,
  shortYearFormats,
  swapDayAndMonth,
  type TimeFormat,
} from './times.ts'
import { matchesReading, nullMarkers, type Reading } from './types.ts'

/**
 * What a user should know about a guess. `order`: day and month could be exchanged. `grouped`: commas or spaces were taken for
 * thousands separators. `zone`: times with an offset become UTC. The others say why a column stays text: as numbers its values
 * would lose leading zeros (`zeros`), a plus sign (`plus`) or digits (`digits`), `scientific` codes such as 1E5 would become numbers,
 * `separator` is the decimal separator of another number format, `formats` are dates of several formats, and `percent`, `currency`, `words`, `fraction` and `century` are
 * read only when a user chooses so.
 */
export type NoteKind =
  | 'order'
  | 'grouped'
  | 'zone'
  | 'zeros'
  | 'plus'
  | 'digits'
  | 'scientific'
  | 'separator'
  | 'percent'
  | 'currency'
  | 'words'
  | 'fraction'
  | 'century'
  | 'formats'

/** A note with the readings to choose from: the guessed one first, then the ones that one click chooses. */
export interface GuessNote {
  kind: NoteKind
  readings: Reading[]
}

export interface TypeGuess extends Reading {
  note: GuessNote | null
}

const text: Reading = { type: 'text', format: null }
const exactly = (type: Reading['type'], format: Reading['format'] = null): Reading => ({ type, format, exact: true })
const quickCheckCount = 10

/**
 * Returns the type that all values of a column have and that gives their texts back; empty texts do not count.
 * @param nulls  words that mean null, which do not count either
 */
export function guessType(values: readonly string[], style: NumberStyle, nulls: readonly string[] = []): TypeGuess {
  const words = new Set(nulls)
  const told = values.map((value) => value.trim()).filter((value) => value !== '' && !words.has(value))
  if (told.length === 0) return { ...text, note: null }
  const all = (reading: Reading) =>
    // The first values decide for most columns.
    told.slice(0, quickCheckCount).every((value) => matchesReading(value, reading, style)) &&
    told.every((value) => matchesReading(value, reading, style))
  const guess = (reading: Reading, kind?: NoteKind, others: Reading[] = [text]): TypeGuess => ({
    ...reading,
    note: kind ? { kind, readings: [reading, ...others] } : null,
  })

  if (all(exactly('boolean'))) return guess(exactly('boolean'))
  if (all(exactly('integer'))) return guess(exactly('integer'))
  if (all(exactly('decimal')) && told.some((value) => /[.,]/.test(value) || /e[+-]/i.test(value)))
    return guess(exactly('decimal'))
  for (const type of ['integer', 'decimal'] as const)
    if (all(exactly(type, 'grouped')) && told.some((value) => !matchesReading(value, exactly(type), style)))
      return guess(exactly(type, 'grouped'), 'grouped')
  if (all(exactly('date', 'iso'))) return guess(exactly('date', 'iso'))
  if (all(exactly('datetime', 'iso'))) return guess(exactly('datetime', 'iso'), told.some(hasZone) ? 'zone' : undefined)
  for (const format of recognizedTimeFormats) {
    const reading = timeReading(format)
    if (!all(reading)) continue
    const swapped = swapDayAndMonth(format)
    const isAmbiguous = swapped !== null && all(timeReading(swapped))
    return isAmbiguous ? guess(reading, 'order', [timeReading(swapped), text]) : guess(reading)
  }
  return { ...text, note: explainText(told, style) }
}

const timeReading = (format: TimeFormat): Reading => exactly(hasClock(format) ? 'datetime' : 'date', format)

/** Why a column whose values look like another type stays text; usual words for null do not count. */
function explainText(told: readonly string[], style: NumberStyle): GuessNote | null {
  const words = new Set<string>(nullMarkers)
  const likely = told.filter((value) => !words.has(value))
  if (likely.length === 0) return null
  const all = (reading: Reading, as = style) => likely.every((value) => matchesReading(value, reading, as))
  const note = (kind: NoteKind, ...others: Reading[]): GuessNote => ({ kind, readings: [text, ...others] })
  const decimal: Reading = { type: 'decimal', format: 'rounded' }
  if (all(decimal)) {
    const candidates: Reading[] = [
      { type: 'integer', format: null },
      { type: 'decimal', format: null },
    ]
    const number = candidates.find((reading) => all(reading)) ?? decimal
    // Words for null alone keep these from being numbers or times, which is reported with the words.
    if (
      likely.length < told.length &&
      (all({ ...number, exact: true }) || all({ ...number, format: 'grouped', exact: true }))
    )
      return null
    if (likely.some((value) => /^[+-]?0\d/.test(value))) return note('zeros', number)
    if (likely.some((value) => value.startsWith('+'))) return note('plus', number)
    if (all(exactly('decimal'))) return note('scientific', number)
    return note('digits', number)
  }
  const times = [exactly('date', 'iso'), exactly('datetime', 'iso'), ...recognizedTimeFormats.map(timeReading)]
  if (likely.length < told.length && times.some((reading) => all(reading))) return null
  const percent: Reading = { type: 'decimal', format: 'percent' }
  if (all(percent)) return note('percent', percent)
  for (const type of ['integer', 'decimal'] as const)
    if (all({ type, format: 'currency' })) return note('currency', { type, format: 'currency' })
  if (all({ type: 'boolean', format: null })) return note('words', { type: 'boolean', format: null })
  if (all({ type: 'datetime', format: 'iso' })) return note('fraction', { type: 'datetime', format: 'iso' })
  const short = shortYearFormats.filter((format) => all({ type: 'date', format }))
  if (short.length > 0) return note('century', ...short.map((format): Reading => ({ type: 'date', format })))
  if (all(decimal, { decimal: style.decimal === '.' ? ',' : '.' })) return note('separator')
  const isTime = (value: string) => times.some((reading) => matchesReading(value, reading, style))
  return likely.slice(0, quickCheckCount).every(isTime) && likely.every(isTime) ? note('formats') : null
}

/**
 * Returns the reading of more than half of the values of a text column; null if there is none, or if a note explains the column.
 * @param nulls  words that mean null
 */
export function guessMajorityType(
  values: readonly string[],
  style: NumberStyle,
  nulls: readonly string[] = [],
): Reading | null {
  const words = new Set(nulls)
  const told = values.map((value) => value.trim()).filter((value) => value !== '' && !words.has(value))
  if (told.length === 0 || explainText(told, style)) return null
  const readings = [
    exactly('integer'),
    exactly('decimal'),
    exactly('date', 'iso'),
    exactly('datetime', 'iso'),
    ...recognizedTimeFormats.map(timeReading),
  ]
  let best: { reading: Reading; count: number } | null = null
  for (const reading of readings) {
    if (!told.slice(0, quickCheckCount).some((value) => matchesReading(value, reading, style))) continue
    const count = told.filter((value) => matchesReading(value, reading, style)).length
    if (count > told.length / 2 && count > (best?.count ?? 0)) best = { reading, count }
  }
  return best?.reading ?? null
}
