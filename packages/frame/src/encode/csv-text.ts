import { roomBytes, type Sink } from './sink.ts'

const quote = 34
const block = Math.floor(roomBytes / 2) - 2

/** Length of the white space that begins at `at`: ASCII and the wider ones that a regular expression's `\s` knows. */
function spaceAt(from: Uint8Array, at: number): number {
  const byte = from[at]!
  if (byte === 32 || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31)) return 1
  const next = from[at + 1]
  if (byte === 0xc2) return next === 0x85 || next === 0xa0 ? 2 : 0
  const last = from[at + 2]!
  if (byte === 0xe2) {
    if (next === 0x80) return last <= 0x8a || last === 0xa8 || last === 0xa9 || last === 0xaf ? 3 : 0
    return next === 0x81 && last === 0x9f ? 3 : 0
  }
  if (byte === 0xe3) return next === 0x80 && last === 0x80 ? 3 : 0
  return byte === 0xe1 && next === 0x9a && last === 0x80 ? 3 : 0
}

/** - @ + | = % */
const starts = new Set([45, 64, 43, 124, 61, 37])

/**
 * Whether a spreadsheet may take the text for a formula: it begins, after blanks or two double quotes, with one of `-@+|=%`,
 * and is no negative number.
 */
export function isFormula(from: Uint8Array, start: number, end: number): boolean {
  let at = start
  if (from[start] === quote) {
    if (from[start + 1] !== quote) return false
    at += 2
  } else {
    for (let width = 0; at < end && (width = spaceAt(from, at));) at += width
  }
  if (at >= end || !starts.has(from[at]!)) return false
  return at > start || !isNegativeNumber(from, start, end)
}

function isNegativeNumber(from: Uint8Array, start: number, end: number): boolean {
  if (from[start] !== 45 || end === start + 1) return false
  for (let at = start + 1; at < end; at++) {
    const byte = from[at]!
    if (byte !== 46 && (byte < 48 || byte > 57)) return false
  }
  return true
}

/** Writes one field (RFC 4180), quoted only where it must be; `escape` takes the sting from formulas. */
export function csvText(separator: number, escape: boolean) {
  const special = new Uint8Array(256)
  for (const byte of [separator, quote, 10, 13]) special[byte] = 1
  return (sink: Sink, from: Uint8Array, start: number, end: number): void => {
    const formula = escape && isFormula(from, start, end)
    let quoted = false
    for (let at = start; at < end; at++) {
      if (!special[from[at]!]) continue
      quoted = true
      break
    }
    if (!quoted && !formula) {
      sink.copy(from, start, end)
      return
    }
    if (quoted) sink.byte(quote)
    if (formula) sink.byte(39)
    for (let next = start; next < end;) {
      sink.room()
      const stop = Math.min(end, next + block)
      for (; next < stop; next++) {
        const byte = from[next]!
        if (byte === quote) sink.bytes[sink.at++] = quote
        else if (formula && byte === 124) sink.bytes[sink.at++] = 92
        sink.bytes[sink.at++] = byte
      }
    }
    if (quoted) sink.byte(quote)
  }
}
