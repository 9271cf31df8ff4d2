import { expect, it } from 'vitest'
import { firstMeasure, suggestForm } from './suggest-form.ts'

const columns = [
  { column_name: 'region', type_generic: 1 },
  { column_name: 'region_id', type_generic: 0 },
  { column_name: 'revenue', type_generic: 0 },
]
const metrics = [{ metric_name: 'count' }]

it('counts the rows of a table, and sums the first measure of a SQL Lab result', () => {
  expect(suggestForm({ id: 7, type: 'table', columns, metrics })).toMatchObject({
    datasource: '7__table',
    x_axis: 'region',
    metrics: ['count'],
    x_axis_sort: 'count',
  })
  expect(suggestForm({ id: 7, type: 'query', columns, metrics })).toMatchObject({
    datasource: '7__query',
    x_axis: 'region',
    metrics: [
      { expressionType: 'SIMPLE', column: { column_name: 'revenue' }, aggregate: 'SUM', label: 'SUM(revenue)' },
    ],
    x_axis_sort: 'SUM(revenue)',
  })
})

it('regression: does not sum the hour of day of flights', () => {
  const flights = ['hour', 'flight_month', 'delay'].map((column_name) => ({ column_name, type_generic: 0 }))
  expect(firstMeasure({ columns: flights })).toBe('delay')
  expect(firstMeasure({ columns: [{ column_name: 'hours', type_generic: 0 }] })).toBe('hours')
})

it('counts the rows of a SQL Lab result without a measure', () => {
  expect(suggestForm({ id: 7, type: 'query', columns: columns.slice(0, 2), metrics })['metrics']).toEqual(['count'])
})
