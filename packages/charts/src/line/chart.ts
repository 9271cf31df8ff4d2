import Type from 'typebox'
import { defineChart } from '../define.ts'
import { flag } from '../shared/controls.ts'
import { markers, opacity, timeSeriesForm } from '../shared/time-series/form.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'
import { lineStyle, toMarkStyle } from '../shared/time-series/styles.ts'
import { fromLegacyLine } from '../shared/time-series/legacy.ts'

const form = Type.Object({
  ...timeSeriesForm.properties,
  seriesType: lineStyle,
  area: flag('Fill area', false),
  opacity,
  ...markers,
})

/** Metrics over time as lines; `series` has one column per series, oldest row first. */
export default defineChart({
  viz_type: 'echarts_timeseries_line',
  name: 'Line Chart',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Line', 'Popular'],
  description: 'Shows how a metric changes over time. Best for trends with up to ten series.',
  icon: 'line',
  series: ['line'],
  exampleGallery: ['temperatures', 'stock-prices-annotated'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: seriesQueries,
  spec: ({ series }, form, context) =>
    timeSeriesSpec(series, form, context, { ...toMarkStyle(form.seriesType), area: form.area }),
  replaces: { line: fromLegacyLine },
})
