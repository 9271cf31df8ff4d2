import { isRagged, type RecordValue, splitCsv } from './csv.ts'
import { decodeText } from './encoding.ts'
import type { FileColumn, FilePreview, FileStyle, MismatchedColumn, Mismatches } from './file-preview.ts'
import { guessMajorityType } from './guess-type.ts'
import { parseJsonRows } from './json.ts'
import { matchesReading } from './types.ts'

/** A record with the line on which it begins, from 1; for other files than text files, the number of the record. */
export interface NumberedRecord {
  line: number
  /** By position, or by name in JSON. */
  values: RecordValue[] | Readonly<Record<string, string>>
}

const valueAt = (values: NumberedRecord['values'], source: FileColumn['source']): string =>
  (Array.isArray(values) ? values[source as number] : values[source]) ?? ''

const isRaggedRecord = (values: NumberedRecord['values'], width: number): values is RecordValue[] =>
  Array.isArray(values) && isRagged(values, width)

const maxSamples = 20

/** Returns the values at the start of a text file that do not match its columns; null for other formats. */
export function findMismatches(
  bytes: Uint8Array,
  { style, width }: Pick<FilePreview, 'style' | 'width'>,
  columns: readonly FileColumn[],
  isWhole: boolean,
): Mismatches | null {
  if (style.format !== 'csv' && style.format !== 'json') return null
  const text = decodeText(bytes, style.encoding)
  const records =
    style.format === 'csv'
      ? splitCsv(text, style, { isWhole, skip: style.skip }).slice(style.header ? 1 : 0)
      : (parseJsonRows(text, isWhole, Infinity) ?? []).map((values, index) => ({ line: index + 1, values }))
  return findRecordMismatches(records, { style, width }, columns, isWhole)
}

/** Returns the values of records that do not match their columns, and the records that have too many or too few values. */
export function findRecordMismatches(
  records: readonly NumberedRecord[],
  { style, width }: { style: FileStyle; width: number },
  columns: readonly FileColumn[],
  isWhole: boolean,
): Mismatches {
  const nulls = new Set<string>(style.nulls)
  const samples: Mismatches['samples'] = []
  const tell = (line: number, source: FileColumn['source'] | null, value: string) => {
    if (samples.length < maxSamples) samples.push({ line, source, value: value.slice(0, 200) })
  }
  const checked = columns.flatMap(({ source, ...as }): MismatchedColumn[] => {
    const all = () =>
      records.filter(({ values }) => !isRaggedRecord(values, width)).map(({ values }) => valueAt(values, source))
    const like = as.type === 'text' ? guessMajorityType(all(), style, style.nulls) : as
    if (!like) return []
    const { type, format, exact = false } = like
    return [{ source, type, format, exact, count: 0, of: records.length, isWhole }]
  })
  const lines = { short: 0, long: 0 }
  for (const { line, values } of records) {
    if (isRaggedRecord(values, width)) {
      lines[values.length < width ? 'short' : 'long']++
      tell(line, null, values.join(style.delimiter))
      continue
    }
    for (const column of checked) {
      const value = valueAt(values, column.source).trim()
      if (value === '' || nulls.has(value) || matchesReading(value, column, style)) continue
      column.count++
      tell(line, column.source, value)
    }
  }
  return { columns: checked.filter(({ count }) => count > 0), lines, samples }
}
