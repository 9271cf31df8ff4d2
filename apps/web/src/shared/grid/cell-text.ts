import { cellAt, isNull, textAt, type Column } from '@parquetry/frame'

/** Stands for null, which is no empty text. */
export const nullSign = '∅'

/** The zone in which times with a zone are shown. */
export const shownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

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

/** What a cell shows; null for null. Times with a zone stand in `zone`, others as they came; numbers keep all their digits. */
export function shownText(column: Column, row: number, zone: string): string | null {
  if (isNull(column, row)) return null
  if (column.kind !== 'time') return textAt(column, row)
  const text = textAt(column, row)
  if (text === null || column.unit === 'date') return text
  if (column.unit === 'datetime') return text.replace('T', ' ')
  const ms = cellAt(column, row) as number
  const fraction = /\.\d+/.exec(text)?.[0] ?? ''
  // Years that the calendar of the browser would write otherwise stay in UTC, where they are exact.
  if (!/^\d{4}-/.test(text)) return text.replace('T', ' ')
  return `${clockIn(zone).format(ms)}${fraction}`
}

/** JSON text with one value a line; as it stands when it is no list or object. No number is read, so none loses digits. */
export function indentedJson(text: string): string {
  let depth = 0
  let isQuoted = false
  let out = ''
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (isQuoted) {
      out += sign
      if (sign === '\\') out += text[(at += 1)] ?? ''
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') {
      isQuoted = true
      out += sign
    } else if (sign === '{' || sign === '[') {
      const empty = /^[{[]\s*[}\]]/.exec(text.slice(at, at + 64))
      if (empty) {
        out += `${sign}${sign === '{' ? '}' : ']'}`
        at += empty[0].length - 1
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

/** Whether a text is worth the viewer: JSON of lists and objects, several lines, or longer than a cell shows. */
export const isLong = (text: string): boolean => text.length > 60 || /[\n\r]/.test(text) || /^\s*[[{]/.test(text)
