import { expect, it } from 'vitest'
import { textWidth, wrapText } from './text-width.ts'

it('breaks a text at spaces so that each line fits', () => {
  const text = 'The link from Homes to Power creates a cycle and is not shown.'
  const lines = wrapText(text, 120, 11)
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.join(' ')).toBe(text)
  for (const line of lines) expect(textWidth(line, 11)).toBeLessThanOrEqual(120)
  expect(wrapText('', 120, 11)).toEqual([''])
})

it('breaks text without spaces at the end of the line, but never within a character', () => {
  const lines = wrapText(`short ${'💧'.repeat(40)}`, 120, 11)
  expect(lines.join('')).toBe(`short${'💧'.repeat(40)}`)
  for (const line of lines) expect(textWidth(line, 11)).toBeLessThanOrEqual(120)
  expect(wrapText('abc', 1, 11)).toEqual(['a', 'b', 'c'])
})

it('preserves several spaces within a line, and stops when no more lines are needed', () => {
  expect(wrapText('a   1 kg', 120, 11)).toEqual(['a   1 kg'])
  expect(wrapText('word '.repeat(10_000), 120, 11, 3).length).toBeLessThan(6)
})

it('regression: marks and joiners have no width of their own, and letters beyond Latin have that of their kind', () => {
  const width = (text: string) => textWidth(text, 100)
  expect(width('e\u0301')).toBe(width('e'))
  expect(width('न्द')).toBe(width('नद'))
  expect(width('กี่')).toBe(width('ก'))
  expect(width('❤\ufe0f')).toBe(width('❤'))
  expect(width('Щ')).toBeGreaterThan(width('д'))
  expect(width('Λ')).toBeGreaterThan(width('λ'))
  expect(width('東京')).toBe(200)
})
