import { recordSchema } from '@parquetry/model'
import Type from 'typebox'
import { control, type ChartForm } from '../../define.ts'
import { choice, Column, filters, Metric, rankMetric, rowLimit, timeGrain } from '../controls.ts'

const isRaw = (form: ChartForm) => form.query_mode === 'raw'
const isAggregate = (form: ChartForm) => !isRaw(form)
const hasItems = (list: unknown) => Array.isArray(list) && list.length > 0
export const isPaged = (form: ChartForm): boolean => form.server_pagination === true

export const pageLengths = [10, 20, 50, 100, 200].map((length) => [length, String(length)] as const)

/** Query settings of row-based charts: aggregated or raw records, complete or page by page. */
export const tableQueryForm = {
  query_mode: control(choice(['aggregate', 'raw'], 'aggregate'), {
    label: 'Query mode',
    group: 'query',
    options: { aggregate: 'Aggregate', raw: 'Raw records' },
  }),
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    when: isAggregate,
    resetOnHide: false,
  }),
  time_grain_sqla: control(timeGrain, {
    label: 'Time grain',
    group: 'query',
    as: 'time-grain',
    when: (form, dataset) =>
      isAggregate(form) &&
      [form.groupby ?? []].flat().some((name) => dataset?.columns.some((c) => c.column_name === name && c.is_dttm)),
    resetOnHide: false,
  }),
  temporal_columns_lookup: Type.Optional(recordSchema(Type.Boolean())),
  metrics: control(Type.Array(Metric, { default: [] }), {
    label: 'Metrics',
    group: 'query',
    as: 'metrics',
    when: isAggregate,
    resetOnHide: false,
  }),
  percent_metrics: control(Type.Array(Metric, { default: [] }), {
    label: 'Percentage metrics',
    group: 'query',
    as: 'metrics',
    description: 'Shown as a percentage of the column total.',
    when: isAggregate,
    resetOnHide: false,
  }),
  percent_metric_calculation: control(choice(['row_limit', 'all_records'], 'row_limit'), {
    label: 'Percentage metric calculation',
    group: 'query',
    description: 'Whether percentages refer to the rows within the row limit or to all rows.',
    options: { row_limit: 'Row limit', all_records: 'All records' },
    when: (form) => isAggregate(form) && !isPaged(form) && hasItems(form.percent_metrics),
    resetOnHide: false,
  }),
  all_columns: control(Type.Array(Column, { default: [] }), {
    label: 'Columns',
    group: 'query',
    as: 'columns',
    when: isRaw,
    resetOnHide: false,
  }),
  adhoc_filters: filters,
  timeseries_limit_metric: control(rankMetric, {
    label: 'Sort by',
    group: 'query',
    as: 'metric',
    when: isAggregate,
    resetOnHide: false,
  }),
  order_desc: control(Type.Optional(Type.Boolean()), {
    label: 'Sort descending',
    group: 'query',
    when: isAggregate,
    resetOnHide: false,
  }),
  order_by_cols: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Ordering',
    group: 'query',
    as: 'order-by',
    when: isRaw,
    resetOnHide: false,
  }),
  server_pagination: control(Type.Boolean({ default: false }), {
    label: 'Server pagination',
    group: 'query',
    description: 'Loads rows one page at a time.',
  }),
  row_limit: rowLimit(1000, (form) => !isPaged(form)),
  server_page_length: control(Type.Integer({ default: 10, minimum: 1 }), {
    label: 'Server page length',
    group: 'query',
    presets: pageLengths,
    when: isPaged,
  }),
  show_totals: control(Type.Boolean({ default: false }), {
    label: 'Show totals',
    group: 'query',
    description: 'Totals include all rows, not only the rows shown.',
    when: isAggregate,
    resetOnHide: false,
  }),
}

/** Initial setting of a new chart. A stored form without it sorts by its sort metric in ascending order, as the API's clients do. */
export const tableInitially = { order_desc: true } as const
