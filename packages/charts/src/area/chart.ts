import Type from 'typebox'
import { defineChart } from '../define.ts'
import {
  markers,
  labelsInitially,
  onlyTotal,
  opacity,
  percentageThreshold,
  stack,
  timeSeriesForm,
} from '../shared/time-series/form.ts'
import { fromLegacyArea } from '../shared/time-series/legacy.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'
import { lineStyle, toMarkStyle } from '../shared/time-series/styles.ts'

const form = Type.Object({
  ...timeSeriesForm.properties,
  seriesType: lineStyle,
  stack: stack(null, ['Stream']),
  only_total: onlyTotal,
  percentage_threshold: percentageThreshold,
  opacity,
  ...markers,
})

/** Metrics over time as filled bands, stacked if configured. */
export default defineChart({
  viz_type: 'echarts_area',
  name: 'Area Chart',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Time', 'Transformable', 'Stacked', 'Line', 'Popular'],
  description: 'Shows how a total and its parts change over time, as stacked bands.',
  icon: 'area',
  series: ['line'],
  thumbnail: { fixture: 'shares' },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: labelsInitially,
  queries: seriesQueries,
  spec: ({ series }, form, context) =>
    timeSeriesSpec(series, form, context, { ...toMarkStyle(form.seriesType), area: true }),
  replaces: { area: fromLegacyArea },
})
