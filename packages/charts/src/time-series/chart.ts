import Type from 'typebox'
import { defineChart } from '../define.ts'
import { flag } from '../shared/controls.ts'
import {
  markers,
  labelsInitially,
  onlyTotal,
  opacity,
  percentageThreshold,
  stack,
  timeSeriesForm,
} from '../shared/time-series/form.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'
import { toMarkStyle, seriesStyle } from '../shared/time-series/styles.ts'

const form = Type.Object({
  ...timeSeriesForm.properties,
  seriesType: seriesStyle,
  stack: stack(null),
  only_total: onlyTotal,
  percentage_threshold: percentageThreshold,
  area: flag('Fill area', false),
  opacity,
  ...markers,
})

/** The generic time series, with the style of the other charts with an x-axis as a setting. */
export default defineChart({
  viz_type: 'echarts_timeseries',
  name: 'Generic Chart',
  category: 'Evolution',
  tags: ['Advanced-Analytics', 'ECharts', 'Line', 'Predictive', 'Time', 'Transformable'],
  description: 'A time series that can be drawn as a line, bars, points or steps.',
  icon: 'line',
  series: ['line'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: labelsInitially,
  queries: seriesQueries,
  spec: ({ series }, form, context) =>
    timeSeriesSpec(series, form, context, { ...toMarkStyle(form.seriesType), area: form.area }),
})
