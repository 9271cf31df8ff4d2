import { expect, it } from 'vitest'
import { formatFilters } from './format-filters.ts'

const named = { verbose_map: { region: 'Region of sale' }, time_grain_sqla: [['P1M', 'Month']] as const }

it('lists the filters of a chart, of its dashboard and of the mark', () => {
  const form = {
    adhoc_filters: [
      { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'region', operator: 'IN', comparator: ['North', 'South'] },
      { expressionType: 'SQL', clause: 'WHERE', sqlExpression: 'price > 3' },
      {
        expressionType: 'SIMPLE',
        clause: 'WHERE',
        subject: 'sold',
        operator: 'TEMPORAL_RANGE',
        comparator: 'No filter',
      },
    ],
    extra_form_data: {
      time_range: 'Last year',
      filters: [
        { col: 'sold', op: '==', val: Date.UTC(2024, 2, 1), grain: 'P1M' },
        { col: 'city', op: 'IS NULL' },
        { col: 'n', op: 'IN', val: [1, 2, 3, 4, 5, 6, 7] },
      ],
    },
  }
  expect(formatFilters(form, named)).toEqual([
    'Last year',
    'Region of sale = North, South',
    'sold = 2024-03-01 (Month)',
    'city is null',
    'n = 1, 2, 3, 4, 5 +2',
    '(price > 3)',
  ])
})

it('includes the time of day when the grain is shorter than a day', () => {
  const at = { col: 'sold', op: '==', val: Date.UTC(2024, 2, 1, 14, 30), grain: 'PT1M' }
  expect(formatFilters({ extra_form_data: { filters: [at] } })).toEqual(['sold = 2024-03-01 14:30 (PT1M)'])
})
