import type { PlainText } from './frame.ts'

interface Encoder {
  encode(text: string): Uint8Array
  encodeInto(text: string, into: Uint8Array): { read: number; written: number }
}
interface Decoder {
  decode(bytes: Uint8Array): string
}
/** All runtimes have these classes, but no type library of this package declares them. */
const runtime = globalThis as unknown as {
  TextEncoder: new () => Encoder
  TextDecoder: new (label: string, options: { fatal?: boolean; ignoreBOM: boolean }) => Decoder
}

export const utf8 = new runtime.TextEncoder()
const lenient = new runtime.TextDecoder('utf-8', { ignoreBOM: true })
const strict = new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const decodeUtf8 = (bytes: Uint8Array): string => lenient.decode(bytes)
/** @throws TypeError when the bytes are not UTF-8 */
export const decodeUtf8Strict = (bytes: Uint8Array): string => strict.decode(bytes)

/**
 * Decoded texts, cached while the text is referenced: ASCII texts as a whole, words of a dictionary individually. Non-ASCII text
 * outside dictionaries is not cached.
 */
const decodedTexts = new WeakMap<PlainText, string>()
const wordLists = new WeakMap<PlainText, string[]>()

/** Entry `index` of a plain text. */
export function plainTextAt(text: PlainText, index: number): string {
  const start = text.offsets[index]!
  const end = text.offsets[index + 1]!
  if (!text.ascii) return decodeUtf8(text.bytes.subarray(start, end))
  let decoded = decodedTexts.get(text)
  if (decoded === undefined) decodedTexts.set(text, (decoded = decodeUtf8(text.bytes)))
  return decoded.slice(start, end)
}

/** All words of a dictionary, decoded once. */
export function decodeWords(words: PlainText): readonly string[] {
  let list = wordLists.get(words)
  if (!list) {
    const count = words.offsets.length - 1
    wordLists.set(words, (list = Array.from({ length: Math.max(0, count) }, (_, index) => plainTextAt(words, index))))
  }
  return list
}

/** Packs texts one after the other; null uses no bytes. */
export function packTexts(texts: readonly (string | null)[]): PlainText {
  const offsets = new Uint32Array(texts.length + 1)
  const joined = texts.join('')
  // `join` writes null as an empty string. One byte per character if all are ASCII, otherwise at most three.
  let bytes: Uint8Array = new Uint8Array(joined.length)
  const { read, written } = utf8.encodeInto(joined, bytes)
  const ascii = read === joined.length && written === joined.length
  if (ascii) {
    for (let index = 0, end = 0; index < texts.length; index++) offsets[index + 1] = end += texts[index]?.length ?? 0
    return { as: 'plain', bytes, offsets, ascii: true }
  }
  bytes = new Uint8Array(joined.length * 3)
  let end = 0
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index]
    if (text) end += utf8.encodeInto(text, bytes.subarray(end)).written
    offsets[index + 1] = end
  }
  return { as: 'plain', bytes: bytes.slice(0, end), offsets, ascii: false }
}
