import type { ExecuteMetadata } from '@parquetry/model'
import { expect, it } from 'vitest'
import { queryFixture as query } from '../fixtures.testing.ts'
import { findReachedLimit, nextLimit, computeDuration } from './result-facts.ts'

const answer = (limit: number, limitingFactor: string, part: Partial<ExecuteMetadata> = {}) =>
  ({ query: { limit, limitingFactor }, ...part }) as ExecuteMetadata

it('computes the duration of an ended query, null while it runs', () => {
  expect(computeDuration(query({ startDttm: 1000, endDttm: 1500 }))).toBe(500)
  expect(computeDuration(query({ startDttm: 1000, endDttm: null }))).toBeNull()
})

it('reports which limit cut off the rows', () => {
  expect(findReachedLimit(answer(1000, 'DROPDOWN'), 1000)).toEqual({ limit: 1000, byToolbar: true, byServer: false })
  expect(findReachedLimit(answer(10, 'QUERY'), 10)).toEqual({ limit: 10, byToolbar: false, byServer: false })
  expect(findReachedLimit(answer(1000, 'NOT_LIMITED'), 1000)).toBeNull()
  expect(findReachedLimit(answer(1000, 'DROPDOWN'), 4)).toBeNull()
  expect(findReachedLimit(answer(50_000, 'DROPDOWN', { displayLimitReached: true }), 10_000)).toMatchObject({
    byServer: true,
  })
})

it('SQL-118: raises to the next available limit', () => {
  expect(nextLimit(1000, [10, 1000, 5000], 100_000)).toBe(5000)
  expect(nextLimit(1000, [10, 1000, 5000], 2000)).toBeNull()
})
