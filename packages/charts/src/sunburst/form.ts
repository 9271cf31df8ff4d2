import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  choice,
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
import { linearScheme } from '../shared/linear-scheme.ts'

const hasLabels = (form: ChartForm) => form.show_labels !== false
const hasSecond = (form: ChartForm) => Boolean(form.secondary_metric)

export const form = Type.Object({
  columns: control(Type.Array(Column, { minItems: 1 }), {
    label: 'Hierarchy',
    group: 'query',
    as: 'columns',
    description: 'One ring per column, from the center outward.',
  }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Sets the size of each part.',
  }),
  secondary_metric: control(Type.Optional(nullable(Metric)), {
    label: 'Secondary metric',
    group: 'query',
    as: 'metric',
    description: 'Colors the parts by the ratio of this metric to the primary metric.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_by_metric: sortByMetric(),
  color_scheme: control(colorScheme, {
    label: 'Color scheme',
    group: 'look',
    as: 'color-scheme',
    when: (settings) => !hasSecond(settings),
  }),
  linear_color_scheme: linearScheme({ when: hasSecond }),
  show_labels: flag('Show labels', true),
  label_type: control(choice(['key', 'value', 'key_value'], 'key'), {
    label: 'Label contents',
    group: 'look',
    options: { key: 'Category name', value: 'Value', key_value: 'Category and value' },
    when: hasLabels,
  }),
  show_labels_threshold: control(Type.Number({ default: 5, minimum: 0, maximum: 100 }), {
    label: 'Label threshold in percent',
    group: 'look',
    when: hasLabels,
  }),
  show_total: flag('Show total', false),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
})

/** Converts the legacy sunburst (`sunburst`), whose levels were stored as `groupby`. The old keys stay in the form. */
export function fromLegacySunburst(form: ChartForm): ChartForm {
  const levels = [form.groupby ?? form.columns ?? []].flat()
  return { ...form, form_data_bak: form, viz_type: 'sunburst_v2', columns: levels }
}
