import { expect, it } from 'vitest'
import type { ChartForm } from '../../define.ts'
import { buildSpecContext } from '../../spec-context.ts'
import { resolveForm, namedQueries } from '../../query/build-query-context.ts'
import { loadStoredForm } from '../../registry.ts'
import { toFrames } from '../../testing/frames.ts'

const opened = async (viz_type: string, more: ChartForm = {}) =>
  (await loadStoredForm({ viz_type, granularity_sqla: 'at', metrics: ['n'], groupby: [], ...more }))!
const openedForm = async (...given: Parameters<typeof opened>) => (await opened(...given)).form
const drawSeries = async (...given: Parameters<typeof opened>) => {
  const { chart, form } = await opened(...given)
  const settled = resolveForm(chart, form)
  const frames = toFrames({
    series: [
      { name: '__timestamp', kind: 'time', values: [0, 86_400_000] },
      { name: 'n', values: [1, 2] },
    ],
  })
  return (chart.spec(frames, settled, buildSpecContext(settled)).series as Record<string, unknown>[])[0]
}

it('a legacy line chart keeps its curve', async () => {
  const drawn = async (line_interpolation?: string) => {
    const { chart } = await opened('line', { line_interpolation })
    const { smooth, step } = (await drawSeries('line', { line_interpolation }))!
    return [chart.viz_type, smooth, step]
  }
  expect(await drawn()).toEqual(['echarts_timeseries_line', undefined, undefined])
  expect(await drawn('linear')).toEqual(['echarts_timeseries_line', undefined, undefined])
  for (const curve of ['basis', 'cardinal', 'monotone'])
    expect(await drawn(curve)).toEqual(['echarts_timeseries_smooth', true, undefined])
  expect(await drawn('step-before')).toEqual(['echarts_timeseries_step', undefined, 'start'])
  expect(await drawn('step-after')).toEqual(['echarts_timeseries_step', undefined, 'end'])
})

it('a legacy area chart keeps its curve and stacking', async () => {
  expect(await drawSeries('area', { line_interpolation: 'monotone' })).toMatchObject({ smooth: true, stack: 'all' })
  const stack = async (stacked_style?: string) => (await openedForm('area', { stacked_style })).stack
  expect(await Promise.all([undefined, 'stack', 'expand', 'stream'].map(stack))).toEqual([
    'Stack',
    'Stack',
    'Expand',
    'Stream',
  ])
})

it.each(['line', 'bar', 'area'])('the controls of a legacy %s are read under their new names', async (viz_type) => {
  const form = await openedForm(viz_type, {
    show_brush: 'yes',
    show_markers: true,
    y_log_scale: true,
    contribution: true,
    x_axis_label: 'Day',
    y_axis_label: 'Orders',
    x_axis_format: '%d.%m.',
    x_ticks_layout: '45°',
    limit: 5,
    time_compare: ['1 week', '28 days ago', 'inherit'],
    comparison_type: 'absolute',
  })
  expect(form).toMatchObject({
    zoomable: true,
    markerEnabled: true,
    logAxis: true,
    contributionMode: 'row',
    x_axis_title: 'Day',
    y_axis_title: 'Orders',
    x_axis_time_format: '%d.%m.',
    xAxisLabelRotation: 45,
    series_limit: 5,
    time_compare: ['1 week ago', '28 days ago', 'inherit'],
    comparison_type: 'difference',
  })
  expect((await openedForm(viz_type, { show_brush: 'no' })).zoomable).toBe(false)
  expect((await openedForm(viz_type, { show_brush: 'auto' })).zoomable).toBe(false)
  expect((await openedForm(viz_type, { time_compare: '1 year' })).time_compare).toEqual(['1 year ago'])
})

it('legacy lines have a truncated y-axis, bars and areas start at zero', async () => {
  const begins = async (viz_type: string) => (await openedForm(viz_type)).truncateYAxis
  expect(await Promise.all(['line', 'bar', 'area'].map(begins))).toEqual([true, undefined, undefined])
})

it('legacy bars by category are sorted by length or by name', async () => {
  const sorted = async (more: ChartForm) => {
    const { chart, form } = await opened('dist_bar', { groupby: ['city'], ...more })
    return namedQueries(chart, form).series?.post_processing?.find((step) => step?.operation === 'sort')?.options
  }
  expect(await sorted({})).toEqual({ by: 'n', ascending: false })
  expect(await sorted({ order_bars: true })).toEqual({ is_sort_index: true, ascending: true })
  expect(
    await openedForm('dist_bar', { groupby: ['city'], columns: ['kind'], bar_stacked: true, show_bar_value: true }),
  ).toMatchObject({
    x_axis: 'city',
    groupby: ['kind'],
    stack: 'Stack',
    show_value: true,
    x_axis_sort_series: 'sum',
    x_axis_sort_series_ascending: false,
  })
})
