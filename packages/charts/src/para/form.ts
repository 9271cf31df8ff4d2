import Type from 'typebox'
import { control } from '../define.ts'
import {
  Column,
  currency,
  filters,
  flag,
  Metric,
  nullable,
  numberFormat,
  orderDesc,
  rankMetric,
  rowLimit,
  seriesLimit,
} from '../shared/controls.ts'
import { linearScheme } from '../shared/linear-scheme.ts'

export const form = Type.Object({
  series: control(Column, {
    label: 'Series',
    group: 'query',
    as: 'column',
    description: 'One line per value.',
  }),
  metrics: control(Type.Array(Metric, { minItems: 1 }), {
    label: 'Metrics',
    group: 'query',
    as: 'metrics',
    description: 'One axis per metric, each with its own scale.',
  }),
  secondary_metric: control(Type.Optional(nullable(Metric)), {
    label: 'Color metric',
    group: 'query',
    as: 'metric',
    description: 'Colors the lines from the lowest to the highest value of this metric.',
  }),
  adhoc_filters: filters,
  series_limit: seriesLimit,
  timeseries_limit_metric: rankMetric,
  order_desc: orderDesc,
  row_limit: rowLimit(),
  include_series: flag('Include series', false, { description: 'Shows the series names on the first axis.' }),
  linear_color_scheme: linearScheme({ when: (settings) => Boolean(settings.secondary_metric) }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
})
