import { expect, it } from 'vitest'
import { fuzzyScore } from './fuzzy-score.ts'

const best = (typed: string, texts: string[]) =>
  texts.filter((text) => fuzzyScore(typed, text) > 0).toSorted((a, b) => fuzzyScore(typed, b) - fuzzyScore(typed, a))

it('ranks word beginnings above substrings, and those above letters in order', () => {
  expect(best('rev', ['Forever', 'Revenue by region', 'Our elves vote', 'Orders'])).toEqual([
    'Revenue by region',
    'Forever',
    'Our elves vote',
  ])
})

it('matches words in any order and ignores case', () => {
  expect(fuzzyScore('reg REV', 'Revenue by region')).toBeGreaterThan(0)
  expect(fuzzyScore('ÄRGER', 'Weniger ärger')).toBeGreaterThan(0)
})

it('matches everything for empty text, and nothing for letters in the wrong order', () => {
  expect(fuzzyScore(' ', 'Orders')).toBe(1)
  expect(fuzzyScore('sredro', 'Orders')).toBe(0)
})
