import type { ChartForm } from '../define.ts'

/**
 * Converts a form as stored by earlier releases. Undefined settings of the second query are copied from the first, as in the
 * client of the API; empty ones stay empty.
 */
export function upgradeStoredForm(form: ChartForm): ChartForm {
  const lists = ['metrics', 'groupby', 'adhoc_filters'].filter((name) => form[`${name}_b`] === undefined && form[name])
  return {
    ...form,
    ...Object.fromEntries(lists.map((name) => [`${name}_b`, form[name]])),
    ...(form.limit_b != null && form.series_limit_b === undefined && { series_limit_b: form.limit_b }),
  }
}

/** Converts the legacy dual line chart (`dual_line`), which has one metric on each of two axes. */
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
