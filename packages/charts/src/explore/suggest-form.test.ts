import { labelOfMetric, type QueryMetric } from '@parquetry/model'
import { expect, it } from 'vitest'
import { suggestForm } from './suggest-form.ts'

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

const metricOf = (...names: string[]) => {
  const numbers = names.map((column_name) => ({ column_name, type_generic: 0 }))
  const { metrics: found } = suggestForm({
    id: 7,
    type: 'query',
    columns: [{ column_name: 'region', type_generic: 1 }, ...numbers],
  })
  return labelOfMetric((found as QueryMetric[])[0]!)
}

it('regression: does not sum the hour of day of flights', () => {
  expect(metricOf('hour', 'flight_month', 'delay')).toBe('SUM(delay)')
  expect(metricOf('hours')).toBe('SUM(hours)')
})

it.each(['bill_length_mm', 'avgPrice', 'Interest rate', 'conversion_pct', 'miles_per_gallon', 'max_temp', 'age'])(
  'regression: %s of a SQL Lab result is averaged, and only if nothing can be summed',
  (name) => {
    expect(metricOf(name)).toBe(`AVG(${name})`)
    expect(metricOf(name, 'revenue')).toBe('SUM(revenue)')
  },
)

it.each(['customerId', 'id_order', 'year_built', 'fiscalYear', 'zip', 'Longitude'])(
  'regression: %s is neither summed nor averaged',
  (name) => expect(metricOf(name)).toBe('COUNT(*)'),
)

it('counts the rows of a SQL Lab result without a measure', () => {
  expect(suggestForm({ id: 7, type: 'query', columns: columns.slice(0, 2), metrics })['metrics']).toEqual(['count'])
})
