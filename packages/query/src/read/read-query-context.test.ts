import { expect, it } from 'vitest'
import { readQueryContext } from './read-query-context.ts'

const read = (query: object) => readQueryContext({ datasource: { id: 1, type: 'table' }, queries: [query] })
const many = (count: number, make: (at: number) => unknown) => Array.from({ length: count }, (_, index) => make(index))

it.each([
  ['columns', { columns: many(2001, (at) => `c${at}`) }, 2000],
  ['metrics', { metrics: many(1001, (at) => `m${at}`) }, 1000],
  ['filters', { filters: many(1001, () => ({ col: 'a', op: '==', val: 1 })) }, 1000],
  ['values of a filter', { filters: [{ col: 'a', op: 'IN', val: many(10_001, (at) => at) }] }, 10_000],
  ['orders', { orderby: many(1001, () => ['a', true]) }, 1000],
  ['time offsets', { time_offsets: many(101, (at) => `${at} days ago`) }, 100],
])('regression: rejects a query with too many %s before planning it', (_name, query, most) => {
  expect(() => read(query)).toThrow(`Longer than maximum length ${most}.`)
})

it('accepts as many filter values as a user may select', () => {
  const val = many(10_000, (at) => at)
  expect(read({ filters: [{ col: 'a', op: 'IN', val }] }).queries[0]?.filters).toEqual([{ col: 'a', op: 'IN', val }])
})
