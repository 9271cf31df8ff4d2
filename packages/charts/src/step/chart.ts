import Type from 'typebox'
import { defineChart } from '../define.ts'
import { control } from '../define.ts'
import { choice, flag } from '../shared/controls.ts'
import { markers, opacity, timeSeriesForm } from '../shared/time-series/form.ts'
import { seriesQueries } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'

const form = Type.Object({
  ...timeSeriesForm.properties,
  seriesType: control(choice(['start', 'middle', 'end'], 'start'), {
    label: 'Step type',
    group: 'look',
    options: { start: 'Start', middle: 'Middle', end: 'End' },
  }),
  area: flag('Fill area', false),
  opacity,
  ...markers,
})

/** A line chart whose values hold until the next one. */
export default defineChart({
  viz_type: 'echarts_timeseries_step',
  name: 'Stepped Line',
  category: 'Evolution',
  tags: ['ECharts', 'Predictive', 'Advanced-Analytics', 'Time', 'Transformable', 'Stacked'],
  description:
    'A line that stays level between points and steps at each one. Best for values that hold until they change, such as prices or stock levels.',
  icon: 'line',
  series: ['line'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: seriesQueries,
  spec: ({ series }, form, context) =>
    timeSeriesSpec(series, form, context, { type: 'line', step: form.seriesType, area: form.area }),
})
