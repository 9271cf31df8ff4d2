import Type from 'typebox'
import { control } from '../define.ts'
import {
  choice,
  Column,
  currency,
  filters,
  flag,
  legendPosition,
  Metric,
  nullable,
  numberFormat,
  rowLimit,
  timeFormat,
  timeGrain,
} from '../shared/controls.ts'

const color = (label: string, r: number, g: number, b: number) =>
  control(
    Type.Object(
      { r: Type.Number(), g: Type.Number(), b: Type.Number(), a: Type.Optional(Type.Number()) },
      { default: { r, g, b, a: 1 } },
    ),
    { label, group: 'look', as: 'color' },
  )

const text = (label: string, description?: string) =>
  control(Type.Optional(nullable(Type.String())), { label, group: 'look', ...(description && { description }) })

const labelDescription = 'Name of these bars in the legend and tooltip.'

export const form = Type.Object({
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'X axis',
    group: 'query',
    as: 'x-axis',
    description: 'Bars follow the order of this column. Each starts where the previous one ends.',
  }),
  time_grain_sqla: timeGrain,
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Breakdowns',
    group: 'query',
    as: 'columns',
    description: 'Breaks each change down into parts, followed by a total for each value on the x axis.',
  }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description:
      'The amount added or subtracted at each point on the x axis. Values are added up, so use a sum or a count.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  show_value: flag('Show values', false),
  show_legend: flag('Show legend', false),
  legendOrientation: control(legendPosition, {
    label: 'Legend position',
    group: 'look',
    options: { top: 'Top', bottom: 'Bottom', left: 'Left', right: 'Right' },
    when: (settings) => settings.show_legend === true,
  }),
  increase_color: color('Increase', 90, 193, 137),
  increase_label: text('Increase label', labelDescription),
  decrease_color: color('Decrease', 224, 67, 85),
  decrease_label: text('Decrease label', labelDescription),
  show_total: flag('Show total', true, { description: 'Adds a bar from zero to the total of the others.' }),
  total_color: color('Total', 102, 102, 102),
  total_label: text('Total label', labelDescription),
  x_axis_label: text('X-axis title'),
  x_axis_time_format: timeFormat('X-axis time format'),
  x_ticks_layout: control(choice(['auto', 'flat', '45°', '90°', 'staggered'], 'auto'), {
    label: 'X tick layout',
    group: 'look',
    description: 'Layout of the x-axis labels.',
    options: { auto: 'Auto', flat: 'Flat', '45°': '45°', '90°': '90°', staggered: 'Staggered' },
  }),
  y_axis_label: text('Y-axis title'),
  y_axis_format: numberFormat('Number format'),
  currency_format: currency,
})
