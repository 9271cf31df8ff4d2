import Type, { type TSchema } from 'typebox'
import { control, type Control } from '../define.ts'
import { currency, flag, numberFormat } from '../shared/controls.ts'
import { analytics, markers, onlyTotal, opacity, timeSeriesForm } from '../shared/time-series/form.ts'
import { seriesStyle } from '../shared/time-series/styles.ts'
import { firstQueryForm, secondQueryForm } from './sections.ts'

const shared = timeSeriesForm.properties
/** Display names of the two queries. */
export const queryTitles = { A: 'Query A', B: 'Query B' } as const

const controlOf = (schema: TSchema) => (schema as TSchema & { control: Control }).control
/** Returns the same control under a section heading; controls of the second query are shown depending on its own settings. */
function under<T extends TSchema>(section: keyof typeof queryTitles, schema: T, more: Partial<Control> = {}): T {
  const { when, ...look } = controlOf(schema)
  const own = section === 'A' ? firstQueryForm : secondQueryForm
  return control(schema, {
    ...look,
    ...(when && { when: (form, dataset) => when(own(form), dataset) }),
    section: queryTitles[section],
    ...more,
  })
}

const query = {
  metrics: shared.metrics,
  groupby: shared.groupby,
  adhoc_filters: shared.adhoc_filters,
  series_limit: shared.series_limit,
  timeseries_limit_metric: shared.timeseries_limit_metric,
  order_desc: shared.order_desc,
  row_limit: shared.row_limit,
  truncate_metric: shared.truncate_metric,
}

const axis = control(Type.Union([Type.Literal(0), Type.Literal(1)], { default: 0 }), {
  label: 'Y axis',
  group: 'look',
  options: { 0: 'Primary', 1: 'Secondary' },
})
/** `true` is the value that older releases stored for `Stack`. */
const stack = control(Type.Union([Type.Literal('Stack'), Type.Boolean(), Type.Null()], { default: null }), {
  label: 'Stacked style',
  group: 'look',
  options: { Stack: 'Stack', null: 'None' },
})
const area = flag('Fill area', false)
const { rolling_type, rolling_periods, min_periods, time_compare, comparison_type, resample_rule, resample_method } =
  analytics

const hasSecondAxis = (form: Record<string, unknown>) => [form.yAxisIndex, form.yAxisIndexB].map(Number).includes(1)
const secondAxis = { section: 'Secondary y-axis', when: hasSecondAxis }

export const form = Type.Object({
  x_axis: shared.x_axis,
  time_grain_sqla: shared.time_grain_sqla,
  metrics: under('A', query.metrics),
  groupby: under('A', query.groupby),
  adhoc_filters: under('A', query.adhoc_filters),
  series_limit: under('A', query.series_limit),
  timeseries_limit_metric: under('A', query.timeseries_limit_metric),
  order_desc: under('A', query.order_desc),
  row_limit: under('A', query.row_limit),
  truncate_metric: under('A', query.truncate_metric),
  metrics_b: control(Type.Array(query.metrics.items, { default: [] }), {
    ...controlOf(query.metrics),
    section: queryTitles.B,
    description: 'Without a metric, the chart shows query A only.',
  }),
  groupby_b: under('B', query.groupby),
  adhoc_filters_b: under('B', query.adhoc_filters, {
    description: 'The time range of query A also applies here unless you add a different one.',
  }),
  series_limit_b: under('B', query.series_limit),
  timeseries_limit_metric_b: under('B', query.timeseries_limit_metric),
  order_desc_b: under('B', query.order_desc),
  row_limit_b: under('B', query.row_limit),
  truncate_metric_b: under('B', query.truncate_metric),
  rolling_type: under('A', rolling_type),
  rolling_periods: under('A', rolling_periods),
  min_periods: under('A', min_periods),
  time_compare: under('A', time_compare),
  comparison_type: under('A', comparison_type),
  resample_rule: under('A', resample_rule),
  resample_method: under('A', resample_method),
  rolling_type_b: under('B', rolling_type),
  rolling_periods_b: under('B', rolling_periods),
  min_periods_b: under('B', min_periods),
  time_compare_b: under('B', time_compare),
  comparison_type_b: under('B', comparison_type),
  resample_rule_b: under('B', resample_rule),
  resample_method_b: under('B', resample_method),
  color_scheme: shared.color_scheme,
  show_legend: shared.show_legend,
  legendOrientation: shared.legendOrientation,
  legendSort: shared.legendSort,
  sort_series_type: shared.sort_series_type,
  sort_series_ascending: shared.sort_series_ascending,
  show_query_identifiers: flag('Show query identifiers', false, {
    description: 'Series names show which query they come from.',
  }),
  annotation_layers: shared.annotation_layers,
  zoomable: shared.zoomable,
  x_axis_time_format: shared.x_axis_time_format,
  mark_unfinished: shared.mark_unfinished,
  x_axis_title: shared.x_axis_title,
  xAxisLabelRotation: shared.xAxisLabelRotation,
  xAxisLabelInterval: shared.xAxisLabelInterval,
  rich_tooltip: shared.rich_tooltip,
  tooltipSortByMetric: flag('Sort tooltip by value', false, { when: (settings) => settings.rich_tooltip !== false }),
  tooltipTimeFormat: shared.tooltipTimeFormat,
  minorTicks: shared.minorTicks,
  minorSplitLine: shared.minorSplitLine,
  truncateYAxis: shared.truncateYAxis,
  seriesType: under('A', seriesStyle),
  stack: under('A', stack),
  area: under('A', area),
  opacity: under('A', opacity),
  show_value: under('A', shared.show_value),
  only_total: under('A', onlyTotal),
  markerEnabled: under('A', markers.markerEnabled),
  markerSize: under('A', markers.markerSize),
  yAxisIndex: under('A', axis),
  seriesTypeB: under('B', seriesStyle),
  stackB: under('B', stack),
  areaB: under('B', area),
  opacityB: under('B', opacity),
  show_valueB: under('B', shared.show_value),
  only_totalB: under('B', onlyTotal),
  markerEnabledB: under('B', markers.markerEnabled),
  markerSizeB: under('B', markers.markerSize),
  yAxisIndexB: under('B', axis),
  y_axis_format: control(shared.y_axis_format, { ...controlOf(shared.y_axis_format), section: 'Primary y-axis' }),
  currency_format: control(currency, { ...controlOf(currency), section: 'Primary y-axis' }),
  y_axis_title: control(shared.y_axis_title, { ...controlOf(shared.y_axis_title), section: 'Primary y-axis' }),
  y_axis_bounds: control(shared.y_axis_bounds, { ...controlOf(shared.y_axis_bounds), section: 'Primary y-axis' }),
  logAxis: control(shared.logAxis, { ...controlOf(shared.logAxis), section: 'Primary y-axis' }),
  y_axis_format_secondary: control(numberFormat('Y-axis format'), {
    ...controlOf(shared.y_axis_format),
    ...secondAxis,
  }),
  currency_format_secondary: control(currency, { ...controlOf(currency), ...secondAxis }),
  yAxisTitleSecondary: control(shared.y_axis_title, { ...controlOf(shared.y_axis_title), ...secondAxis }),
  y_axis_bounds_secondary: control(shared.y_axis_bounds, {
    ...controlOf(shared.y_axis_bounds),
    section: secondAxis.section,
    when: (settings) => settings.truncateYAxis === true && hasSecondAxis(settings),
  }),
  logAxisSecondary: control(shared.logAxis, { ...controlOf(shared.logAxis), ...secondAxis }),
})
