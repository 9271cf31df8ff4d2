import { expect, it } from 'vitest'
import { textWidth, wrapped } from './text-width.ts'

it('breaks a text at its spaces, so that each line fits', () => {
  const text = 'The link from Homes to Power creates a cycle and is not shown.'
  const lines = wrapped(text, 120, 11)
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.join(' ')).toBe(text)
  for (const line of lines) expect(textWidth(line, 11)).toBeLessThanOrEqual(120)
  expect(wrapped('', 120, 11)).toEqual([''])
})

it('breaks what has no spaces where the line ends, and no sign in two', () => {
  const lines = wrapped(`short ${'💧'.repeat(40)}`, 120, 11)
  expect(lines.join('')).toBe(`short${'💧'.repeat(40)}`)
  for (const line of lines) expect(textWidth(line, 11)).toBeLessThanOrEqual(120)
  expect(wrapped('abc', 1, 11)).toEqual(['a', 'b', 'c'])
})

it('keeps several spaces within a line, and stops where no more lines are of use', () => {
  expect(wrapped('a   1 kg', 120, 11)).toEqual(['a   1 kg'])
  expect(wrapped('word '.repeat(10_000), 120, 11, 3).length).toBeLessThan(6)
})
