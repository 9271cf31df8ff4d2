import { splitTime } from '../calendar.ts'
import { cellAt, formatDecimal, isFloat, isNull } from '../cells.ts'
import type { BigintColumn, Column, DecimalColumn, PlainText, TextColumn, TimeColumn } from '../frame.ts'
import { packTexts, utf8 } from '../utf8.ts'
import type { CsvText } from './csv-text.ts'
import { maxValueBytes, putAscii, putInteger, putPadded } from './digits.ts'
import { splitInt64, putDecimal, putDouble, safeIntegerAt } from './numbers.ts'
import { putClock, putDate } from './times.ts'

/** Fields of a column as written to the file: field `i` is bytes[starts[i]..ends[i]]. */
export interface FieldSlices {
  bytes: Uint8Array
  starts: Uint32Array
  ends: Uint32Array
}
type FieldOffsets = Pick<FieldSlices, 'starts' | 'ends'>

/** Precision with which a column shows its times. */
export const timePrecisions = { date: 0, seconds: 1, milliseconds: 2, microseconds: 3, nanoseconds: 4 } as const

/** Writes a value at `at`. @returns the position after it */
type Put = (bytes: Uint8Array, index: number, value: number, row: number) => number

const booleanTexts = utf8.encode('TrueFalse')

/** Creates the fields of a batch of rows, column by column, in memory that is reused for the next batch. */
export class CsvFields {
  /** Maximum number of rows per batch. */
  readonly maxRows: number
  #text: CsvText
  #numbers: Float64Array
  #places: FieldOffsets[]
  /** Numbers and times of all columns, one after the other. */
  #bytes: Uint8Array
  #used = 0
  /** Encoded words of dictionaries, reused while frames share a dictionary. */
  #words = new WeakMap<PlainText, FieldSlices>()

  constructor(width: number, text: CsvText) {
    this.#text = text
    const maxRows = (this.maxRows = Math.max(1, Math.min(2048, Math.floor(131_072 / width))))
    this.#numbers = new Float64Array(maxRows)
    this.#bytes = new Uint8Array(maxRows * width * maxValueBytes)
    this.#places = Array.from({ length: width }, () => ({
      starts: new Uint32Array(maxRows),
      ends: new Uint32Array(maxRows),
    }))
  }

  /**
   * Fields of the rows `from` to `to`, at most `maxRows` of them; valid until the next call.
   * @param forms precision of the time columns
   */
  encode(columns: readonly Column[], from: number, to: number, forms: readonly number[]): FieldSlices[] {
    this.#used = 0
    return columns.map((column, index) => this.#fields(column, from, to, forms[index] ?? 0, this.#places[index]!))
  }

  #fields(column: Column, from: number, to: number, form: number, fieldOffsets: FieldOffsets): FieldSlices {
    switch (column.kind) {
      case 'number':
        this.#numbers.set(column.data.subarray(from, to))
        return this.#numeric(column, from, to, fieldOffsets, isFloat(column) ? putFloat : putInteger)
      case 'time':
        this.#numbers.set(column.data.subarray(from, to))
        return this.#numeric(column, from, to, fieldOffsets, timePutter(column, form))
      case 'bigint':
      case 'decimal': {
        const halves = splitInt64(column)
        for (let row = from; row < to; row++) this.#numbers[row - from] = safeIntegerAt(halves, row)
        return this.#numeric(column, from, to, fieldOffsets, wholePutter(column))
      }
      case 'boolean':
        for (let row = from; row < to; row++) {
          const isTrue = column.data[row] !== 0
          fieldOffsets.starts[row - from] = isTrue ? 0 : 4
          fieldOffsets.ends[row - from] = isTrue ? 4 : 9
        }
        return withoutNulls(column, from, to, { bytes: booleanTexts, ...fieldOffsets })
      default:
        return this.#texts(column, from, to, fieldOffsets)
    }
  }

  /** Fields of numbers. A value equal to the one before reuses its bytes. */
  #numeric(column: Column, from: number, to: number, { starts, ends }: FieldOffsets, writeNumber: Put): FieldSlices {
    const { validity } = column
    const hasNanos = column.kind === 'time' && column.nanos !== undefined
    const bytes = this.#bytes
    const numbers = this.#numbers
    let end = this.#used
    let start = end
    let before = NaN
    for (let index = 0; index < to - from; index++) {
      const row = from + index
      if (validity && ((validity[row >> 3]! >> (row & 7)) & 1) === 0) {
        starts[index] = ends[index] = 0
        continue
      }
      const value = numbers[index]!
      // 0 and -0 compare equal, but are written differently; times may differ in their nanoseconds.
      if (value !== before || value === 0 || hasNanos) {
        start = end
        end = writeNumber(bytes, start, value, row)
        before = value
      }
      starts[index] = start
      ends[index] = end
    }
    this.#used = end
    return { bytes, starts, ends }
  }

  #texts(column: TextColumn, from: number, to: number, fieldOffsets: FieldOffsets): FieldSlices {
    const { starts, ends } = fieldOffsets
    const rows = to - from
    if (column.raw || column.text.as === 'plain') {
      const { bytes, offsets } = column.raw ? rawTexts(column, from, to) : (column.text as PlainText)
      const first = column.raw ? 0 : from
      starts.set(offsets.subarray(first, first + rows))
      ends.set(offsets.subarray(first + 1, first + rows + 1))
      return this.#quoted(withoutNulls(column, from, to, { bytes, starts, ends }), rows)
    }
    const { codes, words } = column.text
    // If a dictionary has more words than the frame has rows, the rows are encoded instead of the words.
    const isWordEncoded = this.#words.has(words) || words.offsets.length - 1 <= codes.length
    const source = isWordEncoded ? this.#wordsOf(words) : toFieldSlices(words)
    for (let index = 0; index < rows; index++) {
      const code = codes[from + index]!
      starts[index] = source.starts[code]!
      ends[index] = source.ends[code]!
    }
    const fields = withoutNulls(column, from, to, { bytes: source.bytes, starts, ends })
    return isWordEncoded ? fields : this.#quoted(fields, rows)
  }

  #wordsOf(words: PlainText): FieldSlices {
    let written = this.#words.get(words)
    if (!written) this.#words.set(words, (written = this.#quoted(toFieldSlices(words), words.offsets.length - 1)))
    return written
  }

  /** Encodes texts as fields, in separate memory when one of them must be quoted. */
  #quoted(texts: FieldSlices, count: number): FieldSlices {
    const { bytes, starts, ends } = texts
    const { more, put } = this.#text
    let [length, longer] = [0, 0]
    for (let index = 0; index < count; index++) {
      length += ends[index]! - starts[index]!
      longer += more(bytes, starts[index]!, ends[index]!)
    }
    if (longer === 0) return texts
    const own = new Uint8Array(length + longer)
    let end = 0
    for (let index = 0; index < count; index++) {
      const start = end
      end = put(own, start, bytes, starts[index]!, ends[index]!)
      starts[index] = start
      ends[index] = end
    }
    return { bytes: own, starts, ends }
  }
}

const toFieldSlices = ({ bytes, offsets }: PlainText): FieldSlices => ({
  bytes,
  starts: offsets.slice(0, -1),
  ends: offsets.slice(1),
})

function rawTexts(column: TextColumn, from: number, to: number): PlainText {
  const texts = Array.from({ length: to - from }, (_, index) => {
    const cell = cellAt(column, from + index)
    return typeof cell === 'boolean' ? (cell ? 'True' : 'False') : String(cell ?? '')
  })
  return packTexts(texts)
}

function withoutNulls(column: Column, from: number, to: number, fields: FieldSlices): FieldSlices {
  if (column.validity)
    for (let row = from; row < to; row++)
      if (isNull(column, row)) fields.starts[row - from] = fields.ends[row - from] = 0
  return fields
}

/** NaN and infinities are written as words, because an empty field is null. */
const putFloat: Put = (bytes, index, value) =>
  Number.isFinite(value) ? putDouble(bytes, index, value) : putAscii(bytes, index, String(value))

/** Writes integers and decimals; values that are not safe integers arrive as NaN and are read from the column. */
function wholePutter(column: BigintColumn | DecimalColumn): Put {
  const scale = column.kind === 'decimal' ? column.scale : 0
  const power = 10 ** scale
  return (bytes, index, value, row) => {
    if (Number.isSafeInteger(value)) return putDecimal(bytes, index, value, scale, power)
    return putAscii(bytes, index, column.kind === 'decimal' ? formatDecimal(column, row) : String(column.data[row]))
  }
}

function timePutter({ unit, nanos }: TimeColumn, form: number): Put {
  return (bytes, index, value, row) => {
    if (!Number.isFinite(value)) return index
    const [day, micros] = splitTime(value)
    let end = putDate(bytes, index, day)
    if (form === timePrecisions.date) return end
    bytes[end] = 32
    end = putClock(bytes, end + 1, micros, form >= timePrecisions.milliseconds)
    if (form === timePrecisions.milliseconds) end -= 3
    if (form === timePrecisions.nanoseconds) end = putPadded(bytes, end, nanos?.[row] ?? 0, 3)
    return unit === 'zoned' ? putAscii(bytes, end, '+00:00') : end
  }
}
