import { guessDelimiter, splitCsv } from './csv.ts'
import { decodeText, type FileEncoding, guessEncoding } from './encoding.ts'
import { parseJsonRows } from './json.ts'
import { toColumnNames } from './names.ts'
import { type FileType, guessDecimal, guessType, type TimeFormat } from './types.ts'

/** Most columns of a file. */
export const maxFileColumns = 2000

export const uploadFormats = ['csv', 'json', 'parquet', 'xlsx'] as const
export type UploadFormat = (typeof uploadFormats)[number]

/** How a file is to be read. Of other formats than CSV only `decimal`, `nulls` and what their name says count. */
export interface FileStyle {
  format: UploadFormat
  delimiter: string
  quote: string
  encoding: FileEncoding
  /** The first record holds the names of the columns. */
  header: boolean
  /** Lines left out at the start. */
  skip: number
  decimal: '.' | ','
  /** Texts that stand for no value, beside the empty one. */
  nulls: string[]
  /** Sheet of a workbook; null: the first one. */
  sheet: string | null
}

export interface FileColumn {
  /** Place in the record, from 0; in JSON the name of the field, in Parquet that of the column. */
  source: number | string
  name: string
  type: FileType
  format: TimeFormat | null
}

/** What the start of a file says of it. */
export interface FilePreview {
  style: FileStyle
  /** Values in a record of the file, those that no column takes included. */
  width: number
  columns: FileColumn[]
  /** The first records as texts, in the order of `columns`; null is no value. */
  rows: (string | null)[][]
  /** Of a workbook. */
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

/** Records that types are guessed from. */
export const sampleRecords = 2000

/** The format that a name's ending tells; null for files that we do not read. */
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
 * @param isWhole  they are all of it
 * @param told     what the user has said already; the rest is guessed
 * @returns null when it is not a table: nothing in it, or JSON that is no list of objects
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

/** What records say, whoever cut them: the heading, the sign of decimals, the types. */
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

/** A heading has no numbers, unless nothing stands below it. */
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
