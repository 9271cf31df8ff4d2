import { expect, it } from 'vitest'
import { createHeadingFormatter } from './headings.ts'

it('regression: a series that is called as a metric of the dataset is not shown as that metric', () => {
  const verbose = { day: 'Day', days: 'Days', weather: 'Weather', rain: 'Rain (mm)' }
  const day = { sqlExpression: 'day', label: 'day', expressionType: 'SQL', columnType: 'BASE_AXIS' } as const
  const headingOf = createHeadingFormatter([{ columns: [day, 'weather'], metrics: ['days'] }], verbose)
  expect(['day', 'sun', 'rain', 'days'].map(headingOf)).toEqual(['Day', 'sun', 'rain', 'Days'])
  expect(createHeadingFormatter([{ columns: ['day'], metrics: ['rain'] }], verbose)('rain')).toBe('Rain (mm)')
})

it('a series is called as in the legend of its picture', () => {
  const headingOf = createHeadingFormatter([{ columns: ['day', 'city'], metrics: ['revenue', 'count'] }], {
    revenue: 'Revenue',
  })
  expect(['revenue, Berlin', 'count, <NULL>', '<NULL>', 'Berlin'].map(headingOf)).toEqual([
    'Revenue, Berlin',
    'count, ∅',
    '∅',
    'Berlin',
  ])
})
