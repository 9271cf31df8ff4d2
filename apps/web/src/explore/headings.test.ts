import { englishTranslator } from '@parquetry/model'
import { expect, it } from 'vitest'
import { createHeadingFormatter } from './headings.ts'

it('regression: a series named like a metric of the dataset keeps its own name', () => {
  const verbose = { day: 'Day', days: 'Days', weather: 'Weather', rain: 'Rain (mm)' }
  const day = { sqlExpression: 'day', label: 'day', expressionType: 'SQL', columnType: 'BASE_AXIS' } as const
  const headingOf = createHeadingFormatter(
    [{ columns: [day, 'weather'], metrics: ['days'] }],
    verbose,
    englishTranslator,
  )
  expect(['day', 'sun', 'rain', 'days'].map(headingOf)).toEqual(['Day', 'sun', 'rain', 'Days'])
  expect(createHeadingFormatter([{ columns: ['day'], metrics: ['rain'] }], verbose, englishTranslator)('rain')).toBe(
    'Rain (mm)',
  )
})

it("names a series as in the chart's legend", () => {
  const headingOf = createHeadingFormatter(
    [{ columns: ['day', 'city'], metrics: ['revenue', 'count', 'SUM(rain)'] }],
    { revenue: 'Revenue', rain: 'Rain (mm)' },
    englishTranslator,
  )
  expect(['revenue, Berlin', 'SUM(rain), Bonn', 'count, <NULL>', '<NULL>', 'Berlin'].map(headingOf)).toEqual([
    'Revenue, Berlin',
    'Sum of Rain (mm), Bonn',
    'count, ∅',
    '∅',
    'Berlin',
  ])
})
