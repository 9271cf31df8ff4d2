import type { FileColumn, FileLook, FileStyle, UploadLoad, UploadState } from '@parquetry/model'
import { formatOf, guessTable, type UploadFormat } from '@parquetry/model/table-file/guess'
import { columnNames, tableNameOf } from '@parquetry/model/table-file/names'
import { findStrays, type Strays } from '@parquetry/model/table-file/strays'

/** One file in the dialog: what is known of it, what the user has said, how far it is. */
export interface Row {
  key: string
  file: File
  format: UploadFormat | null
  /** The start of a text file, for reading it another way. */
  start: Uint8Array | null
  look: FileLook | null
  /** The columns as the user has them; those left out are not in it. */
  columns: FileColumn[]
  left: ReadonlySet<FileColumn['source']>
  strays: Strays | null
  table_name: string
  /** A table of that name is there. */
  taken: { may_replace: boolean } | null
  already_exists: UploadLoad['already_exists']
  overwrite: string
  consent: UploadLoad['consent']
  sent: { id: string; received: number; speed: number | null; isWaiting: boolean } | null
  isSent: boolean
  /** Of the load. */
  state: UploadState | null
  error: string | null
}

/** Read at once, so that the preview is there before the file has gone far. */
export const sampleBytes = 256 << 10

export const newRow = (file: File, key: string): Row => ({
  key,
  file,
  format: formatOf(file.name),
  start: null,
  look: null,
  columns: [],
  left: new Set(),
  strays: null,
  table_name: tableNameOf(file.name),
  taken: null,
  already_exists: 'fail',
  overwrite: '',
  consent: { values: false, lines: false },
  sent: null,
  isSent: false,
  state: null,
  error: null,
})

/** Reads the start of a text file, again when the user says how. */
export function lookAtStart(row: Row, start: Uint8Array, told: Partial<FileStyle>): Partial<Row> {
  if (row.format !== 'csv' && row.format !== 'json') return {}
  const isWhole = start.length === row.file.size
  const look = guessTable(start, { format: row.format, isWhole, told })
  if (!look) return { start, look: null, columns: [], strays: null }
  return { start, ...withLook(look), strays: findStrays(start, look, look.columns, isWhole) }
}

export const withLook = (look: FileLook): Partial<Row> => ({ look, columns: look.columns, left: new Set() })

/** A new name moves what was found along; another type is looked at anew, and needs consent of its own. */
export function withColumn(row: Row, source: FileColumn['source'], patch: Partial<FileColumn>): Partial<Row> {
  const before = row.columns.find((column) => column.source === source)
  const columns = row.columns.map((column) => (column.source === source ? { ...column, ...patch } : column))
  if (patch.type === undefined) {
    const { name } = patch
    if (row.strays === null || name === undefined) return { columns }
    const renamed = <T extends { [K in F]: string | null }, F extends 'name' | 'column'>(
      all: readonly T[],
      field: F,
    ): T[] => all.map((each) => (each[field] === before?.name ? { ...each, [field]: name } : each))
    const { columns: found, samples } = row.strays
    return { columns, strays: { ...row.strays, columns: renamed(found, 'name'), samples: renamed(samples, 'column') } }
  }
  const strays =
    row.start && row.look ? findStrays(row.start, row.look, columns, row.start.length === row.file.size) : row.strays
  return { columns, strays, consent: { values: false, lines: row.consent.lines } }
}

/** Names of columns that the table cannot have: empty, or there already. */
export function nameErrors({ columns, left }: Pick<Row, 'columns' | 'left'>): Set<FileColumn['source']> {
  const kept = columns.filter(({ source }) => !left.has(source))
  const good = columnNames(kept.map(({ name }) => name))
  return new Set(kept.filter(({ name }, at) => name !== good[at]).map(({ source }) => source))
}

/** What the server is asked to make of the file. */
export const loadOf = (row: Row, database: number | null): UploadLoad => ({
  table_name: row.table_name.trim(),
  database,
  already_exists: row.taken ? row.already_exists : 'fail',
  ...(row.already_exists === 'replace' && { overwrite: row.overwrite }),
  style: row.look!.style,
  width: row.look!.width,
  columns: row.columns.filter(({ source }) => !row.left.has(source)),
  consent: row.consent,
})

/** Where files can go. */
export interface Targets {
  result: { id: number; database_name: string }[]
  /** The database of uploads would be made. */
  makes: boolean
}
