/** A position in a text: line and column from 1 as in an editor, offset as a JavaScript string index. */
export interface Position {
  line: number
  column: number
  offset: number
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), offset }
}

/** Returns the string index of an offset in UTF-8 bytes, from 0. An offset inside a character maps to its end. */
export function indexOfByte(text: string, bytes: number): number {
  let index = 0
  for (let at = 0; at < bytes && index < text.length;) {
    const point = text.codePointAt(index) ?? 0
    at += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    index += point > 0xffff ? 2 : 1
  }
  return index
}

/** String index of an offset in code points, from 0. */
export function indexOfCodePoint(text: string, points: number): number {
  let index = 0
  for (let at = 0; at < points && index < text.length; at++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return index
}
