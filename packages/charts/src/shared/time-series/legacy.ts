import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { ChartForm } from '../../define.ts'

/**
 * Converts the settings that legacy time-series forms share to the new names, which take precedence. The old keys stay in the
 * form.
 */
export const upgradeLegacySeries = (form: ChartForm): ChartForm => ({
  ...form,
  ...renameKeys(form, {
    bottom_margin: 'x_axis_title_margin',
    left_margin: 'y_axis_title_margin',
    x_axis_label: 'x_axis_title',
    y_axis_label: 'y_axis_title',
    x_axis_format: 'x_axis_time_format',
    y_log_scale: 'logAxis',
    show_markers: 'markerEnabled',
  }),
  ...(form.show_brush !== undefined &&
    form.zoomable === undefined && { zoomable: form.show_brush === true || form.show_brush === 'yes' }),
  ...(form.contribution === true && { contributionMode: 'row' }),
  ...(form.comparison_type === 'absolute' && { comparison_type: 'difference' }),
  ...(Boolean(form.time_compare) && { time_compare: [form.time_compare].flat().map(toTimeOffset) }),
  ...(form.x_ticks_layout === '45°' && form.xAxisLabelRotation === undefined && { xAxisLabelRotation: 45 }),
  form_data_bak: form,
})

/** Legacy forms store `1 week` for `1 week ago`. */
const toTimeOffset = (offset: unknown) =>
  typeof offset === 'string' && /^\d+ \w+$/.test(offset.trim()) ? `${offset.trim()} ago` : offset

/** D3 curves: round ones, and steps at the previous point or at the point itself. */
const styles: Record<string, string> = {
  basis: 'smooth',
  cardinal: 'smooth',
  monotone: 'smooth',
  'step-before': 'start',
  'step-after': 'end',
}
const styleOf = (form: ChartForm): string => styles[String(form.line_interpolation)] ?? 'line'

/** Converts the legacy line chart (`line`) to one of three types by its curve; its y-axis was truncated. */
export function fromLegacyLine(form: ChartForm): ChartForm {
  const style = styleOf(form)
  const viz_type = { line: 'echarts_timeseries_line', smooth: 'echarts_timeseries_smooth' }[style]
  return {
    truncateYAxis: true,
    ...upgradeLegacySeries(form),
    viz_type: viz_type ?? 'echarts_timeseries_step',
    ...(!viz_type && { seriesType: style }),
  }
}

/** Adds the new setting names to a form whose legacy type is still in use. */
export function upgradeSeriesNames(stored: ChartForm): ChartForm {
  const { form_data_bak: _, ...form } = upgradeLegacySeries(stored)
  return { ...(form.line_interpolation !== undefined && { seriesType: styleOf(form) }), ...form }
}

const asBars = (form: ChartForm): ChartForm => ({
  viz_type: 'echarts_timeseries_bar',
  stack: form.bar_stacked === true ? 'Stack' : null,
  show_value: form.show_bar_value === true,
})

/** Converts the legacy time-series bar chart (`bar`). */
export const fromLegacyBar = (form: ChartForm): ChartForm => ({ ...upgradeLegacySeries(form), ...asBars(form) })

/**
 * Converts the legacy bar chart by category (`dist_bar`): its first dimension is the x-axis, its breakdowns are the series. The
 * longest bars come first unless they are sorted by name.
 */
export function fromDistBar(form: ChartForm): ChartForm {
  const [first, ...others] = [form.groupby ?? []].flat() as QueryColumn[]
  const [metric] = [form.metrics ?? []].flat() as QueryMetric[]
  const isByName = form.order_bars === true
  const series = [...others, ...[form.columns ?? []].flat()]
  const by = isByName ? first && labelOfColumn(first) : metric && labelOfMetric(metric)
  return {
    ...upgradeLegacySeries(form),
    ...asBars(form),
    x_axis: first,
    groupby: series,
    columns: [],
    ...(by !== undefined && { x_axis_sort: by, x_axis_sort_asc: isByName }),
    ...(!isByName && series.length > 0 && { x_axis_sort_series: 'sum', x_axis_sort_series_ascending: false }),
  }
}

const stacks: Record<string, string> = { expand: 'Expand', stream: 'Stream' }

/** Converts the legacy area chart (`area`). */
export const fromLegacyArea = (form: ChartForm): ChartForm => ({
  ...upgradeLegacySeries(form),
  viz_type: 'echarts_area',
  stack: stacks[String(form.stacked_style)] ?? 'Stack',
  seriesType: styleOf(form),
})

const renameKeys = (form: ChartForm, names: Record<string, string>): ChartForm =>
  Object.fromEntries(
    Object.entries(names).flatMap(([old, name]) =>
      form[old] !== undefined && form[name] === undefined && form[old] !== 'auto' ? [[name, form[old]]] : [],
    ),
  )
