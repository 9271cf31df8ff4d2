export interface CsvStyle {
  delimiter: string
  /** Empty for files without quotes. */
  quote: string
}

/** Value of a record: null if there is nothing between the delimiters, '' for an empty text in quotes. */
export type RecordValue = string | null

export const delimiters = [',', ';', '\t', '|'] as const

/**
 * Returns the records of a delimited text, with quotes parsed and empty lines skipped.
 * @param skip     number of lines to skip at the start, regardless of their content
 * @param isWhole  false: the text is the start of a file, and a last record that may be incomplete is dropped
 * @returns each record with the number of the line on which it begins, from 1
 */
export function splitCsv(
  text: string,
  { delimiter, quote }: CsvStyle,
  { limit = Infinity, isWhole = true, skip = 0 }: { limit?: number; isWhole?: boolean; skip?: number } = {},
): { line: number; values: RecordValue[] }[] {
  const records: { line: number; values: RecordValue[] }[] = []
  let values: RecordValue[] = []
  let line = skip + 1
  let began = line
  let at = behindLines(text, skip)
  const end = text.length
  const push = () => {
    if (values.length > 1 || values[0] !== null) records.push({ line: began, values })
    values = []
  }
  while (at <= end && records.length < limit) {
    let value: RecordValue = null
    if (text[at] === quote) {
      const quoted = readQuoted(text, at, quote)
      if (quoted.next > end) return isWhole ? [...records, { line: began, values: [...values, quoted.value] }] : records
      value = quoted.value
      line += quoted.lines
      at = quoted.next
    }
    const from = at
    while (at < end && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
    values.push(value === null && at === from ? null : (value ?? '') + text.slice(from, at))
    if (at >= end) {
      if (isWhole) push()
      break
    }
    if (text[at] === delimiter) {
      at++
      continue
    }
    push()
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    began = ++line
  }
  return records
}

/** True if a record has another number of values than `width`. Delimiters without values at the end of a line do not count. */
export const isRagged = (values: readonly RecordValue[], width: number): boolean =>
  values.length < width || values.slice(width).some((value) => value !== null)

function behindLines(text: string, lines: number): number {
  const end = /\r\n|\n|\r|$/g
  for (let line = 0; line < lines && end.lastIndex < text.length; line++) end.exec(text)
  return end.lastIndex
}

function readQuoted(text: string, start: number, quote: string): { value: string; next: number; lines: number } {
  let value = ''
  let at = start + 1
  for (;;) {
    const close = text.indexOf(quote, at)
    if (close < 0) return { value: value + text.slice(at), next: text.length + 1, lines: 0 }
    value += text.slice(at, close)
    if (text[close + 1] !== quote) return { value, next: close + 1, lines: value.split('\n').length - 1 }
    value += quote
    at = close + 2
  }
}

const sampleLines = 50

/** Returns the delimiter that splits the most lines into the same number of values, at least two; a comma if there is none. */
export function guessDelimiter(text: string): string {
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of delimiters) {
    const records = splitCsv(text, { delimiter, quote: '"' }, { limit: sampleLines, isWhole: false })
    const rows = records.length > 0 ? records : splitCsv(text, { delimiter, quote: '"' }, { limit: sampleLines })
    const counts = new Map<number, number>()
    for (const { values } of rows) counts.set(values.length, (counts.get(values.length) ?? 0) + 1)
    const [width = 1, often = 0] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? []
    const score = width < 2 ? 0 : (often / Math.max(1, rows.length)) * 100 + Math.min(width, 50)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}
