import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { choice } from '../shared/controls.ts'
import { labelsInitially, onlyTotal, percentageThreshold, stack, timeSeriesForm } from '../shared/time-series/form.ts'
import { fromDistBar, fromLegacyBar } from '../shared/time-series/legacy.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'

/** Bars are placed side by side, so there is no numeric x-axis to truncate. */
const { truncateXAxis: _, xAxisBounds: __, ...shared } = timeSeriesForm.properties

const form = Type.Object({
  ...shared,
  orientation: control(choice(['vertical', 'horizontal'], 'vertical'), {
    label: 'Orientation',
    group: 'look',
    options: { vertical: 'Vertical', horizontal: 'Horizontal' },
  }),
  stack: stack(null),
  only_total: onlyTotal,
  percentage_threshold: percentageThreshold,
})

/** Metrics over time or over categories as bars, side by side or stacked. */
export default defineChart({
  viz_type: 'echarts_timeseries_bar',
  name: 'Bar Chart',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Time', 'Transformable', 'Stacked', 'Bar', 'Popular'],
  description:
    'Compares amounts over time or between categories. Bars start at zero, so their lengths can be compared.',
  icon: 'chart',
  series: ['bar'],
  thumbnail: { fixture: 'weather-by-month' },
  exampleGallery: ['industries', 'weather-by-month'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: labelsInitially,
  queries: seriesQueries,
  spec: ({ series }, form, context) =>
    timeSeriesSpec(series, form, context, { type: 'bar', horizontal: form.orientation === 'horizontal' }),
  replaces: { bar: fromLegacyBar, dist_bar: fromDistBar },
})
