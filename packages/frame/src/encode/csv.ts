import { isNull } from '../cells.ts'
import type { Frame, TimeColumn } from '../frame.ts'
import { packTexts } from '../utf8.ts'
import { CsvFields, type FieldSlices, timePrecisions } from './csv-fields.ts'
import { createCsvText } from './csv-text.ts'
import type { CheckBytes, EncodedColumn, Encoder } from './encoder.ts'
import { Sink } from './sink.ts'

export interface CsvOptions {
  /** Neutralizes text that a spreadsheet may interpret as a formula. */
  escape: boolean
  /** One ASCII character. */
  separator: string
  header: boolean
}

/**
 * CSV (RFC 4180, UTF-8, lines end with LF) as the API writes it: `True` and `False`, `2020-02-29 13:14:15`, whole doubles with
 * `.0`, decimals with all their digits, nothing for null, `NaN` and `Infinity` in words. Without rows the file is its header. A
 * time column shows dates only while all its values are midnights; otherwise it uses the highest precision that any value so far
 * needs.
 *
 * Columns are encoded one at a time and then copied to their positions in the lines: a loop over values of one kind is several
 * times as fast as one over cells of mixed kinds.
 */
export function createCsvEncoder({ escape, separator, header }: CsvOptions, check?: CheckBytes): Encoder {
  const sink = new Sink(check)
  const comma = separator.charCodeAt(0)
  const text = createCsvText(comma, escape)
  let headings: string[] = []
  let fields: CsvFields | null = null
  const forms: number[] = []

  function start(): CsvFields {
    const width = headings.length
    const csvFields = new CsvFields(width, text)
    const column = { kind: 'string', name: '', type: null, validity: null } as const
    const columns = headings.map((heading) => ({ ...column, text: packTexts([heading]) }))
    if (header) writeLines(sink, csvFields.encode(columns, 0, 1, []), 1, comma)
    return csvFields
  }

  return {
    start(columns: readonly EncodedColumn[]) {
      headings = columns.map(({ name, heading }) => heading ?? name)
      return []
    },
    frame({ rows, columns }: Frame) {
      if (rows === 0) return []
      fields ??= start()
      columns.forEach((column, index) => {
        if (column.kind === 'time') forms[index] = findTimePrecision(column, rows, forms[index] ?? timePrecisions.date)
      })
      for (let from = 0; from < rows; from += fields.maxRows) {
        const to = Math.min(rows, from + fields.maxRows)
        writeLines(sink, fields.encode(columns, from, to, forms), to - from, comma)
      }
      return sink.takeFull()
    },
    end() {
      if (!fields && headings.length > 0) start()
      return sink.takeAll()
    },
  }
}

function findTimePrecision(column: TimeColumn, rows: number, before: number): number {
  if (column.nanos) return timePrecisions.nanoseconds
  let form = column.unit === 'zoned' ? Math.max(before, timePrecisions.seconds) : before
  if (column.unit === 'date') return form
  for (let row = 0; row < rows && form < timePrecisions.microseconds; row++) {
    if (isNull(column, row)) continue
    const value = column.data[row]!
    if (form === timePrecisions.date && isMultiple(value, 86_400_000)) continue
    if (isMultiple(value, 1000)) form = Math.max(form, timePrecisions.seconds)
    else form = Number.isInteger(value) ? timePrecisions.milliseconds : timePrecisions.microseconds
  }
  return form
}

/** Division is much faster than a remainder. */
const isMultiple = (value: number, divisor: number): boolean => value - Math.floor(value / divisor) * divisor === 0

function writeLines(sink: Sink, columns: readonly FieldSlices[], rows: number, comma: number): void {
  const [only] = columns
  if (only && columns.length === 1) return writeShortLines(sink, only, rows)
  /** Position in each line at which the next field is written. */
  const next = new Uint32Array(rows)
  for (const { starts, ends } of columns) for (let row = 0; row < rows; row++) next[row]! += ends[row]! - starts[row]!
  let length = 0
  for (let row = 0; row < rows; row++) {
    const bytes = next[row]! + columns.length
    next[row] = length
    length += bytes
  }
  const { bytes, at } = sink.allocate(length)
  const lines = bytes.subarray(at, at + length)
  columns.forEach((fields, index) => writeColumn(lines, next, fields, rows, index < columns.length - 1 ? comma : 10))
}

/** Copies each field to its position in its line, followed by the byte `behind`. */
function writeColumn(
  lines: Uint8Array,
  next: Uint32Array,
  { bytes, starts, ends }: FieldSlices,
  rows: number,
  behind: number,
): void {
  const to = toDataView(lines)
  const source = toDataView(bytes)
  for (let row = 0; row < rows; row++) {
    let from = starts[row]!
    let at = next[row]!
    const end = ends[row]!
    for (; from + 4 <= end; from += 4, at += 4) to.setInt32(at, source.getInt32(from, true), true)
    for (; from < end; from++) lines[at++] = bytes[from]!
    lines[at++] = behind
    next[row] = at
  }
}

const toDataView = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** Writes lines of one field. Empty fields are quoted, because an empty line would be read as no line. */
function writeShortLines(sink: Sink, { bytes, starts, ends }: FieldSlices, rows: number): void {
  for (let row = 0; row < rows; row++) {
    if (starts[row] === ends[row]) sink.ascii('""')
    else sink.copy(bytes, starts[row], ends[row])
    sink.byte(10)
  }
}
