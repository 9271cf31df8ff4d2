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
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1)
  return starts
}

/** Converts a location to a range; an unknown end extends to the end of the line, with at least one character. */
export function toTextRange(
  text: string,
  lineStarts: readonly number[],
  issue: Omit<ValidationIssue, 'message'>,
): TextRange {
  const start = lineStarts[Math.max(0, (issue.line_number ?? 1) - 1)] ?? text.length
  const nextLine = text.indexOf('\n', start)
  const lineEnd = nextLine < 0 ? text.length : nextLine
  const from = Math.min(lineEnd, start + Math.max(0, (issue.start_column ?? 1) - 1))
  const to = issue.end_column === null ? lineEnd : start + Math.max(0, issue.end_column - 1)
  return { from, to: Math.max(from + 1, Math.min(to, lineEnd)) }
}

/** Ranges of the locations with a known line. */
export function toTextRanges(text: string, checked: readonly ValidationIssue[]): TextRange[] {
  const starts = findLineStarts(text)
  return checked.filter(({ line_number }) => line_number !== null).map((each) => toTextRange(text, starts, each))
}

/** Splits the text into underlined pieces and the pieces between them, in order. */
export function splitByRanges(text: string, ranges: readonly TextRange[]): { text: string; isWrong: boolean }[] {
  const segments: { text: string; isWrong: boolean }[] = []
  let done = 0
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(done, Math.min(from, text.length))
    const end = Math.max(start, Math.min(to, text.length))
    if (start > done) segments.push({ text: text.slice(done, start), isWrong: false })
    if (end > start) segments.push({ text: text.slice(start, end), isWrong: true })
    done = end
  }
  if (done < text.length) segments.push({ text: text.slice(done), isWrong: false })
  return segments
}
