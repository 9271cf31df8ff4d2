import type { FileEncoding } from './encoding.ts'
import type { GuessNote } from './guess-type.ts'
import type { Reading } from './types.ts'

export const uploadFormats = ['csv', 'json', 'parquet', 'xlsx'] as const
export type UploadFormat = (typeof uploadFormats)[number]

/** Options for reading a file. Formats other than CSV only use `decimal`, `nulls` and those named after them. */
export interface FileStyle {
  format: UploadFormat
  delimiter: string
  /** Empty for files without quotes. */
  quote: string
  encoding: FileEncoding
  /** The first record contains the column names. */
  header: boolean
  /** Number of lines to skip at the start. */
  skip: number
  decimal: '.' | ','
  /** Texts that mean null, in addition to no text. With '', quoted empty texts are null as well. */
  nulls: string[]
  /** Sheet of a workbook; null for the first one. */
  sheet: string | null
}

export interface FileColumn extends Reading {
  /** Index in the record, from 0; field name in JSON, column name in Parquet. */
  source: number | string
  name: string
}

/** A note on the guess of a column. */
export interface ColumnNote extends GuessNote {
  source: FileColumn['source']
}

/**
 * An assumption about a whole file. `titles`: lines before the column names are skipped. `empty-texts`: `""` is an empty text, and
 * only what is empty without quotes is null. `encoding`: the encoding is guessed from the bytes. `formulas` without a stored result
 * and cells with `errors` have no value.
 */
export type FileAssumption = 'titles' | 'empty-texts' | 'encoding' | 'formulas' | 'errors'

/** A column with values that do not match its type; for a text column, the type of most of its values. */
export interface MismatchedColumn extends Reading {
  source: FileColumn['source']
  count: number
  /** Number of records checked; `isWhole` is true if those are all. */
  of: number
  isWhole: boolean
}

export interface Mismatches {
  columns: MismatchedColumn[]
  /** Lines with fewer values than there are column names, and lines with more. */
  lines: LineCounts
  /** `source` is null if the whole line is invalid. */
  samples: { line: number; source: FileColumn['source'] | null; value: string }[]
}

/** Numbers of lines with fewer and with more values than there are columns. Lines that cannot be read count as long. */
export interface LineCounts {
  short: number
  long: number
}

/** Analysis of the start of a file. */
export interface FilePreview {
  style: FileStyle
  /** Number of values in a record of the file, including those not used by any column. */
  width: number
  columns: FileColumn[]
  /** The first records as texts, in the order of `columns`; null means no value. */
  rows: (string | null)[][]
  /** Assumptions about columns, and reasons why they stay text. */
  notes: ColumnNote[]
  assumptions: FileAssumption[]
  /** Sheet names of a workbook. */
  sheets?: string[]
  /** Values that do not match, for a workbook; those of text files are found by `findMismatches`. */
  mismatches?: Mismatches
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
