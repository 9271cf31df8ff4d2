import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  choice,
  Column,
  currency,
  filters,
  flag,
  Metric,
  nullable,
  rankMetric,
  rowLimit,
  timeFormat,
  timeGrain,
} from '../shared/controls.ts'

const isRaw = (form: ChartForm) => form.query_mode === 'raw'
const isAggregate = (form: ChartForm) => !isRaw(form)
const isPaged = (form: ChartForm) => form.server_pagination === true

/** One entry of `column_config`; other keys are kept. Field names are the API's. */
export const ColumnConfig = Type.Object(
  {
    d3NumberFormat: Type.Optional(Type.String()),
    d3SmallNumberFormat: Type.Optional(Type.String()),
    d3TimeFormat: Type.Optional(Type.String()),
    currencyFormat: Type.Optional(nullable(Type.Unknown())),
    horizontalAlign: Type.Optional(choice(['left', 'center', 'right'])),
    showCellBars: Type.Optional(Type.Boolean()),
    colorPositiveNegative: Type.Optional(Type.Boolean()),
    alignPositiveNegative: Type.Optional(Type.Boolean()),
    columnWidth: Type.Optional(Type.Number()),
    visible: Type.Optional(Type.Boolean()),
    customColumnName: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

const pageLengths = [10, 20, 50, 100, 200].map((length) => [length, String(length)] as const)

export const form = Type.Object({
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
  }),
  time_grain_sqla: control(timeGrain, {
    label: 'Time grain',
    group: 'query',
    as: 'time-grain',
    when: (form, dataset) =>
      isAggregate(form) &&
      [form.groupby ?? []].flat().some((name) => dataset?.columns.some((c) => c.column_name === name && c.is_dttm)),
  }),
  temporal_columns_lookup: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
  metrics: control(Type.Array(Metric, { default: [] }), {
    label: 'Metrics',
    group: 'query',
    as: 'metrics',
    when: isAggregate,
  }),
  percent_metrics: control(Type.Array(Metric, { default: [] }), {
    label: 'Percentage metrics',
    group: 'query',
    as: 'metrics',
    description: 'Shown as a share of the whole column.',
    when: isAggregate,
  }),
  all_columns: control(Type.Array(Column, { default: [] }), {
    label: 'Columns',
    group: 'query',
    as: 'columns',
    when: isRaw,
  }),
  adhoc_filters: filters,
  timeseries_limit_metric: control(rankMetric, {
    label: 'Sort by',
    group: 'query',
    as: 'metric',
    when: isAggregate,
  }),
  order_desc: control(Type.Boolean({ default: true }), { label: 'Sort descending', group: 'query', when: isAggregate }),
  order_by_cols: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Ordering',
    group: 'query',
    as: 'order-by',
    when: isRaw,
  }),
  server_pagination: control(Type.Boolean({ default: false }), {
    label: 'Server pagination',
    group: 'query',
    description: 'Rows are asked for a page at a time.',
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
    description: 'Of all rows, not only of those shown.',
    when: isAggregate,
  }),
  page_length: control(Type.Optional(nullable(Type.Integer({ minimum: 0 }))), {
    label: 'Page length',
    group: 'look',
    presets: [[0, 'All'], ...pageLengths],
    when: (form) => !isPaged(form),
  }),
  include_search: flag('Search box', false),
  table_timestamp_format: timeFormat('Time format'),
  show_cell_bars: flag('Cell bars', true),
  align_pn: flag('Align +/-', false, { when: (form) => form.show_cell_bars !== false }),
  color_pn: flag('Color +/-', true, { when: (form) => form.show_cell_bars !== false }),
  column_config: control(Type.Record(Type.String(), ColumnConfig, { default: {} }), {
    label: 'Customize columns',
    group: 'look',
    as: 'column-config',
  }),
  conditional_formatting: control(Type.Array(Type.Unknown(), { default: [] }), {
    label: 'Conditional formatting',
    group: 'look',
    as: 'conditional-formatting',
  }),
  currency_format: currency,
})
