import { splitTime } from '../calendar.ts'
import { cellAt, isFloat, isNull } from '../cells.ts'
import type { Column, Frame, PlainText, TimeColumn } from '../frame.ts'
import { utf8 } from '../utf8.ts'
import { csvText } from './csv-text.ts'
import type { EncodedColumn, Encoder } from './encoder.ts'
import { writtenWords, type Words } from './json-text.ts'
import { halvesOf, safeAt, writeDouble } from './numbers.ts'
import { decimalWriter } from './rows.ts'
import { Sink } from './sink.ts'
import { writeClock, writeDate } from './times.ts'

type Writer = (row: number) => void

/** How much of a time a column shows: all its values one form, as wide as the widest so far needs. */
const forms = ['date', 'seconds', 'milliseconds', 'microseconds'] as const

const trueText = utf8.encode('True')
const falseText = utf8.encode('False')

export interface CsvOptions {
  /** Whether texts that a spreadsheet may take for a formula are defused. */
  escape: boolean
  /** One ASCII character. */
  separator: string
  header: boolean
}

/**
 * CSV (RFC 4180, UTF-8, lines end with LF) as the API writes it: `True` and `False`, `2020-02-29 13:14:15`, whole doubles
 * with `.0`, decimals with all their digits, nothing for null. Without any row the file is one empty line. A column of times
 * shows dates only as long as all its values are midnights.
 */
export function csvEncoder({ escape, separator, header }: CsvOptions): Encoder {
  const sink = new Sink()
  const comma = separator.charCodeAt(0)
  const write = csvText(comma, escape)
  const words = new WeakMap<PlainText, Words>()
  let headings: Uint8Array[] = []
  const formOf: number[] = []
  let any = false

  function line(cells: number, cell: (at: number) => void): void {
    const start = sink.at
    for (let at = 0; at < cells; at++) {
      if (at > 0) sink.byte(comma)
      cell(at)
    }
    // A line of one empty field would read as no line at all.
    if (cells === 1 && sink.at === start) sink.ascii('""')
    sink.byte(10)
  }

  function begin(): void {
    any = true
    if (header) line(headings.length, (at) => write(sink, headings[at]!, 0, headings[at]!.length))
  }

  function frame({ rows, columns }: Frame): Uint8Array[] {
    if (rows > 0 && !any) begin()
    const writers = columns.map((column, at): Writer => {
      if (column.kind === 'time') formOf[at] = Math.max(formOf[at] ?? 0, widest(column, rows))
      const value = valueWriter(column, rows, sink, write, words, formOf[at] ?? 0)
      return column.validity ? (row) => isNull(column, row) || value(row) : value
    })
    const [only] = writers
    if (writers.length === 1) for (let row = 0; row < rows; row++) line(1, () => only!(row))
    else
      for (let row = 0; row < rows; row++) {
        for (let at = 0; at < writers.length; at++) {
          if (at > 0) sink.byte(comma)
          writers[at]!(row)
        }
        sink.byte(10)
      }
    return sink.full()
  }

  return {
    start(columns: readonly EncodedColumn[]) {
      headings = columns.map(({ name, heading }) => utf8.encode(heading ?? name))
      return []
    },
    frame,
    end() {
      if (!any && header) sink.byte(10)
      return sink.rest()
    },
  }
}

function widest(column: TimeColumn, rows: number): number {
  let form = column.unit === 'zoned' ? 1 : 0
  if (column.unit === 'date') return form
  for (let row = 0; row < rows && form < 3; row++) {
    if (isNull(column, row)) continue
    const value = column.data[row]!
    if (value % 86_400_000 === 0) continue
    form = Math.max(form, value % 1000 === 0 ? 1 : Number.isInteger(value) ? 2 : 3)
  }
  return form
}

function valueWriter(
  column: Column,
  rows: number,
  sink: Sink,
  write: (sink: Sink, from: Uint8Array, start: number, end: number) => void,
  cache: WeakMap<PlainText, Words>,
  form: number,
): Writer {
  switch (column.kind) {
    case 'number': {
      const { data } = column
      if (!isFloat(column)) return (row) => sink.integer(data[row]!)
      return (row) => {
        const value = data[row]!
        if (Number.isFinite(value)) writeDouble(sink, value)
      }
    }
    case 'bigint': {
      const halves = halvesOf(column)
      return (row) => {
        const value = safeAt(halves, row)
        if (Number.isSafeInteger(value)) sink.integer(value)
        else sink.ascii(String(column.data[row]))
      }
    }
    case 'decimal':
      return decimalWriter(column, sink)
    case 'time':
      return timeWriter(column, sink, forms[form]!)
    case 'boolean': {
      const { data } = column
      return (row) => sink.copy(data[row] ? trueText : falseText)
    }
    default: {
      if (column.raw)
        return (row) => {
          const cell = cellAt(column, row)
          const text = utf8.encode(typeof cell === 'boolean' ? (cell ? 'True' : 'False') : String(cell))
          write(sink, text, 0, text.length)
        }
      const { text } = column
      if (text.as === 'plain') {
        const { bytes, offsets } = text
        return (row) => write(sink, bytes, offsets[row]!, offsets[row + 1]!)
      }
      const { codes, words } = text
      let written = cache.get(words)
      if (!written && words.offsets.length > rows + 1)
        return (row) => write(sink, words.bytes, words.offsets[codes[row]!]!, words.offsets[codes[row]! + 1]!)
      if (!written) cache.set(words, (written = writtenWords(words, write)))
      const { bytes, offsets } = written
      return (row) => sink.copy(bytes, offsets[codes[row]!], offsets[codes[row]! + 1])
    }
  }
}

function timeWriter({ data, unit }: TimeColumn, sink: Sink, form: (typeof forms)[number]): Writer {
  return (row) => {
    const value = data[row]!
    if (!Number.isFinite(value)) return
    const [day, micros] = splitTime(value)
    writeDate(sink, day)
    if (form === 'date') return
    sink.byte(32)
    writeClock(sink, micros, form === 'milliseconds' || form === 'microseconds')
    if (form === 'milliseconds') sink.at -= 3
    if (unit === 'zoned') sink.ascii('+00:00')
  }
}
