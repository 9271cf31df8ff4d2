import type {
  FileColumn,
  FileLoadResult,
  FilePreview,
  FileStyle,
  UploadLoadRequest,
  UploadState,
} from '@parquetry/model'
import { uploadFormatOf, previewTextFile, maxFileColumns, type UploadFormat } from '@parquetry/model/table-file/guess'
import { toColumnNames, toTableName } from '@parquetry/model/table-file/names'
import { findMismatches, type MismatchedColumn, type Mismatches } from '@parquetry/model/table-file/mismatches'

/** One file in the dialog: what is known of it, what the user has said, how far it is. */
export interface UploadItem {
  key: string
  file: File
  format: UploadFormat | null
  /** The start of a text file, for reading it another way. */
  start: Uint8Array | null
  look: FilePreview | null
  /** The columns as the user has them; those left out are not in it. */
  columns: FileColumn[]
  left: ReadonlySet<FileColumn['source']>
  /** What does not fit: at first of the start of the file, once it was loaded in vain of the whole. */
  strays: Mismatches | null
  table_name: string
  /** A table of that name is there. */
  taken: { may_replace: boolean } | null
  already_exists: UploadLoadRequest['already_exists']
  overwrite: string
  /** Columns whose values may be left empty; lines that do not fit may be left out. */
  consent: { values: ReadonlySet<FileColumn['source']>; lines: boolean }
  sent: { id: string; received: number; speed: number | null; isWaiting: boolean } | null
  isSent: boolean
  /** Of the load. */
  state: UploadState | null
  error: string | null
}

/** Read at once, so that the preview is there before the file has gone far. */
export const sampleBytes = 256 << 10

const noConsent: UploadItem['consent'] = { values: new Set(), lines: false }

export const newUploadItem = (file: File, key: string): UploadItem => ({
  key,
  file,
  format: uploadFormatOf(file.name),
  start: null,
  look: null,
  columns: [],
  left: new Set(),
  strays: null,
  table_name: toTableName(file.name),
  taken: null,
  already_exists: 'fail',
  overwrite: '',
  consent: noConsent,
  sent: null,
  isSent: false,
  state: null,
  error: null,
})

/** Reads the start of a text file, again when the user says how. */
export function guessFromSample(row: UploadItem, start: Uint8Array, told: Partial<FileStyle>): Partial<UploadItem> {
  if (row.format !== 'csv' && row.format !== 'json') return {}
  const isWhole = start.length === row.file.size
  const look = previewTextFile(start, { format: row.format, isWhole, told })
  if (!look) return { start, look: null, columns: [], strays: null }
  return { start, ...withGuess(look), strays: findMismatches(start, look, look.columns, isWhole) }
}

export const withGuess = (look: FilePreview): Partial<UploadItem> => ({
  look,
  columns: look.columns,
  left: new Set(),
  consent: noConsent,
})

/** The type of a column can be what its strays were measured by, or text; any other is looked at anew. Consent is asked again. */
export function updateColumn(
  row: UploadItem,
  source: FileColumn['source'],
  patch: Partial<FileColumn>,
): Partial<UploadItem> {
  const columns = row.columns.map((column) => (column.source === source ? { ...column, ...patch } : column))
  if (patch.type === undefined) return { columns }
  const values = new Set(row.consent.values)
  values.delete(source)
  const known = row.strays?.columns.find((stray) => stray.source === source)
  const strays = known && ['text', known.type].includes(patch.type) ? row.strays : recheckColumn(row, columns, source)
  return { columns, strays, consent: { ...row.consent, values } }
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

/** What the server found in the whole file takes the place of what its start had; columns of text stay as they were found. */
export function withRefusal(row: UploadItem, { bad, badLines, rows, samples }: FileLoadResult): Partial<UploadItem> {
  const columnOf = (name: string | null) =>
    row.columns.find((column) => column.name.toLowerCase() === name?.toLowerCase())
  const found = bad.flatMap(({ name, type, count }): MismatchedColumn[] => {
    const column = columnOf(name)
    return column ? [{ source: column.source, type, format: column.format, count, of: rows, isWhole: true }] : []
  })
  const kept = row.strays?.columns.filter(({ source }) => !found.some((column) => column.source === source)) ?? []
  return {
    strays: {
      columns: [...found, ...kept.filter(({ source }) => isText(row, source))],
      lines: badLines,
      samples: samples.map(({ line, column, value }) => ({ line, source: columnOf(column)?.source ?? null, value })),
    },
  }
}

const isText = ({ columns }: UploadItem, source: FileColumn['source']): boolean =>
  columns.some((column) => column.source === source && column.type === 'text')

/** Columns with values that would be lost, and nobody has said that they may. */
export const findUnconfirmedColumns = (row: UploadItem): MismatchedColumn[] =>
  row.strays?.columns.filter(
    ({ source }) => !row.left.has(source) && !isText(row, source) && !row.consent.values.has(source),
  ) ?? []

/** More columns than the engine can write. */
export const isTooWide = ({ look }: Pick<UploadItem, 'look'>): boolean => look !== null && look.width > maxFileColumns

/** Names of columns that the table cannot have: empty, or there already. */
export function nameErrors({ columns, left }: Pick<UploadItem, 'columns' | 'left'>): Set<FileColumn['source']> {
  const kept = columns.filter(({ source }) => !left.has(source))
  const good = toColumnNames(kept.map(({ name }) => name))
  return new Set(kept.filter(({ name }, at) => name !== good[at]).map(({ source }) => source))
}

/** What the server is asked to make of the file. */
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

/** Where files can go. */
export interface UploadTargets {
  result: { id: number; database_name: string }[]
  /** The database of uploads would be made. */
  makes: boolean
}
