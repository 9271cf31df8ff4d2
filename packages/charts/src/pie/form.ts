import Type from 'typebox'
import { control } from '../define.ts'
import {
  choice,
  colorScheme,
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
  sortByMetric,
} from '../shared/controls.ts'
import { labelTypes, labelTypeNames } from '../shared/label-contents.ts'

const percent = (label: string, byDefault: number, when?: (form: Record<string, unknown>) => boolean) =>
  control(Type.Number({ default: byDefault, minimum: 0, maximum: 100 }), {
    label,
    group: 'look',
    ...(when && { when }),
  })
const hasLabels = (form: Record<string, unknown>) => form.show_labels !== false

export const form = Type.Object({
  groupby: control(Type.Array(Column, { minItems: 1 }), { label: 'Dimensions', group: 'query', as: 'columns' }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  row_limit: rowLimit(100),
  sort_by_metric: sortByMetric(),
  color_scheme: colorScheme,
  donut: flag('Donut', false),
  innerRadius: percent('Inner radius', 30, (form) => form.donut === true),
  outerRadius: percent('Outer radius', 70),
  roseType: control(Type.Optional(nullable(choice(['area', 'radius']))), {
    label: 'Rose type',
    group: 'look',
    options: { area: 'Area', radius: 'Radius' },
  }),
  show_labels: flag('Show labels', true),
  label_type: control(choice([...labelTypes, 'template'], 'key'), {
    label: 'Label contents',
    group: 'look',
    options: { ...labelTypeNames, template: 'Template' },
    when: hasLabels,
  }),
  label_template: control(Type.Optional(nullable(Type.String())), {
    label: 'Label template',
    group: 'look',
    description: 'Text that can include {name}, {value} and {percent}.',
    when: (form) => hasLabels(form) && form.label_type === 'template',
  }),
  show_labels_threshold: percent('Label threshold in percent', 5, hasLabels),
  labels_outside: flag('Put labels outside', true, { when: hasLabels }),
  label_line: flag('Label lines', true, { when: (form) => hasLabels(form) && form.labels_outside !== false }),
  show_legend: flag('Show legend', true),
  legendOrientation: legendPosition,
  show_total: flag('Show total', false),
  threshold_for_other: percent('Threshold for “Others” in percent', 0),
  max_slices: control(Type.Optional(nullable(Type.Integer({ minimum: 1 }))), {
    label: 'Maximum slices',
    group: 'look',
    description: 'The largest get their own slice; the rest are grouped.',
  }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
})
