import Type from 'typebox'
import { control } from '../define.ts'
import { colorScheme, Column, currency, filters, Metric, numberFormat, rowLimit } from '../shared/controls.ts'

export const form = Type.Object({
  groupby: control(Column, {
    label: 'Source',
    group: 'query',
    as: 'column',
    description: 'Where something comes from: a link has its color.',
  }),
  columns: control(Column, { label: 'Target', group: 'query', as: 'column', description: 'Where it goes to.' }),
  metric: control(Metric, {
    label: 'Metric',
    group: 'query',
    as: 'metric',
    description: 'How much: the width of a link.',
  }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_by_metric: control(Type.Boolean({ default: false }), {
    label: 'Sort by metric',
    group: 'query',
    description: 'The largest links come first; where the row limit cuts, the smallest are missing.',
  }),
  y_axis_format: numberFormat('Number format'),
  currency_format: currency,
  color_scheme: colorScheme,
})
