import { recordSchema } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm, type DatasetFacts } from '../define.ts'
import {
  choice,
  colorScheme,
  Column,
  currency,
  filters,
  Metric,
  nameOfColumn,
  nullable,
  numberFormat,
  rowLimit,
  seriesLimit,
  rankMetric,
  timeFormat,
  timeGrain,
} from '../shared/controls.ts'

/** Returns whether the distribution is over time, so that the grain applies. */
const isOverTime = ({ columns, granularity_sqla }: ChartForm, dataset?: DatasetFacts): boolean => {
  const names = [columns ?? []].flat().map(nameOfColumn)
  if (names.length === 0) return Boolean(granularity_sqla)
  return !dataset || dataset.columns.some(({ column_name, is_dttm }) => is_dttm === true && names.includes(column_name))
}

export const form = Type.Object({
  columns: control(Type.Array(Column, { minItems: 1 }), {
    label: 'Distribute across',
    group: 'query',
    as: 'columns',
    description: 'Each value adds one number to the distribution, such as one per day or per customer.',
  }),
  time_grain_sqla: control(timeGrain, {
    label: 'Time grain',
    group: 'query',
    as: 'time-grain',
    when: isOverTime,
    resetOnHide: false,
  }),
  temporal_columns_lookup: Type.Optional(recordSchema(Type.Boolean())),
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'One box per value.',
  }),
  metrics: control(Type.Array(Metric, { minItems: 1 }), { label: 'Metrics', group: 'query', as: 'metrics' }),
  adhoc_filters: filters,
  series_limit: seriesLimit,
  series_limit_metric: rankMetric,
  // as many as a query without a limit returns: truncated rows are missing from the boxes
  row_limit: rowLimit(50_000),
  whiskerOptions: control(Type.String({ default: 'Tukey' }), {
    label: 'Whisker options',
    group: 'query',
    description: 'Where the whiskers end. Values beyond them are outliers.',
    presets: [
      ['Tukey', 'Tukey'],
      ['Min/max (no outliers)', 'Min/max (no outliers)'],
      ['2/98 percentiles', '2/98 percentiles'],
      ['5/95 percentiles', '5/95 percentiles'],
      ['9/91 percentiles', '9/91 percentiles'],
    ],
  }),
  color_scheme: colorScheme,
  x_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'X-axis title', group: 'look' }),
  x_ticks_layout: control(choice(['auto', 'flat', '45°', '90°', 'staggered'], 'auto'), {
    label: 'X tick layout',
    group: 'look',
    options: { auto: 'Auto', flat: 'Flat', '45°': '45°', '90°': '90°', staggered: 'Staggered' },
  }),
  y_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'Y-axis title', group: 'look' }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
})
