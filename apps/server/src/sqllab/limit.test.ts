import { expect, it } from 'vitest'
import { factorAfter, limitOf } from './limit.ts'

it.each([
  [null, 100, 100, 'DROPDOWN'],
  [10, 100, 10, 'QUERY'],
  [100, 100, 100, 'QUERY_AND_DROPDOWN'],
  [500, 100, 100, 'DROPDOWN'],
  [null, 0, 1000, 'DROPDOWN'],
  [null, -1, 1000, 'DROPDOWN'],
  [null, null, 1000, 'DROPDOWN'],
  [null, 5000, 1000, 'DROPDOWN'],
])('own limit %s and asked limit %s give %s, limited by %s', (own, asked, limit, factor) => {
  expect(limitOf({ ownLimit: own }, asked, 1000)).toEqual({ limit, factor })
})

it('a result below its limit was not limited', () => {
  expect([factorAfter('DROPDOWN', 99, 100), factorAfter('DROPDOWN', 100, 100)]).toEqual(['NOT_LIMITED', 'DROPDOWN'])
})
