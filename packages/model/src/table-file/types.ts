import { numberFormats, type NumberFormat, type NumberStyle, parseNumber } from './numbers.ts'
import { hasClock, parseTime, serialFormats, type TimeFormat, timeFormats } from './times.ts'

/** Column types for file values. `integer` has 64 bits, `decimal` is a double, or exact if its values have few decimal places. */
export const fileTypes = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime'] as const
export type FileType = (typeof fileTypes)[number]

export const columnFormats = ['iso', ...timeFormats, ...serialFormats, ...numberFormats] as const
export type ColumnFormat = TimeFormat | NumberFormat

/** How the texts of a column become values. */
export interface Reading {
  type: FileType
  /** Format of times or numbers; null for plain numbers and for types without formats. */
  format: ColumnFormat | null
  /**
   * Refuses texts that their value would not give back: leading zeros, plus signs, words as booleans, digits beyond microseconds.
   * Guesses are exact, so that nothing is lost silently; types that a user chose are not.
   */
  exact?: boolean
}

/** Words that usually mean null. They stay text unless a user chooses otherwise. */
export const nullMarkers = ['NULL', 'null', 'NA', 'N/A', 'n/a', '#N/A', 'None', 'NaN', 'nan', '-'] as const

const booleanWords: Record<string, boolean> = {
  true: true,
  t: true,
  yes: true,
  y: true,
  '1': true,
  false: false,
  f: false,
  no: false,
  n: false,
  '0': false,
}
/** Regular expressions of booleans, in lower case, for JavaScript and the engine. */
export const booleanPattern = (exact: boolean): string => (exact ? 'true|false' : Object.keys(booleanWords).join('|'))

const isNumberFormat = (format: ColumnFormat | null): format is NumberFormat =>
  numberFormats.some((each) => each === format)

/** Returns the format of numbers of a reading, which ignores one of times. */
export const numberFormatOf = ({ format }: Reading): NumberFormat | null => (isNumberFormat(format) ? format : null)
/** Returns the format of times of a reading: ISO if it has none. */
export const timeFormatOf = ({ format }: Reading): TimeFormat =>
  format === null || isNumberFormat(format) ? 'iso' : format

/**
 * Returns the value that a text has in a column, as canonical text: `1.5`, `true`, `2024-01-31`, `2024-01-31 08:15:00`. Spaces
 * around other values than texts are ignored.
 * @returns null for a text that is not a value of the column
 */
export function parseValue(text: string, reading: Reading, style: NumberStyle): string | null {
  const { type, exact = false } = reading
  const bare = text.trim()
  switch (type) {
    case 'text':
      return text
    case 'integer':
    case 'decimal':
      return parseNumber(bare, type, style, { format: numberFormatOf(reading), exact })
    case 'boolean': {
      const word = bare.toLowerCase()
      if (exact && word !== 'true' && word !== 'false') return null
      return Object.hasOwn(booleanWords, word) ? String(booleanWords[word]) : null
    }
    case 'date':
    case 'datetime':
      return parseTime(bare, type, { format: timeFormatOf(reading), exact })
  }
}

/** Returns true if the text is a valid value of the column. */
export const matchesReading = (text: string, reading: Reading, style: NumberStyle): boolean =>
  parseValue(text, reading, style) !== null

/** Formats that a user can choose for a type, the one that most columns have first. */
export function formatsFor(type: FileType): readonly (ColumnFormat | null)[] {
  if (type === 'integer') return [null, 'currency']
  if (type === 'decimal') return [null, 'percent', 'currency', 'rounded']
  if (type === 'date') return ['iso', ...timeFormats.filter((format) => !hasClock(format)), ...serialFormats]
  return type === 'datetime' ? ['iso', ...timeFormats, ...serialFormats] : []
}

/** Returns the first format of a type that reads most of the values. */
export function chooseFormat(type: FileType, values: readonly string[], style: NumberStyle): ColumnFormat | null {
  let best: { format: ColumnFormat | null; count: number } = { format: formatsFor(type)[0] ?? null, count: -1 }
  for (const format of formatsFor(type)) {
    const count = values.filter((value) => matchesReading(value, { type, format }, style)).length
    if (count > best.count) best = { format, count }
  }
  return best.format
}
