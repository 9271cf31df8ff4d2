import Type from 'typebox'
import { control } from '../define.ts'
import {
  colorScheme,
  Column,
  currency,
  filters,
  flag,
  Metric,
  nullable,
  numberFormat,
  rowLimit,
  timeFormat,
  sortByMetric,
} from '../shared/controls.ts'

const end = (label: string) => control(Type.Optional(nullable(Type.Number())), { label, group: 'look' })
const angle = (label: string, byDefault: number) =>
  control(Type.Number({ default: byDefault, minimum: -360, maximum: 360 }), { label, group: 'look' })
const hasProgress = (form: Record<string, unknown>) => form.show_progress !== false

export const form = Type.Object({
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'One pointer per value.',
  }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  row_limit: rowLimit(10),
  sort_by_metric: sortByMetric(),
  min_val: end('Min'),
  max_val: end('Max'),
  start_angle: angle('Start angle', 225),
  end_angle: angle('End angle', -45),
  color_scheme: colorScheme,
  font_size: control(Type.Number({ default: 15, minimum: 6, maximum: 60 }), {
    label: 'Font size',
    group: 'look',
    presets: [10, 12, 15, 18, 24].map((size) => [size, String(size)] as const),
  }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
  value_formatter: control(Type.String({ default: '{value}' }), {
    label: 'Value format',
    group: 'look',
    description: 'Text that includes {value}, such as “{value} km/h”.',
  }),
  show_pointer: flag('Show pointer', true),
  animation: flag('Animation', true),
  show_axis_tick: flag('Show axis ticks', false),
  show_split_line: flag('Show split lines', false),
  split_number: control(Type.Integer({ default: 10, minimum: 1, maximum: 30 }), {
    label: 'Split number',
    group: 'look',
    description: 'Number of intervals on the axis.',
  }),
  show_progress: flag('Show progress', true),
  overlap: flag('Overlap', true, { when: hasProgress }),
  round_cap: flag('Round cap', false, { when: hasProgress }),
  intervals: control(Type.String({ default: '' }), {
    label: 'Interval bounds',
    group: 'look',
    description: 'Comma-separated values where the axis bands end, such as 20,50,100.',
  }),
  interval_color_indices: control(Type.String({ default: '' }), {
    label: 'Interval colors',
    group: 'look',
    description: 'Comma-separated positions in the color scheme, one per band, starting at 1, such as 5,2,8.',
    when: (settings) => Boolean(settings.intervals),
  }),
})
