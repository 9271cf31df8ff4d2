import { buildColumn, type Column } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { computeStatistics } from './statistics.ts'

it('counts nulls, empty, distinct and most frequent values of a text column', () => {
  const found = computeStatistics(buildColumn(['b', null, '', 'b', 'ä', 'a'], 't'), 6)
  expect(found).toMatchObject({ nulls: 1, empty: 1, distinct: 4, min: '', max: 'b', mean: null, bins: null })
  expect(found.top[0]).toEqual({ value: 'b', count: 2 })
})

it('computes minimum, maximum, mean and a histogram that counts every number once', () => {
  const found = computeStatistics(buildColumn([1, 2, 3, null, 100], 'n'), 5)
  expect(found).toMatchObject({ nulls: 1, distinct: 4, min: '1', max: '100', mean: 26.5, sum: 106 })
  expect(found.bins).toHaveLength(20)
  expect(found.bins?.reduce((sum, { count }) => sum + count, 0)).toBe(4)
  expect(found.bins?.at(-1)).toMatchObject({ to: 100, count: 1 })
})

it('keeps integers beyond 2^53 distinct and exact', () => {
  const found = computeStatistics(buildColumn([9007199254740993n, 9007199254740992n], 'n'), 2)
  expect(found).toMatchObject({ distinct: 2, min: '9007199254740992', max: '9007199254740993' })
})

it('keeps the digits of decimals', () => {
  const column: Column = {
    name: 'p',
    type: null,
    kind: 'decimal',
    scale: 2,
    validity: null,
    data: BigInt64Array.of(150n, 25n),
  }
  expect(computeStatistics(column, 2)).toMatchObject({ min: '0.25', max: '1.50', mean: 0.875 })
})

it('has no minimum and no histogram for nulls only', () => {
  expect(computeStatistics(buildColumn([null, null], 'n'), 2)).toMatchObject({
    nulls: 2,
    distinct: 0,
    min: null,
    bins: null,
    top: [],
  })
})

it('computes a range and a histogram but no mean for times', () => {
  const found = computeStatistics(buildColumn([new Date(0), new Date(86_400_000)], 't'), 2)
  expect(found).toMatchObject({ mean: null, min: '1970-01-01T00:00:00', max: '1970-01-02T00:00:00' })
  expect(found.bins).toHaveLength(20)
})
