import { expect, it } from 'vitest'
import { isRanking } from './ranking.ts'

it('parts of a metric, sorted bars and sorted rows are the first so many of an order', () => {
  expect(isRanking({ viz_type: 'pie', metric: 'count', groupby: ['origin'], row_limit: 10 })).toBe(true)
  const bars = { x_axis: 'origin', metrics: ['count'], x_axis_sort: 'count', x_axis_sort_asc: false, groupby: [] }
  expect(isRanking(bars)).toBe(true)
  expect(isRanking({ query_mode: 'raw', all_columns: ['rain'], order_by_cols: ['["rain", false]'] })).toBe(true)
  expect(isRanking({ viz_type: 'word_cloud', series: 'city', metric: 'count', sort_by_metric: true })).toBe(true)
})

it('a course, series over categories and rows in no order are cut by their limit', () => {
  expect(isRanking({ x_axis: 'date', metrics: ['count'], groupby: [] })).toBe(false)
  const series = { x_axis: 'origin', x_axis_sort: 'count', x_axis_sort_asc: false, groupby: ['carrier'] }
  expect(isRanking({ ...series, metrics: ['count'] })).toBe(false)
  expect(isRanking({ query_mode: 'raw', all_columns: ['rain'], order_by_cols: [] })).toBe(false)
  expect(isRanking({ metrics: ['count'] })).toBe(false)
})
