import { labelOfMetric } from '@parquetry/model'
import { expect, it } from 'vitest'
import { aggregatesFor, classifyMetric, namedMetric, simpleMetric, sqlMetric } from './metrics.ts'

const delay = { column_name: 'delay', type: 'BIGINT' }

it('labels a simple metric by aggregate and column until the user renames it', () => {
  const sum = simpleMetric(delay, 'SUM')
  expect(labelOfMetric(sum)).toBe('SUM(delay)')
  expect(labelOfMetric(simpleMetric(delay, 'AVG', sum))).toBe('AVG(delay)')
  expect(labelOfMetric(simpleMetric(delay, 'AVG', namedMetric(sum, 'Delay')))).toBe('Delay')
})

it('preserves the option name and unknown fields when a metric changes its kind', () => {
  const sum = { ...simpleMetric(delay, 'SUM'), extra: 1 }
  const sql = sqlMetric('SUM(delay) / 60', sum)
  expect(sql).toMatchObject({ optionName: sum.optionName, extra: 1, expressionType: 'SQL', column: null })
  expect(classifyMetric(sql, { columns: [], database: { backend: 'duckdb' } } as never)).toBe('sql')
})

it('offers no sum or average for a non-numeric column', () => {
  expect(aggregatesFor(1)).toEqual(['COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN'])
  expect(aggregatesFor(0)).toContain('AVG')
})

it('CTRL-041: a simple metric has all fields that other tools read', () => {
  expect(simpleMetric(delay, 'SUM')).toEqual({
    expressionType: 'SIMPLE',
    column: { column_name: 'delay', type: 'BIGINT' },
    aggregate: 'SUM',
    sqlExpression: null,
    label: 'SUM(delay)',
    hasCustomLabel: false,
    optionName: expect.stringMatching(/^metric_/),
  })
})

it('CONST-021: truncates the label of a long expression to 40 characters and an ellipsis', () => {
  const of = (length: number) => sqlMetric('x'.repeat(length)).label
  expect(of(43)).toBe('x'.repeat(43))
  expect(of(44)).toBe(`${'x'.repeat(40)}...`)
  expect(sqlMetric('x'.repeat(60), { ...sqlMetric('y'), label: 'Own', hasCustomLabel: true }).label).toBe('Own')
})
