import type { PlannerDataset, RunHeader } from '@parquetry/model'
import { computeColtypes } from '@parquetry/query'

/** One entry of `result` without its rows. */
export interface ResultEntry {
  cache_key: string | null
  cached_dttm: string | null
  cache_timeout: number
  applied_template_filters: string[]
  annotation_data: Record<string, unknown>
  error: string | null
  is_cached: boolean | null
  query: string
  status: 'success' | 'failed'
  stacktrace: null
  rowcount: number
  sql_rowcount: number
  from_dttm: number | null
  to_dttm: number | null
  label_map: Record<string, string[]>
  /** Column names of a laid-out pivot table are lists of parts. */
  colnames: (string | readonly unknown[])[]
  indexnames: (string | number | readonly unknown[])[]
  coltypes: number[]
  result_format: string
  applied_filters: { column: string }[]
  rejected_filters: { column: string; reason: string }[]
}

/** Returns the fields of an entry that depend on the run. As in the reference, a result without rows has no column names. */
export function buildEntryShape(
  header: RunHeader,
  dataset: PlannerDataset,
): Pick<ResultEntry, 'rowcount' | 'sql_rowcount' | 'colnames' | 'coltypes' | 'indexnames' | 'label_map'> {
  const columns = header.rowcount === 0 ? [] : header.columns
  return {
    rowcount: header.rowcount,
    sql_rowcount: header.sql_rowcount,
    colnames: header.layout?.colnames ?? columns.map(({ name }) => name),
    coltypes: header.layout?.coltypes ?? computeColtypes(columns, dataset),
    indexnames: header.layout?.indexnames ?? header.indexNames ?? countUpTo(header.rowcount),
    label_map: header.labelMap ?? Object.fromEntries(header.columns.map(({ name }) => [name, [name]])),
  }
}

/** `Array.from` with a function is several times slower. */
function countUpTo(count: number): number[] {
  const numbers: number[] = []
  for (let index = 0; index < count; index++) numbers.push(index)
  return numbers
}

/** Pieces of an entry with the runner's finished bytes as its `data`, which are neither parsed nor copied. */
export const entryPieces = (entry: object, data: Buffer): Buffer[] => [
  Buffer.from(`${JSON.stringify(entry).slice(0, -1)},"data":`),
  data,
  Buffer.from('}'),
]

/** Serializes an entry like `entryPieces`. */
export const withData = (entry: object, data: Buffer): Buffer => Buffer.concat(entryPieces(entry, data))

/** Joins the pieces of entries to `{"result":[...]}`, copying their bytes once. */
export function joinEntries(entries: readonly (readonly Buffer[])[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('{"result":[')]
  entries.forEach((entry, index) => {
    if (index > 0) pieces.push(Buffer.from(','))
    pieces.push(...entry)
  })
  pieces.push(Buffer.from(']}'))
  return Buffer.concat(pieces)
}
