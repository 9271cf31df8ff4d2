import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { choice, flag } from '../shared/controls.ts'
import { markers, onlyTotal, opacity, stack, timeSeriesForm } from '../shared/time-series/form.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec, type Marks } from '../shared/time-series/spec.ts'

const styles = ['line', 'scatter', 'smooth', 'bar', 'start', 'middle', 'end'] as const

const form = Type.Object({
  ...timeSeriesForm.properties,
  seriesType: control(choice(styles, 'line'), {
    label: 'Series style',
    group: 'look',
    options: {
      line: 'Line',
      scatter: 'Scatter',
      smooth: 'Smooth line',
      bar: 'Bar',
      start: 'Step, start',
      middle: 'Step, middle',
      end: 'Step, end',
    },
  }),
  stack: stack(null),
  only_total: onlyTotal,
  area: flag('Fill area', false),
  opacity,
  ...markers,
})

const marksOf = (style: (typeof styles)[number]): Marks =>
  style === 'scatter' || style === 'bar' || style === 'line'
    ? { type: style }
    : style === 'smooth'
      ? { type: 'line', smooth: true }
      : { type: 'line', step: style }

/** The time series of many shapes: what the other charts over an x axis are, with the shape as a setting. */
export default defineChart({
  viz_type: 'echarts_timeseries',
  name: 'Generic Chart',
  category: 'Evolution',
  tags: ['Advanced-Analytics', 'ECharts', 'Line', 'Predictive', 'Time', 'Transformable'],
  description: 'A time series whose shape is a setting: line, bar, points or steps.',
  icon: 'line',
  series: ['line'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: seriesQueries,
  spec: ({ series }, form, look) =>
    timeSeriesSpec(series, form, look, { ...marksOf(form.seriesType), area: form.area }),
})
