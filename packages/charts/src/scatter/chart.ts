import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { markers, timeSeriesForm } from '../shared/time-series/form.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'

/** Each point has its own tooltip, and the axis does not have to start at zero. */
const { rich_tooltip: _, truncateYAxis: __, ...shared } = timeSeriesForm.properties

const form = Type.Object({
  ...shared,
  y_axis_bounds: control(shared.y_axis_bounds, { label: 'Y-axis bounds', group: 'look', as: 'bounds' }),
  markerSize: control(markers.markerSize, { label: 'Marker size', group: 'look' }),
})

/** Metrics over an axis as points. */
export default defineChart({
  viz_type: 'echarts_timeseries_scatter',
  name: 'Scatter Plot',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Time', 'Transformable', 'Scatter', 'Popular'],
  description: 'Shows values as points along an axis, revealing spread, gaps and outliers that a line would hide.',
  icon: 'M2.5 2.5v11h11M5.5 10.5h.01M7.5 7.5h.01M10 9.5h.01M9.5 5h.01M12.5 6h.01',
  series: ['scatter'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: seriesQueries,
  spec: ({ series }, form, context) => timeSeriesSpec(series, form, context, { type: 'scatter' }),
})
