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

/** A time of day as `HH:mm` or `HH:mm:ss`; null where the bars decide. */
const TimeOfDay = nullable(Type.String())

export const form = Type.Object({
  start_time: control(Column, { label: 'Start time', group: 'query', as: 'temporal-column' }),
  end_time: control(Column, { label: 'End time', group: 'query', as: 'temporal-column' }),
  y_axis: control(Column, {
    label: 'Y axis',
    group: 'query',
    as: 'column',
    description: 'Each of its values is a row of bars.',
  }),
  series: control(Type.Optional(nullable(Column)), {
    label: 'Dimension',
    group: 'query',
    as: 'column',
    description: 'Its values are told apart by colours.',
  }),
  subcategories: control(Type.Boolean({ default: false }), {
    label: 'Subcategories',
    group: 'query',
    description: 'Bars of one row that differ in the dimension stand below each other, not over each other.',
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
    description: 'Rows stand in the order in which they come.',
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
  zoomable: flag('Data zoom', false, { description: 'A slider below the picture shows a part of its time.' }),
  x_axis_title: title('X-axis title'),
  x_axis_time_bounds: control(Type.Array(TimeOfDay, { default: [null, null] }), {
    label: 'X-axis bounds',
    group: 'look',
    as: 'time-bounds',
    description: 'Times of day on the first and on the last day; without them the axis begins and ends with the bars.',
  }),
  x_axis_time_format: timeFormat('X-axis time format'),
  y_axis_title: title('Y-axis title'),
  tooltipTimeFormat: timeFormat('Tooltip time format'),
  tooltipValuesFormat: numberFormat('Tooltip number format'),
})
