const quote = 34
const pipe = 124

/** Length of the white space at `at`, as matched by `\s` in Python: ASCII and wider characters. */
function spaceAt(from: Uint8Array, index: number): number {
  const byte = from[index]!
  if (byte === 32 || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31)) return 1
  const next = from[index + 1]
  if (byte === 0xc2) return next === 0x85 || next === 0xa0 ? 2 : 0
  const last = from[index + 2]!
  if (byte === 0xe2) {
    if (next === 0x80) return last <= 0x8a || last === 0xa8 || last === 0xa9 || last === 0xaf ? 3 : 0
    return next === 0x81 && last === 0x9f ? 3 : 0
  }
  if (byte === 0xe3) return next === 0x80 && last === 0x80 ? 3 : 0
  return byte === 0xe1 && next === 0x9a && last === 0x80 ? 3 : 0
}

const byteSet = (...bytes: number[]): Uint8Array => {
  const table = new Uint8Array(256)
  for (const byte of bytes) table[byte] = 1
  return table
}
/** - @ + | = % */
const starts = byteSet(45, 64, 43, pipe, 61, 37)

/**
 * Returns whether a spreadsheet may interpret the text as a formula: it begins, after blanks or two double quotes, with one of
 * `-@+|=%` and is not a negative number.
 */
export function isFormula(from: Uint8Array, start: number, end: number): boolean {
  let at = start
  if (from[start] === quote) {
    if (from[start + 1] !== quote) return false
    at += 2
  } else {
    for (let width = 0; at < end && (width = spaceAt(from, at));) at += width
  }
  if (at >= end || !starts[from[at]!]) return false
  return at > start || !isNegativeNumber(from, start, end)
}

function isNegativeNumber(from: Uint8Array, start: number, end: number): boolean {
  if (from[start] !== 45 || end === start + 1) return false
  for (let index = start + 1; index < end; index++) {
    const byte = from[index]!
    if (byte !== 46 && (byte < 48 || byte > 57)) return false
  }
  return true
}

/** Encodes a field (RFC 4180), quoted only when necessary; `escape` neutralizes formulas. */
export interface CsvText {
  /** Number of bytes that the field needs in addition to its text; 0 when the text is written as is. */
  more(from: Uint8Array, start: number, end: number): number
  /** Writes the field at `at`, where there must be enough space. @returns the position after it */
  put(to: Uint8Array, index: number, from: Uint8Array, start: number, end: number): number
}

export function createCsvText(separator: number, escape: boolean): CsvText {
  const special = byteSet(separator, quote, 10, 13)
  const isQuoted = (from: Uint8Array, start: number, end: number): boolean => {
    for (let index = start; index < end; index++) if (special[from[index]!]) return true
    return false
  }
  const isDefused = (from: Uint8Array, start: number, end: number) => escape && isFormula(from, start, end)
  return {
    more(from, start, end) {
      const defused = isDefused(from, start, end)
      const quoted = isQuoted(from, start, end)
      if (!defused && !quoted) return 0
      let more = (quoted ? 2 : 0) + (defused ? 1 : 0)
      for (let index = start; index < end; index++)
        if (from[index] === quote || (defused && from[index] === pipe)) more++
      return more
    },
    put(to, index, from, start, end) {
      const defused = isDefused(from, start, end)
      const quoted = isQuoted(from, start, end)
      if (quoted) to[index++] = quote
      if (defused) to[index++] = 39
      for (let next = start; next < end; next++) {
        const byte = from[next]!
        if (byte === quote) to[index++] = quote
        else if (defused && byte === pipe) to[index++] = 92
        to[index++] = byte
      }
      if (quoted) to[index++] = quote
      return index
    },
  }
}
