import { expect, it } from 'vitest'
import { resolveDisplayName } from './display-name.ts'
import { createTranslator, englishTranslator } from './translate.ts'

const verbose = { rain: 'Rain (mm)', revenue: 'Revenue', plain: 'plain', none: null }
const named = (label: string) => resolveDisplayName(label, verbose, englishTranslator)

it('regression: an aggregate over a labeled column is shown with the label of the column', () => {
  expect(
    ['SUM(rain)', 'AVG(rain)', 'MIN(rain)', 'MAX(rain)', 'COUNT(rain)', 'COUNT_DISTINCT(rain)'].map(named),
  ).toEqual([
    'Sum of Rain (mm)',
    'Average of Rain (mm)',
    'Minimum of Rain (mm)',
    'Maximum of Rain (mm)',
    'Count of Rain (mm)',
    'Distinct count of Rain (mm)',
  ])
})

it('names statistics over a labeled column', () => {
  expect(['MEDIAN(rain)', 'P99.9(rain)', 'STDDEV(rain)', 'VARIANCE(rain)', 'P(rain)', 'SUM9(rain)'].map(named)).toEqual(
    [
      'Median of Rain (mm)',
      'P99.9 of Rain (mm)',
      'Standard deviation of Rain (mm)',
      'Variance of Rain (mm)',
      'P(rain)',
      'SUM9(rain)',
    ],
  )
})

it('shows verbose names of columns and saved metrics, and other labels unchanged', () => {
  expect(['rain', 'revenue', 'SUM(plain)', 'SUM(none)', 'SUM(other)', 'SUM(rain) / 2', 'toString'].map(named)).toEqual([
    'Rain (mm)',
    'Revenue',
    'SUM(plain)',
    'SUM(none)',
    'SUM(other)',
    'SUM(rain) / 2',
    'toString',
  ])
})

it('is in the language of the user', () => {
  const say = createTranslator({ messages: { 'picture.metric.sum': 'Summe von {column}' }, locale: 'de' })
  expect(resolveDisplayName('SUM(rain)', verbose, say)).toBe('Summe von Rain (mm)')
})
