import { splitCsv } from './csv.ts'
import { decode } from './encoding.ts'
import type { FileColumn, FileLook } from './guess.ts'
import { nullWords, reads } from './types.ts'

export interface Strays {
  /** By column: values that do not read as its type. */
  columns: { name: string; type: FileColumn['type']; count: number }[]
  /** Lines with more or fewer values than the heading has names. */
  lines: number
  /** Records looked at, and whether those are all. */
  of: number
  isWhole: boolean
  samples: { line: number; column: string | null; value: string }[]
}

const maxSamples = 20

/** What of a CSV file's start does not fit its columns; null of other files, whose values are checked when they are loaded. */
export function findStrays(
  bytes: Uint8Array,
  { style, width }: Pick<FileLook, 'style' | 'width'>,
  columns: readonly FileColumn[],
  isWhole: boolean,
): Strays | null {
  if (style.format !== 'csv') return null
  const text = decode(bytes, style.encoding)
  const skipped = style.skip > 0 ? text.split(/\r\n|\n|\r/, style.skip) : []
  const body = style.skip > 0 ? text.slice(skipped.join('\n').length + style.skip) : text
  const records = splitCsv(body, style, { isWhole }).slice(style.header ? 1 : 0)
  const words = new Set<string>([...nullWords, ...style.nulls])
  const counts = new Map<FileColumn, number>()
  const samples: Strays['samples'] = []
  const tell = (line: number, column: string | null, value: string) => {
    if (samples.length < maxSamples) samples.push({ line: line + style.skip, column, value: value.slice(0, 200) })
  }
  let lines = 0
  const typed = columns.filter(({ type }) => type !== 'text')
  for (const { line, values } of records) {
    if (values.length !== width) {
      lines++
      tell(line, null, values.join(style.delimiter))
      continue
    }
    for (const column of typed) {
      const value = (values[column.source as number] ?? '').trim()
      if (value === '' || words.has(value) || reads(value, column.type, style, column.format ?? 'iso')) continue
      counts.set(column, (counts.get(column) ?? 0) + 1)
      tell(line, column.name, value)
    }
  }
  const found = [...counts].map(([{ name, type }, count]) => ({ name, type, count }))
  return { columns: found, lines, of: records.length, isWhole, samples }
}
