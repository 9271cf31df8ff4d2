import { expect, it } from 'vitest'
import { buildSpecContext } from '../spec-context.ts'
import { isAdditive, classifyAggregate } from './aggregate-kind.ts'

const context = buildSpecContext({}, { dataset: { metrics: [{ metric_name: 'takings', expression: 'SUM(price)' }] } })
const sql = (sqlExpression: string) => classifyAggregate({ expressionType: 'SQL', sqlExpression }, context)

it('detects what simple and saved metrics compute', () => {
  const simple = (aggregate: string) =>
    classifyAggregate({ expressionType: 'SIMPLE', column: { column_name: 'a' }, aggregate }, context)
  expect(['SUM', 'COUNT', 'MIN', 'MAX', 'AVG', 'COUNT_DISTINCT'].map(simple)).toEqual([
    'sum',
    'sum',
    'least',
    'most',
    'other',
    'other',
  ])
  expect(classifyAggregate('takings', context)).toBe('sum')
  expect(classifyAggregate('unheard of', context)).toBe(null)
  expect(isAdditive('unheard of', context)).toBe(true)
})

it.each([
  'COUNT(*)',
  ' sum( "price (net)" ) ',
  'SUM(CASE WHEN kind IN (1, 2) THEN price ELSE 0 END)',
  "SUM(CASE WHEN kind = 'a) / AVG(b' THEN 1 END)",
  'SUM(price) - SUM(cost)',
  '100 * SUM(price) / 1000',
  'COUNT(*) FILTER (WHERE price > 0)',
  'countIf(price > 0)',
])('%s adds up', (expression) => {
  expect(sql(expression)).toBe('sum')
})

it.each([
  '',
  'AVG(price)',
  'COUNT(DISTINCT (buyer))',
  'SUM(DISTINCT price)',
  'SUM(price) / COUNT(*)',
  'SUM(price) * SUM(cost)',
  'SUM(price) + 5',
  'SUM(price) - AVG(cost)',
  'SUM(SUM(price)) OVER (PARTITION BY kind)',
  'approx_count_distinct(buyer)',
  'MIN(price) + MIN(cost)',
  'SUM(price) -- AVG',
  'LOG(SUM(price))',
])('%s does not', (expression) => {
  expect(sql(expression)).toBe('other')
})
