import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  colorScheme,
  Column,
  filters,
  flag,
  legendPosition,
  Metric,
  nullable,
  numberFormat,
  rowLimit,
} from '../shared/controls.ts'

const bounds = (label: string, isCut: string) =>
  control(Type.Array(nullable(Type.Number()), { default: [null, null] }), {
    label,
    group: 'look',
    as: 'bounds',
    when: (form) => form[isCut] === true,
  })
const title = (label: string) =>
  control(Type.Optional(nullable(Type.String())), {
    label,
    group: 'look',
    description: 'Leave empty to use the metric name. Enter a space for no title.',
  })
const rotation = (label: string) =>
  control(Type.Number({ default: 0, minimum: -90, maximum: 90 }), {
    label,
    group: 'look',
    presets: [
      [0, '0°'],
      [45, '45°'],
      [90, '90°'],
    ],
  })
const metric = (label: string, description?: string) =>
  control(Metric, { label, group: 'query', as: 'metric', ...(description && { description }) })

export const form = Type.Object({
  series: control(Type.Optional(nullable(Column)), {
    label: 'Dimension',
    group: 'query',
    as: 'column',
    description: 'One color per value.',
  }),
  entity: control(Column, {
    label: 'Entity',
    group: 'query',
    as: 'column',
    description: 'One bubble per value.',
  }),
  x: metric('X axis'),
  y: metric('Y axis'),
  size: metric('Bubble size', 'Sets the area of each bubble. Values of zero or less are shown as rings.'),
  adhoc_filters: filters,
  orderby: control(Type.Optional(nullable(Metric)), {
    label: 'Sort by',
    group: 'query',
    as: 'metric',
    description: 'Decides which bubbles are shown when the row limit is reached. Leave empty to show the largest.',
  }),
  order_desc: control(Type.Boolean({ default: true }), {
    label: 'Sort descending',
    group: 'query',
    when: ({ orderby }) => Boolean(orderby),
  }),
  row_limit: rowLimit(),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true, { when: ({ series }) => Boolean(series) }),
  legendOrientation: legendPosition,
  max_bubble_size: control(Type.Number({ default: 25, minimum: 1, maximum: 500 }), {
    label: 'Max bubble size',
    group: 'look',
    presets: [5, 10, 15, 25, 50, 75, 100].map((size) => [size, String(size)] as const),
  }),
  tooltipSizeFormat: numberFormat('Bubble size number format'),
  opacity: control(Type.Number({ default: 0.6, minimum: 0, maximum: 1 }), { label: 'Bubble opacity', group: 'look' }),
  x_axis_label: title('X-axis title'),
  xAxisLabelRotation: rotation('Rotate x-axis labels'),
  xAxisFormat: numberFormat('X-axis format'),
  logXAxis: flag('Logarithmic x-axis', false),
  truncateXAxis: flag('Truncate x-axis', false, { description: 'The axis doesn’t have to start at zero.' }),
  xAxisBounds: bounds('X-axis bounds', 'truncateXAxis'),
  y_axis_label: title('Y-axis title'),
  yAxisLabelRotation: rotation('Rotate y-axis labels'),
  y_axis_format: numberFormat('Y-axis format'),
  logYAxis: flag('Logarithmic y-axis', false),
  truncateYAxis: flag('Truncate y-axis', false, { description: 'The axis doesn’t have to start at zero.' }),
  y_axis_bounds: bounds('Y-axis bounds', 'truncateYAxis'),
})

/** Converts the legacy bubble chart: the same settings under other names; its axes never began at zero. */
export const fromLegacyBubble = (form: ChartForm): ChartForm => ({
  ...form,
  viz_type: 'bubble_v2',
  row_limit: form.limit ?? form.row_limit,
  xAxisFormat: form.xAxisFormat ?? form.x_axis_format,
  xAxisLabelRotation: form.x_ticks_layout === '45°' ? 45 : 0,
  logXAxis: form.logXAxis ?? form.x_log_scale,
  logYAxis: form.logYAxis ?? form.y_log_scale,
  truncateXAxis: form.truncateXAxis ?? true,
  truncateYAxis: form.truncateYAxis ?? true,
  form_data_bak: form,
})
