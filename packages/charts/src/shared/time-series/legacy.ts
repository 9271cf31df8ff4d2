import type { ChartForm } from '../../define.ts'

/** What the old time-series forms share: their look under the names of the new ones. The old keys stay in the form. */
const common = (form: ChartForm): ChartForm => ({
  ...form,
  ...move(form, {
    bottom_margin: 'x_axis_title_margin',
    left_margin: 'y_axis_title_margin',
    x_axis_label: 'x_axis_title',
    y_axis_label: 'y_axis_title',
    x_axis_format: 'x_axis_time_format',
    y_log_scale: 'logAxis',
    show_brush: 'zoomable',
    show_markers: 'markerEnabled',
  }),
  ...(form.contribution === true && { contributionMode: 'row' }),
  form_data_bak: form,
})

/** The old line chart (`line`) as `echarts_timeseries_line`; its curve decides in later releases between three types. */
export const fromLegacyLine = (form: ChartForm): ChartForm => ({ ...common(form), viz_type: 'echarts_timeseries_line' })

/** The old time-series bars (`bar`). */
export const fromLegacyBar = (form: ChartForm): ChartForm => ({
  ...common(form),
  viz_type: 'echarts_timeseries_bar',
  stack: form.bar_stacked === true ? 'Stack' : null,
  show_value: form.show_bar_value === true,
})

/** The old bars by category (`dist_bar`): its first dimension is the x axis, its breakdowns are the series. */
export function fromDistBar(form: ChartForm): ChartForm {
  const [first, ...others] = [form.groupby ?? []].flat()
  return {
    ...common(form),
    viz_type: 'echarts_timeseries_bar',
    x_axis: first,
    groupby: [...others, ...[form.columns ?? []].flat()],
    columns: [],
    stack: form.bar_stacked === true ? 'Stack' : null,
    show_value: form.show_bar_value === true,
  }
}

/** The old area chart (`area`). */
export const fromLegacyArea = (form: ChartForm): ChartForm => ({
  ...common(form),
  viz_type: 'echarts_area',
  stack: form.stacked_style === 'expand' ? 'Expand' : 'Stack',
})

const move = (form: ChartForm, names: Record<string, string>): ChartForm =>
  Object.fromEntries(
    Object.entries(names).flatMap(([old, name]) =>
      form[old] !== undefined && form[name] === undefined && form[old] !== 'auto' ? [[name, form[old]]] : [],
    ),
  )
