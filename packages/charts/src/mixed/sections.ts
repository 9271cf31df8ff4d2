import type { ChartForm } from '../define.ts'

/** Settings of a query; those of the second query end in `_b`. */
const querySettings = [
  'metrics',
  'groupby',
  'adhoc_filters',
  'series_limit',
  'timeseries_limit_metric',
  'order_desc',
  'row_limit',
  'truncate_metric',
  'rolling_type',
  'rolling_periods',
  'min_periods',
  'time_compare',
  'comparison_type',
  'resample_rule',
  'resample_method',
]
/** Settings for the appearance of a query's series; those of the second query end in `B`. */
const appearanceSettings = [
  'seriesType',
  'stack',
  'area',
  'opacity',
  'show_value',
  'only_total',
  'markerEnabled',
  'markerSize',
  'yAxisIndex',
]

/** Returns the form of the first query: a time-series form without settings that a mixed chart lacks. */
export const firstQueryForm = (form: ChartForm): ChartForm => ({
  ...form,
  ...axisFormatSettings(form, form.yAxisIndex),
  show_empty_columns: false,
  x_axis_sort: null,
  contributionMode: null,
})

/** The formats of a query are those of its axis. */
const axisFormatSettings = (form: ChartForm, axis: unknown): ChartForm =>
  Number(axis) === 1
    ? { y_axis_format: form.y_axis_format_secondary, currency_format: form.currency_format_secondary }
    : { y_axis_format: form.y_axis_format, currency_format: form.currency_format }

/** Returns the form of the second query under the setting names of the first; axis, grain and time range are shared. */
export function secondQueryForm(form: ChartForm): ChartForm {
  const first = firstQueryForm(form)
  const own = Object.fromEntries([
    ...querySettings.map((name) => [name, form[`${name}_b`]]),
    ...appearanceSettings.map((name) => [name, form[`${name}B`]]),
  ]) as ChartForm
  return {
    ...first,
    ...own,
    ...axisFormatSettings(form, own.yAxisIndex),
    limit: null,
    adhoc_filters: withTime(own.adhoc_filters, form.adhoc_filters),
  }
}

const isTime = (filter: unknown) => (filter as { operator?: string } | null)?.operator === 'TEMPORAL_RANGE'

function withTime(own: unknown, first: unknown): unknown {
  const list = Array.isArray(own) ? own : []
  return list.some(isTime) || !Array.isArray(first) ? list : [...list, ...first.filter(isTime)]
}
