import { expect, it } from 'vitest'
import { resultCacheLimits, planEviction } from './result-limits.ts'

const kb = 1024
const entry = (id: string, index: number, size: number) => ({ id, at: index, size })

it('SQL-058: a result of over 1024 KB is not stored in the browser', () => {
  expect(planEviction([], 1024 * kb, 0)).toEqual([])
  expect(planEviction([], 1024 * kb + 1, 0)).toBeNull()
})

it('removes the oldest results when 5120 KB are full', () => {
  const full = [1, 2, 3, 4, 5].map((index) => entry(`q${index}`, index, 1024 * kb))
  expect(planEviction(full, 1, 10)).toEqual(['q1'])
  expect(planEviction(full.toReversed(), 1024 * kb, 10)).toEqual(['q1'])
  expect(planEviction(full.slice(1), 1024 * kb, 10)).toEqual([])
})

it('removes results older than a day regardless of free space', () => {
  expect(planEviction([entry('old', 0, 1), entry('new', 10, 1)], 1, resultCacheLimits.mostAgeMs + 1)).toEqual(['old'])
})
