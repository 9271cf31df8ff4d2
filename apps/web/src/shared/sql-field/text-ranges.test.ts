import { expect, it } from 'vitest'
import { toTextRanges, splitByRanges } from './text-ranges.ts'

const issueAt = (line_number: number | null, start_column: number | null, end_column: number | null) => ({
  line_number,
  start_column,
  end_column,
  message: 'wrong',
})
const underline = (text: string, ...issues: ReturnType<typeof issueAt>[]) =>
  splitByRanges(text, toTextRanges(text, issues))
    .map(({ text: piece, isWrong }) => (isWrong ? `<${piece}>` : piece))
    .join('')

it('underlines the word at the location of a check', () => {
  expect(underline('SELECT a,\n  nope\nFROM t', issueAt(2, 3, 7))).toBe('SELECT a,\n  <nope>\nFROM t')
})

it('extends to the end of the line without a known end, and marks one character at the end of the text', () => {
  expect(underline('SUM(a\n+ 1', issueAt(1, 4, null))).toBe('SUM<(a>\n+ 1')
  expect(underline('SUM(a', issueAt(1, 5, 5))).toBe('SUM(<a>')
})

it('underlines nothing without a known line, and no range twice', () => {
  expect(underline('a b', issueAt(null, null, null))).toBe('a b')
  expect(underline('a b', issueAt(1, 1, 2), issueAt(1, 1, 4))).toBe('<a>< b>')
})
