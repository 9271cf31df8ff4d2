import { expect, it } from 'vitest'
import { setApart } from './set-apart.ts'

it('regression: a name that is inserted is not glued to the word beside it', () => {
  expect(setApart('flights', { before: 'm', after: '' })).toBe(' flights')
  expect(setApart('flights', { before: ' ', after: 'w' })).toBe('flights ')
  expect(setApart('"my table"', { before: 'm', after: 'w' })).toBe(' "my table" ')
})

it('nothing is added after a point, a bracket, a comma or at the edges of a text', () => {
  for (const before of ['.', '(', ',', ' ', '\n', ''])
    expect(setApart('flights', { before, after: ')' })).toBe('flights')
  expect(setApart('flights', { before: '', after: ',' })).toBe('flights')
})
