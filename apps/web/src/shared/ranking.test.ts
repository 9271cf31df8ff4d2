import { expect, it } from 'vitest'
import { isRanking } from './ranking.ts'

it('slices of a metric, sorted bars and sorted rows are rankings', () => {
  expect(isRanking({ viz_type: 'pie', metric: 'count', groupby: ['origin'], row_limit: 10 })).toBe(true)
  const bars = { x_axis: 'origin', metrics: ['count'], x_axis_sort: 'count', x_axis_sort_asc: false, groupby: [] }
  expect(isRanking(bars)).toBe(true)
  expect(isRanking({ query_mode: 'raw', all_columns: ['rain'], order_by_cols: ['["rain", false]'] })).toBe(true)
  expect(isRanking({ viz_type: 'word_cloud', series: 'city', metric: 'count', sort_by_metric: true })).toBe(true)
})

it('time series, series over categories and unsorted rows are cut off by their limit', () => {
  expect(isRanking({ x_axis: 'date', metrics: ['count'], groupby: [] })).toBe(false)
  const series = { x_axis: 'origin', x_axis_sort: 'count', x_axis_sort_asc: false, groupby: ['carrier'] }
  expect(isRanking({ ...series, metrics: ['count'] })).toBe(false)
  expect(isRanking({ query_mode: 'raw', all_columns: ['rain'], order_by_cols: [] })).toBe(false)
  expect(isRanking({ metrics: ['count'] })).toBe(false)
})
