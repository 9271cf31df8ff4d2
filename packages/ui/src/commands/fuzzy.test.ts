import { expect, it } from 'vitest'
import { fuzzy } from './fuzzy.ts'

const best = (typed: string, texts: string[]) =>
  texts.filter((text) => fuzzy(typed, text) > 0).toSorted((a, b) => fuzzy(typed, b) - fuzzy(typed, a))

it('finds by beginnings of words, by parts and by letters in order, in this order', () => {
  expect(best('rev', ['Forever', 'Revenue by region', 'Our elves vote', 'Orders'])).toEqual([
    'Revenue by region',
    'Forever',
    'Our elves vote',
  ])
})

it('takes words in any order, and small for capital letters', () => {
  expect(fuzzy('reg REV', 'Revenue by region')).toBeGreaterThan(0)
  expect(fuzzy('ÄRGER', 'Weniger ärger')).toBeGreaterThan(0)
})

it('everything fits nothing typed, and letters in the wrong order do not fit', () => {
  expect(fuzzy(' ', 'Orders')).toBe(1)
  expect(fuzzy('sredro', 'Orders')).toBe(0)
})
