import { expect, it } from 'vitest'
import { padInsertedText } from './pad-inserted-text.ts'

it('regression: separates an inserted name from adjacent words', () => {
  expect(padInsertedText('flights', { before: 'm', after: '' })).toBe(' flights')
  expect(padInsertedText('flights', { before: ' ', after: 'w' })).toBe('flights ')
  expect(padInsertedText('"my table"', { before: 'm', after: 'w' })).toBe(' "my table" ')
})

it('adds nothing after a dot, a bracket, a comma or at the edges of a text', () => {
  for (const before of ['.', '(', ',', ' ', '\n', ''])
    expect(padInsertedText('flights', { before, after: ')' })).toBe('flights')
  expect(padInsertedText('flights', { before: '', after: ',' })).toBe('flights')
})
