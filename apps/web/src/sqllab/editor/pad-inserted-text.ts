/** Pads a text for insertion between two others, so that words do not merge. */
export function padInsertedText(text: string, { before, after }: { before: string; after: string }): string {
  const isWord = (letter: string): boolean => /[\p{L}\p{N}_$"`)\]]/u.test(letter)
  const opens = (letter: string): boolean => /[\p{L}\p{N}_$"`([]/u.test(letter)
  const start = isWord(before) && opens(text.slice(0, 1)) ? ' ' : ''
  const end = isWord(text.slice(-1)) && /[\p{L}\p{N}_$"`]/u.test(after) ? ' ' : ''
  return start + text + end
}
