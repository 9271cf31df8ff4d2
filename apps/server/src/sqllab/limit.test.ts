import { expect, it } from 'vitest'
import { resolveLimitingFactor, resolveLimit } from './limit.ts'

it.each([
  [null, 100, 100, 'DROPDOWN'],
  [10, 100, 10, 'QUERY'],
  [100, 100, 100, 'QUERY_AND_DROPDOWN'],
  [500, 100, 100, 'DROPDOWN'],
  [null, 0, 1000, 'DROPDOWN'],
  [null, -1, 1000, 'DROPDOWN'],
  [null, null, 1000, 'DROPDOWN'],
  [null, 5000, 1000, 'DROPDOWN'],
])('own limit %s and requested limit %s give %s, limited by %s', (own, requested, limit, factor) => {
  expect(resolveLimit({ ownLimit: own }, requested, 1000)).toEqual({ limit, factor })
})

it.each([
  ['DROPDOWN', 99, false, 'NOT_LIMITED'],
  ['DROPDOWN', 100, true, 'DROPDOWN'],
  ['QUERY', 99, false, 'NOT_LIMITED'],
  ['QUERY', 100, false, 'QUERY'],
  ['QUERY_AND_DROPDOWN', 100, false, 'QUERY_AND_DROPDOWN'],
] as const)('limited by %s, %s rows of 100, more: %s, is %s', (factor, rows, isCut, after) => {
  expect(resolveLimitingFactor(factor, { rows, isCut }, 100)).toBe(after)
})

it('regression: a complete result with exactly as many rows as the limit is not limited', () => {
  expect(resolveLimitingFactor('DROPDOWN', { rows: 100, isCut: false }, 100)).toBe('NOT_LIMITED')
})
