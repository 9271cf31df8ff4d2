/** A location reported by an SQL check: line and columns from 1, end exclusive; null when unknown. */
export interface ValidationIssue {
  line_number: number | null
  start_column: number | null
  end_column: number | null
  message: string
}

/** An underlined range of a text. */
export interface TextRange {
  from: number
  to: number
}

export function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Converts a location to a range; an unknown end extends to the end of the line, with at least one character. */
export function toTextRange(
  text: string,
  lineStarts: readonly number[],
  place: Omit<ValidationIssue, 'message'>,
): TextRange {
  const start = lineStarts[Math.max(0, (place.line_number ?? 1) - 1)] ?? text.length
  const nextLine = text.indexOf('\n', start)
  const lineEnd = nextLine < 0 ? text.length : nextLine
  const from = Math.min(lineEnd, start + Math.max(0, (place.start_column ?? 1) - 1))
  const to = place.end_column === null ? lineEnd : start + Math.max(0, place.end_column - 1)
  return { from, to: Math.max(from + 1, Math.min(to, lineEnd)) }
}

/** Ranges of the locations with a known line. */
export function toTextRanges(text: string, checked: readonly ValidationIssue[]): TextRange[] {
  const starts = findLineStarts(text)
  return checked.filter(({ line_number }) => line_number !== null).map((each) => toTextRange(text, starts, each))
}

/** Splits the text into underlined pieces and the pieces between them, in order. */
export function splitByRanges(text: string, places: readonly TextRange[]): { text: string; isWrong: boolean }[] {
  const pieces: { text: string; isWrong: boolean }[] = []
  let done = 0
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    const begin = Math.max(done, Math.min(from, text.length))
    const end = Math.max(begin, Math.min(to, text.length))
    if (begin > done) pieces.push({ text: text.slice(done, begin), isWrong: false })
    if (end > begin) pieces.push({ text: text.slice(begin, end), isWrong: true })
    done = end
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isWrong: false })
  return pieces
}
