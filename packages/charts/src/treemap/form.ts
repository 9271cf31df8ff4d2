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
  numberFormat,
  rowLimit,
  timeFormat,
  sortByMetric,
} from '../shared/controls.ts'

const hasLabels = (form: Record<string, unknown>) => form.show_labels !== false

export const form = Type.Object({
  groupby: control(Type.Array(Column, { minItems: 1 }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'Each dimension divides the parts of the previous one.',
  }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_by_metric: sortByMetric(),
  color_scheme: colorScheme,
  show_labels: flag('Show labels', true),
  show_upper_labels: flag('Show upper labels', true),
  label_type: control(choice(['key', 'value', 'key_value'], 'key_value'), {
    label: 'Label contents',
    group: 'look',
    options: { key: 'Category name', value: 'Value', key_value: 'Category and value' },
    when: (settings) => hasLabels(settings) || settings.show_upper_labels !== false,
  }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
})

/**
 * Converts the legacy treemap (`treemap`), which drew one per metric: only the first one is used. The old keys stay in the form.
 */
export function fromLegacyTreemap(form: ChartForm): ChartForm {
  const [metric] = [form.metrics ?? []].flat()
  return { ...form, form_data_bak: form, viz_type: 'treemap_v2', metric: metric ?? form.metric }
}
