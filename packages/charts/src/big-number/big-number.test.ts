import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import type { BigNumberSpec } from '../shared/big-number.ts'
import { buildSpecContext } from '../spec-context.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'big-number')

const days = ['2024-01-01', '2024-01-02', '2024-01-03'].map((day) => new Date(day))
function specOf(values: (number | null)[], more: ChartForm, whole?: number): BigNumberSpec {
  const form = applyDefaults(chart.form, { viz_type: 'big_number', x_axis: 'day', metric: 'm', ...more })
  const trend = buildFrame({ day: days.slice(0, values.length), m: values })
  const frames = { trend, ...(whole !== undefined && { whole: buildFrame({ m: [whole] }) }) }
  return chart.spec(frames, form, buildSpecContext(form)) as BigNumberSpec
}

it('regression: the number is the aggregate that the form names, the change still that of the last value', () => {
  const numbers = (values: (number | null)[]) =>
    ['LAST_VALUE', 'sum', 'mean', 'median', 'min', 'max'].map((aggregation) => specOf(values, { aggregation }).value)
  expect(numbers([100, 120, 90])).toEqual([90, 310, 310 / 3, 100, 90, 120])
  expect(numbers([100, null, 90])).toEqual([90, 190, 95, 95, 90, 100])
  expect(numbers([])).toEqual([null, null, null, null, null, null])
  const { value, change } = specOf([100, 120, 90], { aggregation: 'sum', compare_lag: 1 })
  expect({ value, change }).toEqual({ value: 310, change: { ratio: -0.25, suffix: '' } })
  expect(specOf([100, 120, 90], {}).value).toBe(90)
})

it('the overall value is the metric over the whole range, not computed from the trend', () => {
  const queries = namedQueries(chart, { x_axis: 'day', metric: 'm', time_grain_sqla: 'P1D', aggregation: 'raw' })
  expect(Object.keys(queries)).toEqual(['trend', 'whole'])
  expect(queries.whole).toMatchObject({ columns: [], metrics: ['m'] })
  expect(queries.whole).not.toHaveProperty('post_processing')
  expect(specOf([100, 120, 90], { aggregation: 'raw', compare_lag: 2 }, 104)).toMatchObject({
    value: 104,
    change: { ratio: -0.1 },
  })
  expect(Object.keys(namedQueries(chart, { x_axis: 'day', metric: 'm' }))).toEqual(['trend'])
})

it('an aggregate has no time of its own', () => {
  expect(specOf([1, 2], { show_timestamp: true })).toHaveProperty('at')
  expect(specOf([1, 2], { show_timestamp: true, aggregation: 'max' })).not.toHaveProperty('at')
})

it('regression: there is no percentage of zero, and the sign is that of the change', () => {
  expect(specOf([0, 7], { compare_lag: 1 }).change?.ratio).toBeNull()
  expect(specOf([-50, -25], { compare_lag: 1 }).change?.ratio).toBe(0.5)
})
