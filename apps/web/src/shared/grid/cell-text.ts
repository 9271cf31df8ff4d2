import { formatter, isNonAdditiveName } from '@parquetry/charts'
import { cellAt, genericOf, isNull, numberAt, textAt, type Column } from '@parquetry/frame'

/** Time zone in which zoned times are shown: the clock of filters, time ranges, buckets and charts. */
export const displayTimeZone = 'UTC'

const clocks = new Map<string, Intl.DateTimeFormat>()
function clockIn(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone)
  if (!clock)
    clocks.set(
      zone,
      (clock = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
        calendar: 'gregory',
        numberingSystem: 'latn',
      })),
    )
  return clock
}

/** Formatting options of cells. */
export interface CellFormatOptions {
  zone: string
  /** BCP 47 tag. */
  locale: string
  /** Number formats by column name, where the metric has one. */
  formats?: Record<string, string | null> | undefined
}

/**
 * Text of a cell; null for null. Columns with fractions are shown with separators and without floating-point noise, or in the
 * format of their metric; columns of whole numbers keep every digit. Zoned times are shown in `zone`, others unchanged, without a
 * time of day where all of them are midnights. Copying and the viewer use the full value.
 */
export function formatCell(
  column: Column,
  row: number,
  { zone, locale, formats = {} }: CellFormatOptions,
): string | null {
  if (isNull(column, row)) return null
  if (genericOf(column) === 0)
    return formatNumberCell(column, row, locale, Object.hasOwn(formats, column.name) ? formats[column.name] : null)
  if (column.kind !== 'time') return textAt(column, row)
  const text = textAt(column, row)
  if (text === null || column.unit === 'date') return text
  if (column.unit === 'datetime')
    return areMidnights(column) ? text.slice(0, text.indexOf('T')) : text.replace('T', ' ')
  const ms = cellAt(column, row) as number
  const fraction = /\.\d+/.exec(text)?.[0] ?? ''
  // Years that the browser's calendar formats differently stay in UTC, where they are exact.
  if (!/^\d{4}-/.test(text)) return text.replace('T', ' ')
  return `${clockIn(zone).format(ms)}${fraction}`
}

function formatNumberCell(
  column: Column,
  row: number,
  locale: string,
  format: string | null | undefined,
): string | null {
  const text = textAt(column, row)
  const number = numberAt(column, row)
  if (text === null || number === null) return text
  if (format) return getFormatter(format, locale)(number)
  if (!hasFractions(column) || text.includes('e')) return text
  if (isNonAdditiveName(column.name))
    return column.kind === 'number' ? getFormatter('PLAIN_NUMBER', locale)(number) : text
  return column.kind === 'number' ? getFormatter('ALL_DIGITS', locale)(number) : formatExactNumber(text, locale)
}

const fractions = new WeakMap<Column, boolean>()
/** Returns whether a column has fractions, so that all its numbers are formatted alike. Computed once. */
function hasFractions(column: Column): boolean {
  let found = fractions.get(column)
  if (found === undefined) {
    found =
      column.kind === 'decimal'
        ? column.scale > 0
        : column.kind === 'number' &&
          column.data.some((value, row) => !Number.isInteger(value) && Number.isFinite(value) && !isNull(column, row))
    fractions.set(column, found)
  }
  return found
}

/** Formats a number of any size, such as `-1234.50`, with all its digits and zeros; other text is unchanged. */
export function formatExactNumber(text: string, locale: string): string {
  const [, minus = '', whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return text
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(BigInt(whole))
  const sign = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const before = parts.filter(({ type }) => type !== 'decimal' && type !== 'fraction').map(({ value }) => value)
  return `${minus}${before.join('')}${fraction === undefined ? '' : sign + fraction}`
}

const writers = new Map<string, ReturnType<typeof formatter>>()
function getFormatter(format: string, locale: string): ReturnType<typeof formatter> {
  const key = `${locale} ${format}`
  let write = writers.get(key)
  if (!write) writers.set(key, (write = formatter(format, locale)))
  return write
}

const midnights = new WeakMap<Column, boolean>()
/** Returns whether no time of a column has a time of day. Computed once. */
function areMidnights(column: Extract<Column, { kind: 'time' }>): boolean {
  let found = midnights.get(column)
  if (found === undefined)
    midnights.set(column, (found = column.data.every((ms, row) => isNull(column, row) || ms % 86_400_000 === 0)))
  return found
}

/** Formats a JSON list or object with one value per line. Numbers are not parsed, so that none loses digits. */
export function indentJson(text: string): string {
  let depth = 0
  let isQuoted = false
  let out = ''
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index]!
    if (isQuoted) {
      out += sign
      if (sign === '\\') out += text[(index += 1)] ?? ''
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') {
      isQuoted = true
      out += sign
    } else if (sign === '{' || sign === '[') {
      const empty = /^[{[]\s*[}\]]/.exec(text.slice(index, index + 64))
      if (empty) {
        out += `${sign}${sign === '{' ? '}' : ']'}`
        index += empty[0].length - 1
        continue
      }
      depth += 1
      out += sign + line()
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      out += line() + sign
    } else if (sign === ',') out += sign + line()
    else if (sign === ':') out += ': '
    else if (!/\s/.test(sign)) out += sign
  }
  return out
}

/** Returns whether a text is worth the viewer: JSON lists and objects, several lines, or longer than a cell shows. */
export const isLong = (text: string): boolean => text.length > 60 || /[\n\r]/.test(text) || /^\s*[[{]/.test(text)
