import { AppError } from '@parquetry/model/errors'
import { isText } from '../cells.ts'
import type { Column, Frame, PlainText } from '../frame.ts'
import { utf8 } from '../utf8.ts'
import { maxHeadBytes } from './decode.ts'
import { arrayNameOf, padToEight, type WireArray, type WireColumn, type WireText } from './format.ts'

/**
 * Encodes one message, with a length that is a multiple of 8: `u32` length of the head (little-endian), the head as JSON, padding
 * to 8 bytes, then the columns' buffers. The head is `head` plus `frame`, which describes the buffers; without a frame the
 * message is only the head.
 * @throws AppError `result_too_large` for names of columns that no reader would accept
 */
export function encodeMessage(head: object, frame?: Frame): Uint8Array {
  const body = new Body()
  const columns = frame?.columns.map((column) => wireColumn(column, frame.rows, body))
  const text = JSON.stringify(frame ? { ...head, frame: { rows: frame.rows, bytes: body.length, columns } } : head)
  const headBytes = utf8.encode(text)
  if (headBytes.length > maxHeadBytes) throw new AppError('result_too_large')
  const start = padToEight(4 + headBytes.length)
  const message = new Uint8Array(start + body.length)
  new DataView(message.buffer).setUint32(0, headBytes.length, true)
  message.set(headBytes, 4)
  body.writeTo(message, start)
  return message
}

/** Positions of the buffers, each a multiple of 8; they are written once the length is known. */
class Body {
  length = 0
  readonly #parts: [at: number, bytes: Uint8Array][] = []

  place({
    buffer,
    byteOffset,
    byteLength,
  }: {
    buffer: ArrayBufferLike
    byteOffset: number
    byteLength: number
  }): number {
    const at = this.length
    this.#parts.push([at, new Uint8Array(buffer, byteOffset, byteLength)])
    this.length += padToEight(byteLength)
    return at
  }

  writeTo(message: Uint8Array, start: number): void {
    for (const [at, bytes] of this.#parts) message.set(bytes, start + at)
  }
}

function wireColumn(column: Column, rows: number, body: Body): WireColumn {
  const { name, type, kind, parts, validity } = column
  const wire: WireColumn = { name, type, kind, ...(parts && { parts }) }
  // An engine's bitmap may be longer than the rows need.
  if (validity) wire.nulls = body.place(validity.subarray(0, (rows + 7) >> 3))
  if (isText(column)) {
    const { text } = column
    if (column.numeric) wire.numeric = true
    if (column.raw) wire.raw = true
    if (text.as === 'dictionary') {
      wire.data = encodeArray(text.codes, rows, body)
      wire.text = encodeTexts(text.words, text.words.offsets.length - 1, body)
    } else {
      wire.text = encodeTexts(text, rows, body)
    }
    return wire
  }
  wire.data = encodeArray(column.data, rows, body)
  if (column.kind === 'decimal') wire.scale = column.scale
  if (column.kind === 'time') {
    wire.unit = column.unit
    if (column.nanos) wire.nanos = body.place(column.nanos.subarray(0, rows))
  }
  return wire
}

const encodeArray = (data: WireArray, rows: number, body: Body): NonNullable<WireColumn['data']> => [
  arrayNameOf(data),
  body.place(data.subarray(0, rows)),
]

function encodeTexts(text: PlainText, count: number, body: Body): WireText {
  const own = text.offsets.subarray(0, count + 1)
  const start = own[0] ?? 0
  const end = own[count] ?? 0
  const offsets = own.length === 0 ? new Uint32Array(1) : start === 0 ? own : own.map((offset) => offset - start)
  return {
    count,
    offsets: body.place(offsets),
    bytes: body.place(text.bytes.subarray(start, end)),
    length: end - start,
    ascii: text.ascii,
  }
}
