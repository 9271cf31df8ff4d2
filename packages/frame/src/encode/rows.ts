import { formatTime } from '../calendar.ts'
import type { Column, Frame, PlainText, TextColumn } from '../frame.ts'
import { formatDecimal, isFloat, storedText } from '../cells.ts'
import { utf8 } from '../utf8.ts'
import type { CheckBytes, EncodedColumn, Encoder } from './encoder.ts'
import { writeQuoted, encodeWords, type EncodedWords } from './json-text.ts'
import { splitInt64, putDecimal, safeIntegerAt, writeDouble } from './numbers.ts'
import { Sink } from './sink.ts'
import { writeIso } from './times.ts'

const nullText = utf8.encode('null')
const trueText = utf8.encode('true')
const falseText = utf8.encode('false')

/** Writes the value of one row. */
type Writer = (row: number) => void

/**
 * Writes a JSON list of row objects. Times are milliseconds as floats (`31536000000.0`) or ISO text; decimals and big integers
 * have all their digits, but with `iso` (SQL Lab) an integer beyond 2^53 is text; NaN and infinities are null. Only the last of
 * several columns with the same name is written.
 */
export function createRowsEncoder({ times }: { times: 'ms' | 'iso' }, check?: CheckBytes): Encoder {
  const sink = new Sink(check)
  /** Encoded words of dictionaries, reused while frames share a dictionary. */
  const words = new WeakMap<PlainText, EncodedWords>()
  let names: string[] = []
  /** Index of the last column of each name. */
  let last: ReadonlyMap<string, number> = new Map()
  let any = false

  function frame({ rows, columns }: Frame): Uint8Array[] {
    const lastOfName = columns.map((_, index) => index).filter((index) => last.get(names[index]!) === index)
    const writers = lastOfName.map((index) =>
      nullable(columns[index]!, valueWriter(columns[index]!, rows, sink, times, words), sink),
    )
    const keys = lastOfName.map((at, index) => utf8.encode(`${index ? ',' : '{'}${JSON.stringify(names[at])}:`))
    const width = writers.length
    for (let row = 0; row < rows; row++) {
      if (any) sink.byte(44)
      any = true
      if (width === 0) sink.byte(123)
      for (let index = 0; index < width; index++) {
        sink.copy(keys[index]!)
        writers[index]!(row)
      }
      sink.byte(125)
    }
    return sink.takeFull()
  }

  return {
    start(columns: readonly EncodedColumn[]) {
      names = columns.map(({ name }) => name)
      last = new Map(names.map((name, index) => [name, index]))
      sink.byte(91)
      return []
    },
    frame,
    end() {
      sink.byte(93)
      return sink.takeAll()
    },
  }
}

function nullable({ validity }: Column, write: Writer, sink: Sink): Writer {
  if (!validity) return write
  return (row) => {
    if ((validity[row >> 3]! >> (row & 7)) & 1) write(row)
    else sink.copy(nullText)
  }
}

function valueWriter(
  column: Column,
  rows: number,
  sink: Sink,
  times: 'ms' | 'iso',
  words: WeakMap<PlainText, EncodedWords>,
): Writer {
  switch (column.kind) {
    case 'number': {
      const { data } = column
      if (!isFloat(column)) return (row) => sink.integer(data[row]!)
      return (row) => {
        const value = data[row]!
        if (Number.isFinite(value)) writeDouble(sink, value)
        else sink.copy(nullText)
      }
    }
    case 'bigint': {
      const halves = splitInt64(column)
      const quote = times === 'iso' ? '"' : ''
      return (row) => {
        const value = safeIntegerAt(halves, row)
        if (Number.isSafeInteger(value)) sink.integer(value)
        else sink.ascii(`${quote}${column.data[row]!}${quote}`)
      }
    }
    case 'decimal':
      return decimalWriter(column, sink)
    case 'time': {
      const { data, unit, nanos } = column
      return (row) => {
        const value = data[row]!
        if (!Number.isFinite(value)) sink.copy(nullText)
        else if (times === 'ms') writeDouble(sink, value)
        else if (nanos?.[row]) sink.ascii(`"${formatTime(value, unit, 'T', nanos[row])}"`)
        else {
          sink.byte(34)
          writeIso(sink, value, unit)
          sink.byte(34)
        }
      }
    }
    case 'boolean': {
      const { data } = column
      return (row) => sink.copy(data[row] ? trueText : falseText)
    }
    default:
      if (column.numeric) return numericWriter(column, sink, times)
      return textWriter(column, rows, sink, words)
  }
}

function decimalWriter(column: Extract<Column, { kind: 'decimal' }>, sink: Sink): Writer {
  const halves = splitInt64(column)
  const { scale } = column
  const power = 10 ** scale
  return (row) => {
    const value = safeIntegerAt(halves, row)
    if (!Number.isSafeInteger(value)) return sink.ascii(formatDecimal(column, row))
    sink.reserve()
    sink.at = putDecimal(sink.bytes, sink.at, value, scale, power)
  }
}

/** Writes numeric text unquoted when it is a JSON number; other values such as `NaN` are null. */
function numericWriter(column: TextColumn, sink: Sink, times: 'ms' | 'iso'): Writer {
  return (row) => {
    const text = storedText(column, row)
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) sink.copy(nullText)
    else if (times === 'iso' && /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) sink.ascii(`"${text}"`)
    else sink.copy(utf8.encode(text))
  }
}

function textWriter(
  { text, raw }: TextColumn,
  rows: number,
  sink: Sink,
  cache: WeakMap<PlainText, EncodedWords>,
): Writer {
  const write = raw
    ? (to: Sink, from: Uint8Array, start: number, end: number) => to.copy(from, start, end)
    : writeQuoted
  if (text.as === 'plain') {
    const { bytes, offsets } = text
    return (row) => write(sink, bytes, offsets[row]!, offsets[row + 1]!)
  }
  const { codes } = text
  let written = cache.get(text.words)
  if (!written && text.words.offsets.length > rows + 1) {
    const { bytes, offsets } = text.words
    return (row) => write(sink, bytes, offsets[codes[row]!]!, offsets[codes[row]! + 1]!)
  }
  if (!written) cache.set(text.words, (written = encodeWords(text.words, write)))
  const { bytes, offsets } = written
  return (row) => sink.copy(bytes, offsets[codes[row]!], offsets[codes[row]! + 1])
}
