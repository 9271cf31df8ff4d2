import { expect, it } from 'vitest'
import { addExtras } from './add-extras.ts'

const query = {
  columns: ['a'],
  metrics: ['count'],
  filters: [{ col: 'a', op: '==' as const, val: 'x' }],
  time_range: 'Last week',
  extras: { where: '(a > 1)' },
}

it('regression: filters of a dashboard reach a stored query', () => {
  const extras = [
    { filters: [{ col: 'b', op: 'IN', val: [1] }] },
    { time_range: 'Last year', time_grain_sqla: 'P1D' },
    { adhoc_filters: [{ expressionType: 'SQL', clause: 'WHERE', sqlExpression: 'c < 5' }] },
  ]
  expect(addExtras(query, extras)).toEqual({
    ...query,
    filters: [...query.filters, { col: 'b', op: 'IN', val: [1], isExtra: true }],
    time_range: 'Last year',
    extras: { time_grain_sqla: 'P1D', where: '(a > 1) AND (c < 5)' },
  })
})

it('leaves a query unchanged without them', () => {
  expect(addExtras(query, [])).toBe(query)
  expect(addExtras(query, [{}])).toEqual(query)
})
