import { expect, it } from 'vitest'
import { toTextRanges, splitByRanges } from './text-ranges.ts'

const at = (line_number: number | null, start_column: number | null, end_column: number | null) => ({
  line_number,
  start_column,
  end_column,
  message: 'wrong',
})
const marked = (text: string, ...checked: ReturnType<typeof at>[]) =>
  splitByRanges(text, toTextRanges(text, checked))
    .map(({ text: piece, isWrong }) => (isWrong ? `<${piece}>` : piece))
    .join('')

it('underlines the word at the location of a check', () => {
  expect(marked('SELECT a,\n  nope\nFROM t', at(2, 3, 7))).toBe('SELECT a,\n  <nope>\nFROM t')
})

it('extends to the end of the line without a known end, and marks one character at the end of the text', () => {
  expect(marked('SUM(a\n+ 1', at(1, 4, null))).toBe('SUM<(a>\n+ 1')
  expect(marked('SUM(a', at(1, 5, 5))).toBe('SUM(<a>')
})

it('underlines nothing without a known line, and no range twice', () => {
  expect(marked('a b', at(null, null, null))).toBe('a b')
  expect(marked('a b', at(1, 1, 2), at(1, 1, 4))).toBe('<a>< b>')
})
