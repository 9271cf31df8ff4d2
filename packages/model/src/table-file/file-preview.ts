import type { FileEncoding } from './encoding.ts'
import type { GuessNote } from './guess-type.ts'
import type { Reading } from './types.ts'

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

export interface FileColumn extends Reading {
  /** Index in the record, from 0; field name in JSON, column name in Parquet. */
  source: number | string
  name: string
}

/** A note on the guess of a column. */
export interface ColumnNote extends GuessNote {
  source: FileColumn['source']
}

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
  /** Assumptions, and reasons why columns stay text. */
  notes: ColumnNote[]
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
