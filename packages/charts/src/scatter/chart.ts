import Type from 'typebox'
import { defineChart } from '../define.ts'
import { markers, timeSeriesForm } from '../shared/time-series/form.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'

const form = Type.Object({ ...timeSeriesForm.properties, markerSize: markers.markerSize })

/** Metrics over an axis as points. */
export default defineChart({
  viz_type: 'echarts_timeseries_scatter',
  name: 'Scatter Plot',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Time', 'Transformable', 'Scatter', 'Popular'],
  description: 'Points along an axis: shows spread, gaps and outliers that a line would hide.',
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: seriesQueries,
  spec: ({ series }, form, look) => timeSeriesSpec(series, form, look, { type: 'scatter' }),
})
