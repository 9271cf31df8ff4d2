import Type from 'typebox'
import { control } from '../define.ts'
import { flag, numberFormat } from '../shared/controls.ts'
import { markers, timeSeriesForm } from '../shared/time-series/form.ts'
import { lineStyle } from '../shared/time-series/styles.ts'

const shared = timeSeriesForm.properties
const bound = Type.Union([Type.Number(), Type.Null()])
const hasSecond = ({ line_charts_2: second }: Record<string, unknown>) => Array.isArray(second) && second.length > 0

export const form = Type.Object({
  line_charts: control(Type.Array(Type.Integer(), { minItems: 1 }), {
    label: 'Left axis charts',
    group: 'query',
    as: 'charts',
  }),
  line_charts_2: control(Type.Array(Type.Integer(), { default: [] }), {
    label: 'Right axis charts',
    group: 'query',
    as: 'charts',
  }),
  adhoc_filters: shared.adhoc_filters,
  prefix_metric_with_slice_name: flag('Prefix metric name with chart name', false),
  color_scheme: shared.color_scheme,
  show_legend: shared.show_legend,
  legendOrientation: shared.legendOrientation,
  seriesType: lineStyle,
  ...markers,
  zoomable: shared.zoomable,
  y_axis_format: shared.y_axis_format,
  y_axis_2_format: numberFormat('Right axis format'),
  x_axis_time_format: shared.x_axis_time_format,
  x_axis_title: shared.x_axis_title,
  y_axis_title: shared.y_axis_title,
  xAxisLabelRotation: shared.xAxisLabelRotation,
  logAxis: shared.logAxis,
  truncateYAxis: shared.truncateYAxis,
  y_axis_bounds: shared.y_axis_bounds,
  y_axis_2_bounds: control(Type.Array(bound, { default: [null, null] }), {
    label: 'Right axis bounds',
    group: 'look',
    as: 'bounds',
    when: (settings) => hasSecond(settings) && settings.truncateYAxis === true,
  }),
  rich_tooltip: shared.rich_tooltip,
})
