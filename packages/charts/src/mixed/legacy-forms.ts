import type { ChartForm } from '../define.ts'

/**
 * A form as releases have stored it. What a second query does not say at all it has from the first one, as it does in the API's own
 * client; what is said to be empty stays empty.
 */
export function upgradeStoredForm(form: ChartForm): ChartForm {
  const lists = ['metrics', 'groupby', 'adhoc_filters'].filter((name) => form[`${name}_b`] === undefined && form[name])
  return {
    ...form,
    ...Object.fromEntries(lists.map((name) => [`${name}_b`, form[name]])),
    ...(form.limit_b != null && form.series_limit_b === undefined && { series_limit_b: form.limit_b }),
  }
}

/** The old chart of two lines (`dual_line`): a metric on each of two axes. */
export function fromDualLine({ metric, metric_2, ...form }: ChartForm): ChartForm {
  const list = (each: unknown) => (each === undefined || each === null ? [] : [each])
  return {
    ...form,
    viz_type: 'mixed_timeseries',
    metrics: list(metric),
    metrics_b: list(metric_2),
    groupby: [],
    groupby_b: [],
    adhoc_filters_b: form.adhoc_filters ?? [],
    yAxisIndex: 0,
    yAxisIndexB: 1,
    truncateYAxis: true,
    ...(form.x_axis_format !== undefined && { x_axis_time_format: form.x_axis_format }),
    ...(form.y_axis_2_format !== undefined && { y_axis_format_secondary: form.y_axis_2_format }),
    ...(form.y_axis_2_bounds !== undefined && { y_axis_bounds_secondary: form.y_axis_2_bounds }),
    form_data_bak: { ...form, metric, metric_2 },
  }
}
