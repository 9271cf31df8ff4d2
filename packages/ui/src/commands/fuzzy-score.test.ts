import { expect, it } from 'vitest'
import { fuzzyScore } from './fuzzy-score.ts'

const best = (typed: string, texts: string[]) =>
  texts.filter((text) => fuzzyScore(typed, text) > 0).toSorted((a, b) => fuzzyScore(typed, b) - fuzzyScore(typed, a))

it('finds by beginnings of words, by parts and by letters in order, in this order', () => {
  expect(best('rev', ['Forever', 'Revenue by region', 'Our elves vote', 'Orders'])).toEqual([
    'Revenue by region',
    'Forever',
    'Our elves vote',
  ])
})

it('takes words in any order, and small for capital letters', () => {
  expect(fuzzyScore('reg REV', 'Revenue by region')).toBeGreaterThan(0)
  expect(fuzzyScore('ÄRGER', 'Weniger ärger')).toBeGreaterThan(0)
})

it('everything fits nothing typed, and letters in the wrong order do not fit', () => {
  expect(fuzzyScore(' ', 'Orders')).toBe(1)
  expect(fuzzyScore('sredro', 'Orders')).toBe(0)
})
