import { expect, it } from 'vitest'
import { padInsertedText } from './pad-inserted-text.ts'

it('regression: a name that is inserted is not glued to the word beside it', () => {
  expect(padInsertedText('flights', { before: 'm', after: '' })).toBe(' flights')
  expect(padInsertedText('flights', { before: ' ', after: 'w' })).toBe('flights ')
  expect(padInsertedText('"my table"', { before: 'm', after: 'w' })).toBe(' "my table" ')
})

it('nothing is added after a point, a bracket, a comma or at the edges of a text', () => {
  for (const before of ['.', '(', ',', ' ', '\n', ''])
    expect(padInsertedText('flights', { before, after: ')' })).toBe('flights')
  expect(padInsertedText('flights', { before: '', after: ',' })).toBe('flights')
})
