/** Advance widths of Inter at weight 400, in hundredths of the size, from the space to `~`. */
const widths =
  '28 29 47 63 64 98 64 30 36 36 50 66 29 46 29 36 63 41 61 62 65 59 62 57 62 62 29 30 66 66 66 51 97 69 65 73 72 60 59 75 74 27 57 67 57 90 75 76 64 76 64 64 65 74 69 99 68 68 63 36 36 36 47 46 32 56 61 57 61 58 37 61 59 24 24 55 24 88 59 60 61 61 38 53 33 59 56 82 55 56 55 43 33 43 66'
    .split(' ')
    .map(Number)
/** Widths of letters beyond ASCII: of capitals, of broad letters such as `ш`, and of signs as wide as high. */
const accented = 60
const capital = 75
const broad = 85
const wide = 100
/** Marks above and below letters, joiners and variants, which take no room of their own. */
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]|\ufe0e|\ufe0f/u

function widthBeyondAscii(sign: string, code: number): number {
  if (code < 0x2e80) {
    if (code >= 0x300 && zeroWidth.test(sign)) return 0
    if (/[жмфшщыюЖМФШЩЫЮ]/.test(sign)) return broad
    return /\p{Lu}/u.test(sign) ? capital : accented
  }
  return zeroWidth.test(sign) ? 0 : wide
}
/** With tabular figures, signs are as wide as digits. */
const tabular = 65

/** Estimates the width of a text in Inter when it cannot be measured; ignores kerning and other weights. */
export function textWidth(text: string, size: number, { isTabular = false } = {}): number {
  let units = 0
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 32
    if (isTabular && /[\d+-]/.test(sign)) units += tabular
    else units += widths[code - 32] ?? widthBeyondAscii(sign, code)
  }
  return (units * size) / 100
}

/**
 * Wraps a text into lines of at most `width`, at spaces; longer words are broken at the end of the line.
 * @param most number of lines needed: wrapping stops at the first line beyond
 */
export function wrapText(text: string, width: number, size: number, most = Infinity): string[] {
  const lines: string[] = []
  for (const word of text.split(/(?<= )(?=[^ ])/)) {
    const longer = `${lines.at(-1) ?? ''}${word}`
    if (textWidth(longer.trimEnd(), size) <= width) lines[Math.max(0, lines.length - 1)] = longer
    else lines.push(...breakWord(word, width, size))
    if (lines.length > most) break
  }
  return lines.map((line) => line.trimEnd())
}

function breakWord(word: string, width: number, size: number): string[] {
  const pieces = ['']
  for (const sign of word) {
    const piece = `${pieces.at(-1)}${sign}`
    if (piece === sign || textWidth(piece, size) <= width) pieces[pieces.length - 1] = piece
    else pieces.push(sign)
  }
  return pieces
}
