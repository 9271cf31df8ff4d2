import Type from 'typebox'
import { control } from '../define.ts'
import {
  choice,
  colorScheme,
  Column,
  filters,
  flag,
  legendPosition,
  Metric,
  nullable,
  numberFormat,
  rowLimit,
  timeFormat,
} from '../shared/controls.ts'

const title = (label: string) => control(Type.Optional(nullable(Type.String())), { label, group: 'look' })

/** Time of day as `HH:mm` or `HH:mm:ss`; null if the bars determine the bound. */
const TimeOfDay = nullable(Type.String())

export const form = Type.Object({
  start_time: control(Column, { label: 'Start time', group: 'query', as: 'temporal-column' }),
  end_time: control(Column, { label: 'End time', group: 'query', as: 'temporal-column' }),
  y_axis: control(Column, {
    label: 'Y axis',
    group: 'query',
    as: 'column',
    description: 'One row of bars per value.',
  }),
  series: control(Type.Optional(nullable(Column)), {
    label: 'Dimension',
    group: 'query',
    as: 'column',
    description: 'One color per value.',
  }),
  subcategories: control(Type.Boolean({ default: false }), {
    label: 'Subcategories',
    group: 'query',
    description:
      'Bars in the same row with different dimension values are placed below each other instead of overlapping.',
    when: ({ series }) => Boolean(series),
  }),
  tooltip_metrics: control(Type.Array(Metric, { default: [] }), {
    label: 'Tooltip metrics',
    group: 'query',
    as: 'metrics',
  }),
  tooltip_columns: control(Type.Array(Column, { default: [] }), {
    label: 'Tooltip columns',
    group: 'query',
    as: 'columns',
  }),
  adhoc_filters: filters,
  order_by_cols: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Ordering',
    group: 'query',
    as: 'order-by',
    description: 'Rows appear in this order.',
  }),
  row_limit: rowLimit(),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true),
  legendOrientation: control(legendPosition, {
    label: 'Legend position',
    group: 'look',
    options: { top: 'Top', bottom: 'Bottom', left: 'Left', right: 'Right' },
    when: ({ show_legend, series }) => show_legend !== false && Boolean(series),
  }),
  legendSort: control(Type.Optional(nullable(choice(['asc', 'desc']))), {
    label: 'Legend order',
    group: 'look',
    options: { asc: 'A to Z', desc: 'Z to A' },
    when: ({ show_legend, series }) => show_legend !== false && Boolean(series),
  }),
  zoomable: flag('Data zoom', false, { description: 'Adds a slider below the chart to show part of the time range.' }),
  x_axis_title: title('X-axis title'),
  x_axis_time_bounds: control(Type.Array(TimeOfDay, { default: [null, null] }), {
    label: 'X-axis bounds',
    group: 'look',
    as: 'time-bounds',
    description: 'Time of day on the first and last day. Leave empty to start and end the axis with the bars.',
  }),
  x_axis_time_format: timeFormat('X-axis time format'),
  y_axis_title: title('Y-axis title'),
  tooltipTimeFormat: timeFormat('Tooltip time format'),
  tooltipValuesFormat: numberFormat('Tooltip number format'),
})
