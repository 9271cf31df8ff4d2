import { numberAt, postProcess } from '@parquetry/frame'
import { expect, it } from 'vitest'
import area from '../../area/chart.ts'
import bar from '../../bar/chart.ts'
import bigNumber from '../../big-number/chart.ts'
import type { AnyChart } from '../../define.ts'
import line from '../../line/chart.ts'
import mixed from '../../mixed/chart.ts'
import { namedQueries } from '../../query/build-query-context.ts'
import { toFrames } from '../../testing/frames.ts'

const stepsOf = (chart: AnyChart, form: object) => {
  const [query] = Object.values(namedQueries(chart, { viz_type: chart.viz_type, x_axis: 'day', ...form }))
  return (query?.post_processing ?? []).flatMap((step) => step ?? [])
}

/** Columns of the response to a form over these rows, without the time. */
function answer(chart: AnyChart, form: object, rows: [day: string, kind: string, value: number][]) {
  const { rows: frame } = toFrames({
    rows: [
      { name: 'day', kind: 'time', values: rows.map(([day]) => Date.parse(`${day}Z`)) },
      { name: 'kind', values: rows.map(([, kind]) => kind) },
      { name: 'n', values: rows.map(([, , value]) => value) },
    ],
  })
  const { frame: result } = postProcess(frame!, stepsOf(chart, { metrics: ['n'], ...form }))
  return result.columns.slice(1).map((column) => Array.from({ length: result.rows }, (_, row) => numberAt(column, row)))
}

const analytics = { rolling_type: 'mean', rolling_periods: 2, resample_rule: '1D', resample_method: 'zerofill' }

it.each([
  ['line', line, { metrics: ['n'] }],
  ['mixed', mixed, { metrics: ['n'] }],
  ['big number', bigNumber, { metric: 'n' }],
])('adds missing times before windows count rows: %s', (_, chart, form) => {
  const operations = stepsOf(chart, { ...form, ...analytics }).map(({ operation }) => operation)
  expect(operations.slice(0, 3)).toEqual(['pivot', 'resample', 'rolling'])
})

it('resamples before a comparison with an earlier time, too', () => {
  const form = { metrics: ['n'], time_compare: ['1 year ago'], comparison_type: 'difference' }
  const operations = stepsOf(line, { ...form, ...analytics }).map(({ operation }) => operation)
  expect(operations).toEqual(['pivot', 'resample', 'rolling', 'compare', 'flatten'])
})

it('C038: a running total goes on over the months in which a series has no row', () => {
  const rows: [string, string, number][] = [
    ['2024-01-01T00:00', 'a', 1],
    ['2024-01-01T00:00', 'b', 10],
    ['2024-02-01T00:00', 'b', 20],
    ['2024-03-01T00:00', 'a', 2],
  ]
  expect(answer(area, { groupby: ['kind'], rolling_type: 'cumsum', stack: 'Stack' }, rows)).toEqual([
    [1, 1, 3],
    [10, 30, 30],
  ])
})

it('C039: a window of five days begins with the fifth day', () => {
  const rows = [1, 2, 3, 4, 5, 6].map((day): [string, string, number] => [`2024-01-0${day}T00:00`, 'a', day])
  const form = { groupby: [], rolling_type: 'mean', rolling_periods: 5, min_periods: 5 }
  expect(answer(bar, form, rows)).toEqual([[3, 4]])
})

it.each([
  ['zerofill', [1, 0, 0, 3], [0, 5, 0, 6]],
  ['ffill', [1, 1, 1, 3], [null, 5, 5, 6]],
  ['bfill', [1, 3, 3, 3], [5, 5, 6, 6]],
])('C040: %s fills every series over the common range', (resample_method, a, b) => {
  const rows: [string, string, number][] = [
    ['2024-01-01T00:00', 'a', 1],
    ['2024-01-02T00:00', 'b', 5],
    ['2024-01-04T00:00', 'a', 3],
    ['2024-01-04T00:00', 'b', 6],
  ]
  expect(answer(line, { groupby: ['kind'], resample_rule: '1D', resample_method }, rows)).toEqual([a, b])
})

it('a window over resampled days covers days, not rows', () => {
  const rows: [string, string, number][] = [
    ['2024-01-01T00:00', 'a', 2],
    ['2024-01-04T00:00', 'a', 4],
  ]
  expect(answer(line, { groupby: [], ...analytics }, rows)).toEqual([[2, 1, 0, 2]])
})
