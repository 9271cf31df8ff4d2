import { splitCsv } from './csv.ts'
import { decodeText } from './encoding.ts'
import type { FileColumn, FilePreview } from './guess.ts'
import { guessMajorityType, matchesType } from './types.ts'

/** A column with values that do not match its type; for a text column, the type of most of its values. */
export interface MismatchedColumn extends Pick<FileColumn, 'source' | 'type' | 'format'> {
  count: number
  /** Number of records checked; `isWhole` is true if those are all. */
  of: number
  isWhole: boolean
}

export interface Mismatches {
  columns: MismatchedColumn[]
  /** Lines with more or fewer values than there are column names. */
  lines: number
  /** `source` is null if the whole line is invalid. */
  samples: { line: number; source: FileColumn['source'] | null; value: string }[]
}

const maxSamples = 20

/**
 * Returns the values at the start of a CSV file that do not match its columns; null for other formats, which are checked when
 * loading.
 */
export function findMismatches(
  bytes: Uint8Array,
  { style, width }: Pick<FilePreview, 'style' | 'width'>,
  columns: readonly FileColumn[],
  isWhole: boolean,
): Mismatches | null {
  if (style.format !== 'csv') return null
  const text = decodeText(bytes, style.encoding)
  const records = splitCsv(text, style, { isWhole, skip: style.skip }).slice(style.header ? 1 : 0)
  const nulls = new Set<string>(style.nulls)
  const samples: Mismatches['samples'] = []
  const tell = (line: number, source: FileColumn['source'] | null, value: string) => {
    if (samples.length < maxSamples) samples.push({ line, source, value: value.slice(0, 200) })
  }
  const valueOf = (values: readonly string[], { source }: MismatchedColumn) => (values[source as number] ?? '').trim()
  const checked = columns.flatMap(({ source, ...as }): MismatchedColumn[] => {
    const all = () => records.map(({ values }) => values[source as number] ?? '')
    const like = as.type === 'text' ? guessMajorityType(all(), style, style.nulls) : as
    return like ? [{ source, type: like.type, format: like.format, count: 0, of: records.length, isWhole }] : []
  })
  let lines = 0
  for (const { line, values } of records) {
    if (values.length !== width) {
      lines++
      tell(line, null, values.join(style.delimiter))
      continue
    }
    for (const column of checked) {
      const value = valueOf(values, column)
      if (value === '' || nulls.has(value) || matchesType(value, column.type, style, column.format ?? 'iso')) continue
      column.count++
      tell(line, column.source, value)
    }
  }
  return { columns: checked.filter(({ count }) => count > 0), lines, samples }
}
