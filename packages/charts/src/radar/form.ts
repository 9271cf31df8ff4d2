import { recordSchema } from '@parquetry/model'
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
  rankMetric,
  rowLimit,
  timeFormat,
} from '../shared/controls.ts'

/** Keys of the minimum and maximum in an entry of `column_config`. */
export const boundKeys = ['radarMetricMinValue', 'radarMetricMaxValue'] as const

const MetricConfig = Type.Object(
  {
    radarMetricMinValue: Type.Optional(nullable(Type.Number())),
    radarMetricMaxValue: Type.Optional(nullable(Type.Number())),
  },
  { additionalProperties: true },
)

const hasLabels = (form: Record<string, unknown>) => form.show_labels !== false
const labelPositions = {
  top: 'Top',
  left: 'Left',
  right: 'Right',
  bottom: 'Bottom',
  inside: 'Inside',
  insideLeft: 'Inside left',
  insideRight: 'Inside right',
  insideTop: 'Inside top',
  insideBottom: 'Inside bottom',
  insideTopLeft: 'Inside top left',
  insideBottomLeft: 'Inside bottom left',
  insideTopRight: 'Inside top right',
  insideBottomRight: 'Inside bottom right',
} as const
type LabelPosition = keyof typeof labelPositions

export const form = Type.Object({
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'One shape per value.',
  }),
  metrics: control(Type.Array(Metric, { minItems: 1 }), {
    label: 'Metrics',
    group: 'query',
    as: 'metrics',
    description: 'One axis per metric. Three or more form a shape.',
  }),
  timeseries_limit_metric: rankMetric,
  adhoc_filters: filters,
  row_limit: rowLimit(10),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true),
  legendOrientation: legendPosition,
  show_labels: flag('Show labels', true),
  label_type: control(choice(['value', 'key_value'], 'value'), {
    label: 'Label contents',
    group: 'look',
    options: { value: 'Value', key_value: 'Category and value' },
    when: hasLabels,
  }),
  label_position: control(choice(Object.keys(labelPositions) as LabelPosition[], 'top'), {
    label: 'Label position',
    group: 'look',
    options: labelPositions,
    when: hasLabels,
  }),
  column_config: control(recordSchema(MetricConfig, { default: {} }), {
    label: 'Metric bounds',
    group: 'look',
    as: 'metric-bounds',
    boundKeys,
    description: 'Center and edge of each axis. Leave empty to use zero and the highest value.',
  }),
  is_circle: flag('Circle radar shape', false),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
})
