import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import type { BigNumberSpec } from '../shared/big-number.ts'
import { layoutBigNumber } from '../shared/big-number-layout.ts'
import { englishTranslator } from '../resolve/text.ts'
import { themes } from '../resolve/theme.ts'
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

const layOut = (spec: BigNumberSpec, size = { width: 400, height: 300 }) =>
  layoutBigNumber(spec, {
    theme: themes.light,
    locale: 'en',
    timeZone: 'UTC',
    translate: englishTranslator,
    ...size,
  })

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

it('regression: in a low tile the number and the trend line leave room for the texts', () => {
  const spec = specOf([100, 120, 90], { compare_lag: 1, subheader: 'orders', time_grain_sqla: 'P1D' })
  for (const height of [60, 80, 97, 120, 300]) {
    const { numberSize, subSize, trendHeight } = layOut(spec, { width: 400, height })
    const texts = numberSize + 2 * subSize + 12 + 3 * 6
    expect(texts + trendHeight, `${height}`).toBeLessThanOrEqual(Math.max(height, 74))
    expect(numberSize).toBeGreaterThanOrEqual(20)
  }
  expect(layOut(spec, { width: 400, height: 60 }).trendHeight).toBe(0)
  expect(layOut(spec, { width: 400, height: 300 }).trendHeight).toBe(102)
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

it('regression: names the period of the last value, or the periods of which it is an aggregate', () => {
  const shown = (values: (number | null)[], more: ChartForm) =>
    layOut(specOf(values, { time_grain_sqla: 'P1D', ...more })).at
  expect(shown([1, 2, 3], {})).toBe('Wed, Jan 3, 2024')
  expect(shown([1, 2, null], {})).toBe('Tue, Jan 2, 2024')
  expect(shown([1, 2], { show_timestamp: true, time_format: '%d.%m.%Y' })).toBe('02.01.2024')
  for (const aggregation of ['sum', 'raw'])
    expect(shown([1, 2, 3], { aggregation })).toBe('Mon, Jan 1, 2024 – Wed, Jan 3, 2024')
  expect(shown([1], { aggregation: 'sum' })).toBe('Mon, Jan 1, 2024')
  expect(shown([], {})).toBeNull()
})

it('C052: the number is the latest value, compared with the one so many periods before, with the sign of the change', () => {
  const shown = (values: number[], more: ChartForm) => {
    const { value, change } = layOut(specOf(values, { compare_suffix: 'DoD', ...more }))
    return [value, change?.text, change?.tone]
  }
  expect(shown([100, 120, 90], { compare_lag: 1 })).toEqual(['90', '▼ -25% DoD', 'bad'])
  expect(shown([100, 120, 90], { compare_lag: 2 })).toEqual(['90', '▼ -10% DoD', 'bad'])
  expect(shown([-50, -25], { compare_lag: 1 })).toEqual(['−25', '▲ +50% DoD', 'good'])
  expect(shown([0, 7], { compare_lag: 1 })).toEqual(['7', 'no data to compare with', 'same'])
  expect(shown([100, 120, 90], { compare_lag: 1, aggregation: 'sum' })).toEqual(['310', '▼ -25% DoD', 'bad'])
  const { orderby, post_processing } = namedQueries(chart, { x_axis: 'day', metric: 'm' }).trend!
  // The pivot sorts the times, whatever the order of the rows.
  expect([orderby ?? [], post_processing?.[0]?.operation]).toEqual([[], 'pivot'])
})
