import { aggregations } from '@parquetry/frame'
import { recordSchema } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  choice,
  Column,
  currency,
  filters,
  flag,
  Metric,
  nameOfColumn,
  numberFormat,
  rankMetric,
  rowLimit,
  timeFormat,
  timeGrain,
} from '../shared/controls.ts'

const orders = ['key_a_to_z', 'key_z_to_a', 'value_a_to_z', 'value_z_to_a'] as const
export type PivotOrder = (typeof orders)[number]
const orderLabels = {
  key_a_to_z: 'Label, ascending',
  key_z_to_a: 'Label, descending',
  value_a_to_z: 'Value, ascending',
  value_z_to_a: 'Value, descending',
}

const option = (label: string, description: string) => flag(label, false, { group: 'query', description })

const dimensionsOf = ({ groupbyRows, groupbyColumns }: ChartForm): unknown[] =>
  [groupbyRows ?? [], groupbyColumns ?? []].flat()

export const form = Type.Object({
  groupbyRows: control(Type.Array(Column, { default: [] }), {
    label: 'Rows',
    group: 'query',
    as: 'columns',
    description: 'One level of rows per dimension, outermost first.',
  }),
  groupbyColumns: control(Type.Array(Column, { default: [] }), {
    label: 'Columns',
    group: 'query',
    as: 'columns',
    description: 'One level of columns per dimension, outermost first.',
  }),
  time_grain_sqla: control(timeGrain, {
    label: 'Time grain',
    group: 'query',
    as: 'time-grain',
    when: (settings, dataset) =>
      dimensionsOf(settings).some((column) =>
        dataset?.columns.some(({ column_name, is_dttm }) => is_dttm === true && column_name === nameOfColumn(column)),
      ),
    resetOnHide: false,
  }),
  temporal_columns_lookup: Type.Optional(recordSchema(Type.Boolean())),
  metrics: control(Type.Array(Metric, { minItems: 1 }), { label: 'Metrics', group: 'query', as: 'metrics' }),
  metricsLayout: control(choice(['COLUMNS', 'ROWS'], 'COLUMNS'), {
    label: 'Apply metrics on',
    group: 'query',
    options: { COLUMNS: 'Columns', ROWS: 'Rows' },
  }),
  adhoc_filters: filters,
  row_limit: control(rowLimit(), {
    label: 'Cell limit',
    group: 'query',
    description: 'Maximum number of row and column combinations to load.',
  }),
  series_limit_metric: control(rankMetric, {
    label: 'Sort by',
    group: 'query',
    as: 'metric',
    description: 'Decides which cells are shown when the cell limit is reached. Leave empty to use the first metric.',
  }),
  order_desc: control(Type.Boolean({ default: true }), { label: 'Sort descending', group: 'query' }),
  aggregateFunction: control(choice(aggregations, 'Sum'), {
    label: 'Aggregation function',
    group: 'query',
    description: 'Used to combine the values in a cell and the values in a total.',
    options: Object.fromEntries(aggregations.map((name) => [name, name])),
  }),
  rowTotals: option('Show row totals', 'Adds a column with the total of each row.'),
  rowSubTotals: option('Show row subtotals', 'Adds a subtotal row for each group of rows.'),
  colTotals: option('Show column totals', 'Adds a row with the total of each column.'),
  colSubTotals: option('Show column subtotals', 'Adds a subtotal column for each group of columns.'),
  transposePivot: option('Transpose pivot', 'Swaps rows and columns.'),
  combineMetric: option(
    'Combine metrics',
    'Shows metrics side by side within each column, instead of columns within each metric.',
  ),
  rowSubtotalPosition: flag('Row subtotals on top', false, { when: (settings) => settings.rowSubTotals === true }),
  colSubtotalPosition: flag('Column subtotals on the left', false, {
    when: (settings) => settings.colSubTotals === true,
  }),
  rowOrder: control(choice(orders, 'key_a_to_z'), { label: 'Sort rows by', group: 'look', options: orderLabels }),
  colOrder: control(choice(orders, 'key_a_to_z'), { label: 'Sort columns by', group: 'look', options: orderLabels }),
  valueFormat: numberFormat('Value format'),
  currency_format: currency,
  date_format: timeFormat('Date format'),
  conditional_formatting: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Conditional formatting',
    group: 'look',
    as: 'conditional-formatting',
  }),
})

const aggregates: Record<string, string> = {
  sum: 'Sum',
  mean: 'Average',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  std: 'Sample Standard Deviation',
  var: 'Sample Variance',
}

/** Converts the legacy pivot table (`pivot_table`), which sorts the largest rows first. The old keys stay in the form. */
export function fromLegacyPivotTable(old: ChartForm): ChartForm {
  const aggregateFunction = aggregates[String(old.pandas_aggfunc ?? 'sum')]
  return {
    ...old,
    form_data_bak: old,
    viz_type: 'pivot_table_v2',
    groupbyRows: [old.groupby ?? []].flat(),
    groupbyColumns: [old.columns ?? []].flat(),
    ...(aggregateFunction && { aggregateFunction }),
    combineMetric: old.combine_metric === true,
    transposePivot: old.transpose_pivot === true,
    ...(old.pivot_margins === true && { colTotals: true, colSubTotals: true }),
    ...(old.number_format ? { valueFormat: old.number_format } : {}),
    ...(old.timeseries_limit_metric ? { series_limit_metric: old.timeseries_limit_metric } : {}),
    rowOrder: 'value_z_to_a',
  }
}
