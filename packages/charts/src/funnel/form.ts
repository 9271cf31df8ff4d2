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
  numberFormat,
  rowLimit,
  timeFormat,
  sortByMetric,
} from '../shared/controls.ts'
import { labelTypes, labelTypeNames, type LabelType } from '../shared/label-contents.ts'

/** Newer releases store the index in this list instead of the name. */
const contents = (byDefault: LabelType) =>
  Type.Union(
    [...labelTypes.map((type) => Type.Literal(type)), Type.Integer({ minimum: 0, maximum: labelTypes.length - 1 })],
    { default: byDefault },
  ) as unknown as Type.TUnsafe<LabelType | number>

/** Name of the label contents, however they are stored. */
export const readLabelType = (stored: LabelType | number): LabelType =>
  typeof stored === 'number' ? (labelTypes[stored] ?? 'key') : stored

export const form = Type.Object({
  groupby: control(Type.Array(Column, { minItems: 1 }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'One step per value.',
  }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  row_limit: rowLimit(10),
  sort_by_metric: sortByMetric(
    'Shows the largest step first. Otherwise, steps stay in the order returned by the database.',
  ),
  percent_calculation_type: control(choice(['first_step', 'prev_step', 'total'], 'first_step'), {
    label: '% calculation',
    group: 'look',
    options: {
      first_step: 'Calculate from first step',
      prev_step: 'Calculate from previous step',
      total: 'Percent of total',
    },
    description: 'What the percentages in labels and tooltips are based on.',
  }),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true),
  legendOrientation: legendPosition,
  show_labels: flag('Show labels', true),
  label_type: control(contents('key'), {
    label: 'Label contents',
    group: 'look',
    options: labelTypeNames,
    when: (settings) => settings.show_labels !== false,
  }),
  tooltip_label_type: control(contents('key_value_percent'), {
    label: 'Tooltip contents',
    group: 'look',
    options: labelTypeNames,
  }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
})
