import Type from 'typebox'
import { control } from '../define.ts'
import {
  colorScheme,
  Column,
  currency,
  filters,
  Metric,
  numberFormat,
  rowLimit,
  sortByMetric,
} from '../shared/controls.ts'

export const form = Type.Object({
  groupby: control(Column, {
    label: 'Source',
    group: 'query',
    as: 'column',
    description: 'Where the link starts. Sets the color of the link.',
  }),
  columns: control(Column, { label: 'Target', group: 'query', as: 'column', description: 'Where the link ends.' }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'Sets the width of each link.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_by_metric: sortByMetric(
    'Sorts the largest links first. If the row limit is reached, the smallest are left out.',
  ),
  y_axis_format: numberFormat('Number format'),
  currency_format: currency,
  color_scheme: colorScheme,
})
