import type {
  FileColumn,
  FileLoadResult,
  FilePreview,
  FileStyle,
  UploadLoadRequest,
  UploadState,
} from '@parquetry/model'
import type { ColumnNote, MismatchedColumn, Mismatches, UploadFormat } from '@parquetry/model/table-file/file-preview'
import { uploadFormatOf, previewTextFile, maxFileColumns } from '@parquetry/model/table-file/guess'
import { toColumnNames, toTableName } from '@parquetry/model/table-file/names'
import { findMismatches } from '@parquetry/model/table-file/mismatches'
import { chooseFormat, type FileType, type Reading } from '@parquetry/model/table-file/types'

/** One file in the dialog: its analysis, the user's choices and its progress. */
export interface UploadItem {
  key: string
  file: File
  /** Sheet of a workbook; null for the first one with a table. */
  sheet: string | null
  format: UploadFormat | null
  /** Start of a text file, for reading it with other options. */
  start: Uint8Array | null
  look: FilePreview | null
  /** Columns as edited by the user, including excluded ones. */
  columns: FileColumn[]
  left: ReadonlySet<FileColumn['source']>
  /** Values that do not fit: in the start of the file at first, in the entire file after a refused load. */
  strays: Mismatches | null
  table_name: string
  /** Set if a table of that name exists. */
  taken: { may_replace: boolean } | null
  already_exists: UploadLoadRequest['already_exists']
  overwrite: string
  /** Columns whose values may be left empty, and consent to fill short lines and skip long ones. */
  consent: { values: ReadonlySet<FileColumn['source']>; lines: boolean }
  sent: TransferState | null
  isSent: boolean
  /** State of the load. */
  state: UploadState | null
  error: string | null
}

export interface TransferState {
  /** Null until the server has accepted the file. */
  id: string | null
  received: number
  /** Bytes per second, averaged over recent parts; null while unknown. */
  speed: number | null
  /** Why the transfer waits before it is retried: the connection failed, or the server refused it with a reason. */
  waitsFor: { reason: string | null } | null
}

/** Bytes read locally, so that the preview appears before the upload gets far. */
export const sampleBytes = 256 << 10

const noConsent: UploadItem['consent'] = { values: new Set(), lines: false }

export const newUploadItem = (file: File, key: string, sheet: string | null = null): UploadItem => ({
  key,
  file,
  sheet,
  format: uploadFormatOf(file.name),
  start: null,
  look: null,
  columns: [],
  left: new Set(),
  strays: null,
  table_name: sheet === null ? toTableName(file.name) : sheetTableName(file, sheet),
  taken: null,
  already_exists: 'fail',
  overwrite: '',
  consent: noConsent,
  sent: null,
  isSent: false,
  state: null,
  error: null,
})

/** Table name for one of several sheets: `book.xlsx` and `May` become `book_May`. */
export const sheetTableName = (file: File, sheet: string): string =>
  toTableName(`${file.name.replace(/\.[^.]*$/, '')} ${sheet}.xlsx`)

/** Analyzes the start of a text file, with the reading options that the user set. */
export function guessFromSample(row: UploadItem, start: Uint8Array, settings: Partial<FileStyle>): Partial<UploadItem> {
  if (row.format !== 'csv' && row.format !== 'json') return {}
  const isWhole = start.length === row.file.size
  const preview = previewTextFile(start, { format: row.format, isWhole, givenStyle: settings })
  if (!preview) return { start, look: null, columns: [], strays: null }
  return { start, ...withGuess(preview), strays: findMismatches(start, preview, preview.columns, isWhole) }
}

export const withGuess = (preview: FilePreview): Partial<UploadItem> => ({
  look: preview,
  columns: preview.columns,
  strays: preview.mismatches ?? null,
  left: new Set(),
  consent: noConsent,
})

/** Changes how the file is read in a way that does not change the types of its columns. */
export const patchStyle = ({ look }: UploadItem, patch: Partial<FileStyle>): Partial<UploadItem> =>
  look ? { look: { ...look, style: { ...look.style, ...patch } } } : {}

export const renameColumn = (row: UploadItem, source: FileColumn['source'], name: string): Partial<UploadItem> => ({
  columns: row.columns.map((column) => (column.source === source ? { ...column, name } : column)),
})

/**
 * Reads a column in another way. Its strays remain valid for the reading that found them and for text; any other reading is
 * analyzed again. Consent is reset.
 */
export function readColumnAs(row: UploadItem, source: FileColumn['source'], reading: Reading): Partial<UploadItem> {
  const columns = row.columns.map((column) =>
    column.source === source ? { source, name: column.name, ...reading } : column,
  )
  const values = new Set(row.consent.values)
  values.delete(source)
  const known = row.strays?.columns.find((stray) => stray.source === source)
  const isKnown = known !== undefined && (reading.type === 'text' || isSameReading(known, reading))
  return {
    columns,
    strays: isKnown ? row.strays : recheckColumn(row, columns, source),
    consent: { ...row.consent, values },
  }
}

/** Reads a column as a type that the user chose, in the format that fits most of the first values. */
export function chooseType(row: UploadItem, source: FileColumn['source'], type: FileType): Partial<UploadItem> {
  const index = row.columns.findIndex((column) => column.source === source)
  const values = row.look?.rows.flatMap((cells) => cells[index] ?? []) ?? []
  return readColumnAs(row, source, { type, format: row.look ? chooseFormat(type, values, row.look.style) : null })
}

export const isSameReading = (a: Reading, b: Reading): boolean =>
  a.type === b.type &&
  (a.type === 'text' || ((a.format ?? null) === (b.format ?? null) && (a.exact ?? false) === (b.exact ?? false)))

/** Notes on the guesses of included columns, as long as these have one of the readings that the note offers. */
export function listNotes(row: UploadItem): (ColumnNote & { column: FileColumn })[] {
  const columns = new Map(row.columns.map((column) => [column.source, column]))
  const isAppended = row.taken !== null && row.already_exists === 'append'
  return (row.look?.notes ?? []).flatMap((note) => {
    const column = columns.get(note.source)
    // The table that a file is appended to has its own types.
    if (!column || row.left.has(note.source) || (isAppended && note.kind !== 'order')) return []
    return note.readings.some((reading) => isSameReading(reading, column)) ? [{ ...note, column }] : []
  })
}

function recheckColumn({ start, look, file, strays }: UploadItem, columns: FileColumn[], source: FileColumn['source']) {
  if (!strays || !start || !look) return strays
  const others = <T extends { source: unknown }>(all: readonly T[]) => all.filter((each) => each.source !== source)
  const column = columns.filter((each) => each.source === source)
  const found = findMismatches(start, look, column, start.length === file.size)
  return {
    ...strays,
    columns: [...others(strays.columns), ...(found?.columns ?? [])],
    samples: [...others(strays.samples), ...(found?.samples.filter((sample) => sample.source !== null) ?? [])],
  }
}

/** Replaces the strays of the file's start with those that the server found in the entire file; text columns keep theirs. */
export function withRefusal(row: UploadItem, { bad, badLines, rows, samples }: FileLoadResult): Partial<UploadItem> {
  const columnOf = (name: string | null) =>
    row.columns.find((column) => column.name.toLowerCase() === name?.toLowerCase())
  const found = bad.flatMap(({ name, type, count }): MismatchedColumn[] => {
    const column = columnOf(name)
    if (!column) return []
    const { source, format, exact = false } = column
    return [{ source, type, format, exact, count, of: rows, isWhole: true }]
  })
  const otherColumns =
    row.strays?.columns.filter(({ source }) => !found.some((column) => column.source === source)) ?? []
  return {
    strays: {
      columns: [...found, ...otherColumns.filter(({ source }) => isText(row, source))],
      lines: badLines,
      samples: samples.map(({ line, column, value }) => ({ line, source: columnOf(column)?.source ?? null, value })),
    },
  }
}

const isText = ({ columns }: UploadItem, source: FileColumn['source']): boolean =>
  columns.some((column) => column.source === source && column.type === 'text')

/** Columns with values that would be lost without consent. */
export const findUnconfirmedColumns = (row: UploadItem): MismatchedColumn[] =>
  row.strays?.columns.filter(
    ({ source }) => !row.left.has(source) && !isText(row, source) && !row.consent.values.has(source),
  ) ?? []

/** Number of lines with too few or too many values. */
export const countBadLines = ({ strays }: Pick<UploadItem, 'strays'>): number =>
  strays ? strays.lines.short + strays.lines.long : 0

/** True if the file has more columns than the engine can write. */
export const isTooWide = ({ look }: Pick<UploadItem, 'look'>): boolean => look !== null && look.width > maxFileColumns

/** Columns with names that the table cannot have: empty or duplicate. */
export function nameErrors({ columns, left }: Pick<UploadItem, 'columns' | 'left'>): Set<FileColumn['source']> {
  const included = columns.filter(({ source }) => !left.has(source))
  const good = toColumnNames(included.map(({ name }) => name))
  return new Set(included.filter(({ name }, index) => name !== good[index]).map(({ source }) => source))
}

/** Request body for loading the file. */
export const buildLoadRequest = (row: UploadItem, database: number | null): UploadLoadRequest => ({
  table_name: row.table_name.trim(),
  database,
  already_exists: row.taken ? row.already_exists : 'fail',
  ...(row.already_exists === 'replace' && { overwrite: row.overwrite }),
  style: row.look!.style,
  width: row.look!.width,
  columns: row.columns.filter(({ source }) => !row.left.has(source)),
  consent: {
    values: row.columns.filter(({ source }) => row.consent.values.has(source)).map(({ name }) => name),
    lines: row.consent.lines,
  },
})

/** Databases that accept uploads. */
export interface UploadTargets {
  result: { id: number; database_name: string }[]
  /** The upload database would be created. */
  makes: boolean
}
