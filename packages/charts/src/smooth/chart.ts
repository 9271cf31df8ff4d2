import Type from 'typebox'
import { defineChart } from '../define.ts'
import { markers, opacity, timeSeriesForm } from '../shared/time-series/form.ts'
import { flag } from '../shared/controls.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'

const form = Type.Object({ ...timeSeriesForm.properties, area: flag('Fill area', false), opacity, ...markers })

/** A line chart with rounded lines. */
export default defineChart({
  viz_type: 'echarts_timeseries_smooth',
  name: 'Smooth Line',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Time', 'Line', 'Transformable'],
  description:
    'A line chart with smooth curves. Easier to read than straight lines when the exact shape between points does not matter.',
  icon: 'line',
  series: ['line'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: seriesQueries,
  spec: ({ series }, form, context) =>
    timeSeriesSpec(series, form, context, { type: 'line', smooth: true, area: form.area }),
})
