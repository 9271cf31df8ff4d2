import { guessDelimiter, isRagged, type RecordValue, splitCsv } from './csv.ts'
import { decodeText, guessEncoding } from './encoding.ts'
import {
  type ColumnNote,
  defaultFileStyle,
  type FileAssumption,
  type FileColumn,
  type FilePreview,
  type FileStyle,
  type UploadFormat,
} from './file-preview.ts'
import { guessType } from './guess-type.ts'
import { parseJsonRows } from './json.ts'
import { toColumnNames } from './names.ts'
import { guessDecimal } from './numbers.ts'
import { matchesReading } from './types.ts'

/** Maximum number of columns of a file. */
export const maxFileColumns = 2000

/** Number of records used to detect types. */
export const sampleRecords = 5000

/** Returns the format for a file extension; null for unsupported files. */
export function uploadFormatOf(fileName: string): UploadFormat | null {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  if (ending === 'csv' || ending === 'tsv' || ending === 'tab' || ending === 'txt') return 'csv'
  if (ending === 'json' || ending === 'ndjson' || ending === 'jsonl') return 'json'
  if (ending === 'parquet' || ending === 'xlsx') return ending
  return null
}

/**
 * Reads the start of a CSV or JSON file.
 * @param bytes    the first bytes of the file
 * @param isWhole  true if they are the whole file
 * @param givenStyle  options set by the user; the rest is detected
 * @returns null when it is not a table: empty, or JSON that is not a list of objects
 */
export function previewTextFile(
  bytes: Uint8Array,
  { format, isWhole, givenStyle = {} }: { format: 'csv' | 'json'; isWhole: boolean; givenStyle?: Partial<FileStyle> },
): FilePreview | null {
  if (isBinary(bytes)) return null
  const encoding = givenStyle.encoding ?? guessEncoding(bytes)
  const text = decodeText(bytes, encoding)
  if (format === 'json') return previewJson(text, isWhole, { ...givenStyle, encoding })
  // A first line `sep=;` names the delimiter for Excel.
  const declaredDelimiter = /^sep=(.)[\r\n]/i.exec(text)?.[1]
  const delimiter = givenStyle.delimiter ?? declaredDelimiter ?? guessDelimiter(text)
  const quote = givenStyle.quote ?? '"'
  const skip = givenStyle.skip ?? (declaredDelimiter === undefined ? 0 : 1)
  const some = { limit: sampleRecords + 1, skip }
  const records = splitCsv(text, { delimiter, quote }, { ...some, isWhole })
  const whole = records.length > 0 ? records : splitCsv(text, { delimiter, quote }, some)
  const style = { ...defaultFileStyle, ...givenStyle, format: 'csv' as const, encoding, delimiter, quote, skip }
  const preview = buildFilePreview(whole, style, givenStyle)
  if (!preview) return null
  const isGuessed = givenStyle.encoding === undefined && !encoding.startsWith('utf-')
  return isGuessed ? { ...preview, assumptions: [...preview.assumptions, 'encoding'] } : preview
}

/** True for archives, such as workbooks under a wrong name, old workbooks and Parquet files. */
const isBinary = (bytes: Uint8Array): boolean =>
  [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
    [0x50, 0x41, 0x52, 0x31],
    [0x1f, 0x8b, 0x08],
  ].some((magic) => magic.every((byte, index) => bytes[index] === byte))

/** A record with the number of its line or row, from 1. */
export interface SampleRecord {
  line: number
  values: RecordValue[]
}

/**
 * Detects header, decimal separator and types from parsed records. Empty lines before the first record count as skipped, since
 * the engine would read them as records.
 */
export function buildFilePreview(
  sample: readonly SampleRecord[],
  style: FileStyle,
  givenStyle: Partial<FileStyle>,
): FilePreview | null {
  const titles = givenStyle.skip === undefined && givenStyle.header !== false ? countTitles(sample) : 0
  const records = sample.slice(titles)
  const [head] = records
  if (!head || head.values.every((value) => !value?.trim())) return null
  const rows = records.map(({ values }) => values)
  const first = toTexts(head.values)
  const header = givenStyle.header ?? isHeader(first, rows.slice(1))
  const data = header ? rows.slice(1) : rows
  const decimal = givenStyle.decimal ?? guessDecimal(data.slice(0, 500))
  const width = header ? first.length : Math.max(...data.slice(0, 100).map((row) => row.length))
  const headings = header ? first : Array.from({ length: width }, () => '')
  // Lines with too few or too many values are reported as such.
  const complete = data.filter((row) => !isRagged(row, width))
  const typed = complete.length > 0 ? complete : data
  const guessed = guessColumns(
    toColumnNames(headings).map((name, source) => ({ source, name })),
    (source) => typed.map((row) => row[source as number] ?? ''),
    { ...style, decimal },
  )
  const texts = guessed.columns.filter(({ type }) => type === 'text')
  const assumptions: FileAssumption[] = []
  if (titles > 0) assumptions.push('titles')
  if (texts.some(({ source }) => data.some((row) => row[source as number] === ''))) assumptions.push('empty-texts')
  return {
    style: { ...style, header, decimal, skip: Math.max(style.skip, head.line - 1) },
    width,
    ...guessed,
    assumptions,
    rows: data.slice(0, previewRowCount).map((row) => headings.map((_, index) => row[index] ?? null)),
  }
}

/** Maximum number of titles and other lines before a table. */
const maxTitles = 30

/**
 * Number of records before the one with the column names, such as titles: they have values for at most half of the columns that
 * most records have.
 */
function countTitles(records: readonly SampleRecord[]): number {
  const rows = records.slice(0, 200).map(({ values }) => values)
  const lengths = new Map<number, number>()
  for (const row of rows) {
    const length = row.findLastIndex((value) => value !== null) + 1
    lengths.set(length, (lengths.get(length) ?? 0) + 1)
  }
  const [width = 0] = [...lengths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
  const isTitle = (row: readonly RecordValue[]) => row.filter((value) => value !== null).length <= width / 2
  const count = rows.findIndex((row) => !isTitle(row))
  const [head = [], ...others] = rows.slice(count)
  if (count < 1 || count > maxTitles || !isHeader(toTexts(head), others)) return 0
  // Names above texts look like any other line.
  const isTyped = head.some((_, index) => isAlike(others, index, (text) => isNumber(text) || isDate(text)))
  return isTyped ? count : 0
}

const toTexts = (row: readonly RecordValue[]): string[] => row.map((value) => value ?? '')

/** Guesses the types of columns from their values. */
function guessColumns(
  named: readonly Pick<FileColumn, 'source' | 'name'>[],
  valuesOf: (source: FileColumn['source']) => string[],
  style: Pick<FileStyle, 'decimal' | 'nulls'>,
): Pick<FilePreview, 'columns' | 'notes'> {
  const notes: ColumnNote[] = []
  const columns = named.map(({ source, name }): FileColumn => {
    const { note, ...reading } = guessType(valuesOf(source), style, style.nulls)
    if (note) notes.push({ source, ...note })
    return { source, name, ...reading }
  })
  return { columns, notes }
}

export const previewRowCount = 20

const isNumber = (text: string): boolean => /^[+-]?[\d.,]+$/.test(text.trim())
const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text.trim())
const isDate = (text: string): boolean => matchesReading(text, { type: 'datetime', format: 'iso' }, { decimal: '.' })

/** True if all values of a column match; there must be one. */
function isAlike(rows: readonly (readonly RecordValue[])[], index: number, test: (text: string) => boolean): boolean {
  const values = rows.slice(0, 100).flatMap((row) => row[index] || [])
  return values.length > 0 && values.every(test)
}

/**
 * A header has no numbers, unless it is the only row or its numbers are years that do not repeat in the rows below. It has no dates
 * above dates.
 */
function isHeader(first: readonly string[], others: readonly (readonly RecordValue[])[]): boolean {
  if (others.length === 0) return true
  if (first.some((text, index) => isDate(text) && !isNumber(text) && isAlike(others, index, isDate))) return false
  const numbers = first.flatMap((text, index) => (isNumber(text) ? [{ text, at: index }] : []))
  if (numbers.length === 0) return true
  const isOfYears = numbers.every(({ text, at }) => isYear(text) && !isAlike(others, at, isYear))
  return isOfYears && numbers.length < first.length && new Set(numbers.map(({ text }) => text)).size === numbers.length
}

function previewJson(text: string, isWhole: boolean, givenStyle: Partial<FileStyle>): FilePreview | null {
  const records = parseJsonRows(text, isWhole, sampleRecords)
  if (!records || records.length === 0) return null
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))]
  if (keys.length === 0) return null
  const style: FileStyle = { ...defaultFileStyle, ...givenStyle, format: 'json', decimal: '.' }
  return {
    style,
    width: keys.length,
    ...guessColumns(
      toColumnNames(keys).map((name, index) => ({ source: keys[index] ?? '', name })),
      (source) => records.map((record) => record[source] ?? ''),
      style,
    ),
    assumptions: [],
    rows: records.slice(0, previewRowCount).map((record) => keys.map((key) => record[key] ?? null)),
  }
}
