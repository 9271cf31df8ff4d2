import { isNull, isText } from './cells.ts'
import { buildValidity } from './columns.ts'
import type { Column, Frame, PlainText, TextColumn } from './frame.ts'

/**
 * Rows of a column in the given order, with the same kind and exact values. Row −1 is null. Texts that would need more memory
 * because rows repeat become the words of a dictionary.
 */
export function take(column: Column, order: ArrayLike<number>): Column {
  const rows = order.length
  const validity = buildValidity(rows, (index) => order[index]! >= 0 && !isNull(column, order[index]!))
  if (isText(column)) {
    const { text } = column
    if (text.as === 'dictionary')
      return { ...column, validity, text: { ...text, codes: gather(text.codes, order) as typeof text.codes } }
    const bytes = measureTexts(text, order)
    if (bytes <= text.bytes.length) return { ...column, validity, text: gatherTexts(text, order, bytes) }
    const codes = Uint32Array.from({ length: rows }, (_, index) => Math.max(0, order[index]!))
    return { ...column, validity, text: { as: 'dictionary', codes, words: text } }
  }
  const nanos = column.kind === 'time' && column.nanos ? { nanos: gather(column.nanos, order) } : {}
  return { ...column, validity, data: gather(column.data, order), ...nanos } as Column
}

/** Rows from `start` to `end` (exclusive) of a frame. */
export function slice({ rows, columns }: Frame, start: number, end: number = rows): Frame {
  const from = Math.min(Math.max(0, start), rows)
  const order = Int32Array.from({ length: Math.max(0, Math.min(end, rows) - from) }, (_, index) => from + index)
  return { rows: order.length, columns: columns.map((column) => take(column, order)) }
}

type DataColumn = Exclude<Column, TextColumn>
type Values = DataColumn['data'] | Uint16Array | Uint32Array

function gather(data: Values, order: ArrayLike<number>): Values {
  const out = new (data.constructor as new (length: number) => Values)(order.length)
  for (let index = 0; index < order.length; index++) if (order[index]! >= 0) out[index] = data[order[index]!]!
  return out
}

function measureTexts({ offsets }: PlainText, order: ArrayLike<number>): number {
  let bytes = 0
  for (let index = 0; index < order.length; index++) {
    const row = order[index]!
    if (row >= 0) bytes += offsets[row + 1]! - offsets[row]!
  }
  return bytes
}

function gatherTexts({ bytes, offsets, ascii }: PlainText, order: ArrayLike<number>, length: number): PlainText {
  const ends = new Uint32Array(order.length + 1)
  for (let index = 0; index < order.length; index++) {
    const row = order[index]!
    ends[index + 1] = ends[index]! + (row >= 0 ? offsets[row + 1]! - offsets[row]! : 0)
  }
  const packed = new Uint8Array(length)
  for (let index = 0; index < order.length; index++) {
    const row = order[index]!
    if (row >= 0) packed.set(bytes.subarray(offsets[row]!, offsets[row + 1]!), ends[index]!)
  }
  return { as: 'plain', bytes: packed, offsets: ends, ascii }
}
