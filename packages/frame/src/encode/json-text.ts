import type { PlainText } from '../frame.ts'
import { utf8 } from '../utf8.ts'
import { maxReservedBytes, Sink } from './sink.ts'

/** Number of source bytes between two calls of `room`: one byte becomes at most six. */
const block = Math.floor(maxReservedBytes / 6) - 2

const escapes = new Map([
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [12, 'f'],
  [13, 'r'],
  [34, '"'],
  [92, '\\'],
])
/** Escape sequence of each byte that cannot be written as is in JSON text. */
const escaped = Array.from({ length: 128 }, (_, byte) =>
  byte < 32 || byte === 34 || byte === 92
    ? utf8.encode(`\\${escapes.get(byte) ?? `u${byte.toString(16).padStart(4, '0')}`}`)
    : null,
)

/** Writes UTF-8 as JSON text, including the quotes. */
export function writeQuoted(sink: Sink, from: Uint8Array, start: number, end: number): void {
  sink.byte(34)
  for (let next = start; next < end;) {
    sink.reserve()
    const stop = Math.min(end, next + block)
    const { bytes } = sink
    let { at } = sink
    for (; next < stop; next++) {
      const byte = from[next]!
      if (byte >= 35 ? byte !== 92 : byte === 32 || byte === 33) {
        bytes[at++] = byte
        continue
      }
      for (const part of escaped[byte]!) bytes[at++] = part
    }
    sink.at = at
  }
  sink.byte(34)
}

/** Texts that are encoded once and copied for each row. */
export interface EncodedWords {
  bytes: Uint8Array
  offsets: Uint32Array
}

/** Each word of a dictionary as encoded by `write`. */
export function encodeWords(
  words: PlainText,
  write: (sink: Sink, from: Uint8Array, start: number, end: number) => void,
): EncodedWords {
  const count = words.offsets.length - 1
  const offsets = new Uint32Array(Math.max(1, count + 1))
  const chunks: Uint8Array[] = []
  const sink = new Sink()
  let done = 0
  for (let word = 0; word < count; word++) {
    write(sink, words.bytes, words.offsets[word]!, words.offsets[word + 1]!)
    for (const chunk of sink.takeFull()) {
      chunks.push(chunk)
      done += chunk.length
    }
    offsets[word + 1] = done + sink.at
  }
  chunks.push(...sink.takeAll())
  const bytes = new Uint8Array(offsets.at(-1)!)
  let at = 0
  for (const piece of chunks) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { bytes, offsets }
}
