import Type from 'typebox'
import { control, type ChartForm, type DatasetFacts } from '../../define.ts'
import { timeFormats } from '../formats/presets.ts'
import { annotationLayers } from '../annotations/layers.ts'
import {
  choice,
  colorScheme,
  Column,
  currency,
  filters,
  flag,
  groupOthers,
  Metric,
  nameOfColumn,
  needsXAxis,
  nullable,
  legendPosition,
  numberFormat,
  orderDesc,
  rankMetric,
  rowLimit,
  seriesLimit,
  showLegend,
  timeFormat,
  timeGrain,
  hasTemporalXAxis,
} from '../controls.ts'
import { forecastForm } from './forecast.ts'

/** CONST-013; other text such as `6 weeks ago` is also accepted (CONST-014). */
const offsets = [
  '1 day',
  '1 week',
  '28 days',
  '30 days',
  '52 weeks',
  '1 year',
  '104 weeks',
  '2 years',
  '156 weeks',
  '3 years',
]
const hasOffsets = (form: Record<string, unknown>) => Array.isArray(form.time_compare) && form.time_compare.length > 0
const hasWindow = (form: Record<string, unknown>) => ['mean', 'sum', 'std'].includes(form.rolling_type as string)

const sizes = {
  name: 'Category name',
  sum: 'Total value',
  min: 'Minimum value',
  max: 'Maximum value',
  avg: 'Average value',
}
/** Returns true for several series, where a position on the axis has no single value to sort the response by. */
export const hasMultipleSeries = ({ groupby, metrics }: Record<string, unknown>): boolean =>
  [groupby ?? []].flat().length > 0 || [metrics ?? []].flat().length > 1

/** With dimensions, the series of an axis value are separate rows, so only the axis itself can be ordered. */
const ordersRows = (form: Record<string, unknown>, dataset?: DatasetFacts): boolean =>
  !hasTemporalXAxis(form, dataset) && !(Array.isArray(form.groupby) && form.groupby.length > 0)

const query = {
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'X axis',
    group: 'query',
    as: 'x-axis',
    required: needsXAxis,
  }),
  time_grain_sqla: timeGrain,
  metrics: control(Type.Array(Metric, { minItems: 1 }), { label: 'Metrics', group: 'query', as: 'metrics' }),
  groupby: control(Type.Array(Column, { default: [] }), { label: 'Dimensions', group: 'query', as: 'columns' }),
  adhoc_filters: filters,
  contributionMode: control(Type.Optional(nullable(choice(['row', 'column']))), {
    label: 'Contribution mode',
    group: 'query',
    description: 'Shows shares instead of values, either of each point in time or of each series.',
    options: { row: 'Row', column: 'Series' },
  }),
  x_axis_sort: control(Type.Optional(nullable(Type.String())), {
    label: 'Sort x-axis by',
    group: 'query',
    as: 'x-axis-sort',
    when: ordersRows,
    resetOnHide: false,
  }),
  x_axis_sort_asc: control(Type.Boolean({ default: true }), {
    label: 'Sort x-axis ascending',
    group: 'query',
    when: (form, dataset) => Boolean(form.x_axis_sort) && ordersRows(form, dataset),
    resetOnHide: false,
  }),
  series_limit: seriesLimit,
  group_others_when_limit_reached: groupOthers,
  timeseries_limit_metric: rankMetric,
  order_desc: orderDesc,
  row_limit: rowLimit(),
  truncate_metric: control(Type.Boolean({ default: true }), {
    label: 'Omit metric from series names',
    group: 'query',
  }),
  show_empty_columns: control(Type.Boolean({ default: true }), { label: 'Show empty series', group: 'query' }),
}

/** Rolling windows, comparison with earlier periods, resampling: CONST-010, CONST-012, CONST-015, CONST-016. */
export const analytics = {
  rolling_type: control(Type.Optional(nullable(choice(['None', 'mean', 'sum', 'std', 'cumsum']))), {
    label: 'Rolling function',
    group: 'compare',
    options: { None: 'None', mean: 'Mean', sum: 'Sum', std: 'Standard deviation', cumsum: 'Running total' },
  }),
  rolling_periods: control(Type.Optional(nullable(Type.Integer({ minimum: 1 }))), {
    label: 'Periods',
    group: 'compare',
    when: hasWindow,
  }),
  min_periods: control(Type.Optional(nullable(Type.Integer({ minimum: 0 }))), {
    label: 'Min periods',
    group: 'compare',
    when: hasWindow,
  }),
  time_compare: control(Type.Array(Type.String(), { default: [] }), {
    label: 'Time shift',
    group: 'compare',
    as: 'offsets',
    presets: offsets.map((offset) => [`${offset} ago`, `${offset} ago`] as const),
  }),
  comparison_type: control(choice(['values', 'difference', 'percentage', 'ratio'], 'values'), {
    label: 'Calculation type',
    group: 'compare',
    options: {
      values: 'Actual values',
      difference: 'Difference',
      percentage: 'Percentage change',
      ratio: 'Ratio',
    },
    when: hasOffsets,
  }),
  resample_rule: control(Type.Optional(nullable(Type.String())), {
    label: 'Resample rule',
    group: 'compare',
    presets: ['1T', '1H', '1D', '7D', '1M', '1AS'].map((rule) => [rule, rule] as const),
  }),
  resample_method: control(
    Type.Optional(nullable(choice(['asfreq', 'zerofill', 'linear', 'bfill', 'ffill', 'median', 'mean', 'sum']))),
    {
      label: 'Fill method',
      group: 'compare',
      options: {
        asfreq: 'Null imputation',
        zerofill: 'Zero imputation',
        linear: 'Linear interpolation',
        ffill: 'Forward values',
        bfill: 'Backward values',
        median: 'Median values',
        mean: 'Mean values',
        sum: 'Sum values',
      },
      when: (form) => Boolean(form.resample_rule),
    },
  ),
}

/** Not a setting of the API. */
export const markUnfinished = flag('Mark incomplete period', true, {
  description: 'Dashes the last period if it is not over yet, because its values are still growing.',
  when: hasTemporalXAxis,
})

const bound = nullable(Type.Number())
const isRich = (form: Record<string, unknown>) => form.rich_tooltip !== false
const hasNumericXAxis = (form: ChartForm, dataset?: DatasetFacts): boolean => {
  const name = nameOfColumn(form.x_axis)
  return dataset?.columns.some((each) => each.column_name === name && each.type_generic === 0) ?? false
}
const appearance = {
  color_scheme: colorScheme,
  show_legend: showLegend,
  legendOrientation: legendPosition,
  legendSort: control(Type.Optional(nullable(choice(['asc', 'desc']))), {
    label: 'Legend order',
    group: 'look',
    options: { asc: 'A to Z', desc: 'Z to A' },
  }),
  sort_series_type: control(choice(['name', 'sum', 'min', 'max', 'avg'], 'sum'), {
    label: 'Sort series by',
    group: 'look',
    options: sizes,
  }),
  sort_series_ascending: flag('Sort series ascending', false),
  annotation_layers: annotationLayers,
  show_value: flag('Show values', false),
  zoomable: flag('Data zoom', false),
  y_axis_format: numberFormat('Y-axis format'),
  currency_format: currency,
  x_axis_time_format: timeFormat('X-axis time format'),
  mark_unfinished: markUnfinished,
  x_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'X-axis title', group: 'look' }),
  y_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'Y-axis title', group: 'look' }),
  xAxisLabelRotation: control(Type.Number({ default: 0, minimum: -90, maximum: 90 }), {
    label: 'Rotate x-axis labels',
    group: 'look',
    presets: [
      [0, '0°'],
      [45, '45°'],
      [90, '90°'],
    ],
  }),
  logAxis: flag('Logarithmic y-axis', false),
  minorSplitLine: flag('Minor grid lines', false),
  truncateYAxis: flag('Truncate y-axis', false),
  y_axis_bounds: control(Type.Array(bound, { default: [null, null] }), {
    label: 'Y-axis bounds',
    group: 'look',
    as: 'bounds',
    when: (form) => form.truncateYAxis === true,
  }),
  minorTicks: flag('Minor ticks', false),
  truncateXAxis: flag('Truncate x-axis', false, { when: hasNumericXAxis }),
  xAxisBounds: control(Type.Array(bound, { default: [null, null] }), {
    label: 'X-axis bounds',
    group: 'look',
    as: 'bounds',
    when: (form, dataset) => form.truncateXAxis === true && hasNumericXAxis(form, dataset),
  }),
  xAxisLabelInterval: control(choice(['auto', '0'], 'auto'), {
    label: 'X-axis labels',
    group: 'look',
    options: { auto: 'As many as fit', '0': 'All' },
  }),
  x_axis_sort_series: control(choice(['name', 'sum', 'min', 'max', 'avg'], 'name'), {
    label: 'X-axis order',
    group: 'look',
    options: sizes,
    when: (form, dataset) => hasMultipleSeries(form) && !hasTemporalXAxis(form, dataset),
  }),
  x_axis_sort_series_ascending: flag('X-axis order ascending', true, {
    when: (form, dataset) => hasMultipleSeries(form) && !hasTemporalXAxis(form, dataset),
  }),
  rich_tooltip: flag('Rich tooltip', true, { description: 'Shows all series of a point in one tooltip.' }),
  tooltipSortByMetric: flag('Sort tooltip by value', true, { when: isRich }),
  showTooltipTotal: flag('Show total in tooltip', true, { when: (form) => isRich(form) && Boolean(form.stack) }),
  showTooltipPercentage: flag('Show percentages in tooltip', true, {
    when: (form) => isRich(form) && Boolean(form.stack),
  }),
  tooltipTimeFormat: control(Type.Optional(nullable(Type.String())), {
    label: 'Tooltip time format',
    group: 'look',
    as: 'time-format',
    presets: timeFormats,
  }),
}

/** Settings that all charts with an x-axis share. */
export const timeSeriesForm = Type.Object({ ...query, ...analytics, ...forecastForm, ...appearance })

const isStackable = (form: Record<string, unknown>) => Boolean(form.stack) && form.show_value === true
/**
 * `true` is the value that older releases stored for `Stack`; `Expand` fills the height with shares.
 * @param more `Stream` centers bands around a middle line
 */
export const stack = (byDefault: 'Stack' | null, more: readonly 'Stream'[] = []) => {
  const styles = ['Stack', 'Expand', ...more] as const
  return control(
    Type.Union([...styles.map((style) => Type.Literal(style)), Type.Boolean(), Type.Null()], { default: byDefault }),
    {
      label: 'Stacked style',
      group: 'look',
      options: { ...Object.fromEntries(styles.map((style) => [style, style])), null: 'None' },
    },
  )
}
/** New charts label only totals (`labelsInitially`); a stored form without the setting labels each part, as in the API's clients. */
export const onlyTotal = flag('Only total', false, { when: isStackable })
export const labelsInitially = { only_total: true } as const
/** Parts of a stack below this percentage have no label. */
export const percentageThreshold = control(Type.Number({ default: 0, minimum: 0, maximum: 100 }), {
  label: 'Label threshold in percent',
  group: 'look',
  when: (form) => isStackable(form) && form.only_total !== true,
})
export const markers = {
  markerEnabled: flag('Markers', false),
  markerSize: control(Type.Integer({ default: 6, minimum: 0, maximum: 100 }), {
    label: 'Marker size',
    group: 'look',
    when: (form) => form.markerEnabled === true,
  }),
}
export const opacity = control(Type.Number({ default: 0.2, minimum: 0, maximum: 1 }), {
  label: 'Area opacity',
  group: 'look',
})
