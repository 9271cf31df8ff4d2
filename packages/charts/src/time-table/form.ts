import Type from 'typebox'
import { control } from '../define.ts'
import {
  needsXAxis,
  Column,
  currency,
  filters,
  Metric,
  nullable,
  rankMetric,
  rowLimit,
  seriesLimit,
  timeGrain,
} from '../shared/controls.ts'

export const form = Type.Object({
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'Time column',
    group: 'query',
    as: 'temporal-column',
    required: needsXAxis,
  }),
  time_grain_sqla: timeGrain,
  metrics: control(Type.Array(Metric, { minItems: 1 }), {
    label: 'Metrics',
    group: 'query',
    as: 'metrics',
    description: 'One row per metric or, with a dimension, one row per value.',
  }),
  groupby: control(Type.Array(Column, { default: [] }), { label: 'Dimensions', group: 'query', as: 'columns' }),
  adhoc_filters: filters,
  series_limit: seriesLimit,
  timeseries_limit_metric: rankMetric,
  row_limit: rowLimit(),
  column_collection: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Time series columns',
    group: 'look',
    as: 'time-columns',
  }),
  url: control(Type.String({ default: '' }), {
    label: 'URL',
    group: 'look',
    description: 'Link for each row name. `{{ metric }}` is replaced with the name of the row.',
  }),
  currency_format: currency,
})
