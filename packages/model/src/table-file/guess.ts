import { guessDelimiter, splitCsv } from './csv.ts'
import { decodeText, type FileEncoding, guessEncoding } from './encoding.ts'
import { parseJsonRows } from './json.ts'
import { toColumnNames } from './names.ts'
import { type FileType, guessDecimal, guessType, type TimeFormat } from './types.ts'

/** Maximum number of columns of a file. */
export const maxFileColumns = 2000

export const uploadFormats = ['csv', 'json', 'parquet', 'xlsx'] as const
export type UploadFormat = (typeof uploadFormats)[number]

/** Options for reading a file. Formats other than CSV only use `decimal`, `nulls` and those named after them. */
export interface FileStyle {
  format: UploadFormat
  delimiter: string
  quote: string
  encoding: FileEncoding
  /** The first record contains the column names. */
  header: boolean
  /** Number of lines to skip at the start. */
  skip: number
  decimal: '.' | ','
  /** Texts that mean null, in addition to empty text. */
  nulls: string[]
  /** Sheet of a workbook; null for the first one. */
  sheet: string | null
}

export interface FileColumn {
  /** Index in the record, from 0; field name in JSON, column name in Parquet. */
  source: number | string
  name: string
  type: FileType
  format: TimeFormat | null
}

/** Analysis of the start of a file. */
export interface FilePreview {
  style: FileStyle
  /** Number of values in a record of the file, including those not used by any column. */
  width: number
  columns: FileColumn[]
  /** The first records as texts, in the order of `columns`; null means no value. */
  rows: (string | null)[][]
  /** Sheet names of a workbook. */
  sheets?: string[]
}

export const defaultFileStyle: FileStyle = {
  format: 'csv',
  delimiter: ',',
  quote: '"',
  encoding: 'utf-8',
  header: true,
  skip: 0,
  decimal: '.',
  nulls: [],
  sheet: null,
}

/** Number of records used to detect types. */
export const sampleRecords = 2000

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
 * @param told     options set by the user; the rest is detected
 * @returns null when it is not a table: empty, or JSON that is not a list of objects
 */
export function previewTextFile(
  bytes: Uint8Array,
  { format, isWhole, told = {} }: { format: 'csv' | 'json'; isWhole: boolean; told?: Partial<FileStyle> },
): FilePreview | null {
  const encoding = told.encoding ?? guessEncoding(bytes)
  const text = decodeText(bytes, encoding)
  if (format === 'json') return previewJson(text, isWhole, { ...told, encoding })
  const delimiter = told.delimiter ?? guessDelimiter(text)
  const quote = told.quote ?? '"'
  const skip = told.skip ?? 0
  const some = { limit: sampleRecords + 1, skip }
  const records = splitCsv(text, { delimiter, quote }, { ...some, isWhole })
  const whole = records.length > 0 ? records : splitCsv(text, { delimiter, quote }, some)
  const rows = whole.map(({ values }) => values)
  return buildFilePreview(rows, { ...defaultFileStyle, ...told, format: 'csv', encoding, delimiter, quote, skip }, told)
}

/** Detects header, decimal separator and types from parsed records. */
export function buildFilePreview(rows: string[][], style: FileStyle, told: Partial<FileStyle>): FilePreview | null {
  const [first] = rows
  if (!first || first.every((value) => value.trim() === '')) return null
  const header = told.header ?? isHeader(first, rows.slice(1))
  const data = header ? rows.slice(1) : rows
  const decimal = told.decimal ?? guessDecimal(data.slice(0, 500))
  const width = header ? first.length : Math.max(...data.slice(0, 100).map((row) => row.length))
  const headings = header ? first : Array.from({ length: width }, () => '')
  const columns = toColumnNames(headings).map((name, source) => ({
    source,
    name,
    ...guessType(
      data.map((row) => row[source] ?? ''),
      { decimal },
      style.nulls,
    ),
  }))
  return {
    style: { ...style, header, decimal },
    width,
    columns,
    rows: data.slice(0, previewRowCount).map((row) => columns.map((_, at) => row[at] || null)),
  }
}

export const previewRowCount = 20

/** A header has no numbers, unless it is the only row. */
const isHeader = (first: readonly string[], others: readonly unknown[]): boolean =>
  others.length === 0 || !first.some((text) => /^[+-]?[\d.,]+$/.test(text.trim()))

function previewJson(text: string, isWhole: boolean, told: Partial<FileStyle>): FilePreview | null {
  const records = parseJsonRows(text, isWhole, sampleRecords)
  if (!records || records.length === 0) return null
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))]
  if (keys.length === 0) return null
  const style: FileStyle = { ...defaultFileStyle, ...told, format: 'json', decimal: '.' }
  const columns = toColumnNames(keys).map((name, at) => {
    const source = keys[at] ?? ''
    const values = records.map((record) => record[source] ?? '')
    return { source, name, ...guessType(values, { decimal: '.' }) }
  })
  return {
    style,
    width: keys.length,
    columns,
    rows: records.slice(0, previewRowCount).map((record) => keys.map((key) => record[key] ?? null)),
  }
}
