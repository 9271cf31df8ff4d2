import { guessDelimiter, splitCsv } from './csv.ts'
import { decodeText, guessEncoding } from './encoding.ts'
import {
  type ColumnNote,
  defaultFileStyle,
  type FileColumn,
  type FilePreview,
  type FileStyle,
  type UploadFormat,
} from './file-preview.ts'
import { guessType } from './guess-type.ts'
import { parseJsonRows } from './json.ts'
import { toColumnNames } from './names.ts'
import { guessDecimal } from './numbers.ts'

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
 * @param told     options set by the user; the rest is detected
 * @returns null when it is not a table: empty, or JSON that is not a list of objects
 */
export function previewTextFile(
  bytes: Uint8Array,
  { format, isWhole, told = {} }: { format: 'csv' | 'json'; isWhole: boolean; told?: Partial<FileStyle> },
): FilePreview | null {
  if (isBinary(bytes)) return null
  const encoding = told.encoding ?? guessEncoding(bytes)
  const text = decodeText(bytes, encoding)
  if (format === 'json') return previewJson(text, isWhole, { ...told, encoding })
  // A first line `sep=;` names the delimiter for Excel.
  const named = /^sep=(.)[\r\n]/i.exec(text)?.[1]
  const delimiter = told.delimiter ?? named ?? guessDelimiter(text)
  const quote = told.quote ?? '"'
  const skip = told.skip ?? (named === undefined ? 0 : 1)
  const some = { limit: sampleRecords + 1, skip }
  const records = splitCsv(text, { delimiter, quote }, { ...some, isWhole })
  const whole = records.length > 0 ? records : splitCsv(text, { delimiter, quote }, some)
  const rows = whole.map(({ values }) => values)
  return buildFilePreview(rows, { ...defaultFileStyle, ...told, format: 'csv', encoding, delimiter, quote, skip }, told)
}

/** True for archives, such as workbooks under a wrong name, old workbooks and Parquet files. */
const isBinary = (bytes: Uint8Array): boolean =>
  [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
    [0x50, 0x41, 0x52, 0x31],
    [0x1f, 0x8b, 0x08],
  ].some((magic) => magic.every((byte, at) => bytes[at] === byte))

/** Detects header, decimal separator and types from parsed records. */
export function buildFilePreview(rows: string[][], style: FileStyle, told: Partial<FileStyle>): FilePreview | null {
  const [first] = rows
  if (!first || first.every((value) => value.trim() === '')) return null
  const header = told.header ?? isHeader(first, rows.slice(1))
  const data = header ? rows.slice(1) : rows
  const decimal = told.decimal ?? guessDecimal(data.slice(0, 500))
  const width = header ? first.length : Math.max(...data.slice(0, 100).map((row) => row.length))
  const headings = header ? first : Array.from({ length: width }, () => '')
  // Lines with too few or too many values are reported as such.
  const complete = data.filter((row) => row.length === width)
  const typed = complete.length > 0 ? complete : data
  return {
    style: { ...style, header, decimal },
    width,
    ...guessColumns(
      toColumnNames(headings).map((name, source) => ({ source, name })),
      (source) => typed.map((row) => row[source as number] ?? ''),
      { ...style, decimal },
    ),
    rows: data.slice(0, previewRowCount).map((row) => headings.map((_, at) => row[at] || null)),
  }
}

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

/** A header has no numbers, unless it is the only row. */
const isHeader = (first: readonly string[], others: readonly unknown[]): boolean =>
  others.length === 0 || !first.some((text) => /^[+-]?[\d.,]+$/.test(text.trim()))

function previewJson(text: string, isWhole: boolean, told: Partial<FileStyle>): FilePreview | null {
  const records = parseJsonRows(text, isWhole, sampleRecords)
  if (!records || records.length === 0) return null
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))]
  if (keys.length === 0) return null
  const style: FileStyle = { ...defaultFileStyle, ...told, format: 'json', decimal: '.' }
  return {
    style,
    width: keys.length,
    ...guessColumns(
      toColumnNames(keys).map((name, at) => ({ source: keys[at] ?? '', name })),
      (source) => records.map((record) => record[source] ?? ''),
      style,
    ),
    rows: records.slice(0, previewRowCount).map((record) => keys.map((key) => record[key] ?? null)),
  }
}
