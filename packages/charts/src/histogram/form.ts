import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import { colorScheme, Column, filters, flag, nullable, numberFormat, rowLimit } from '../shared/controls.ts'

const hasGroups = ({ groupby }: ChartForm): boolean => (Array.isArray(groupby) ? groupby.length > 0 : Boolean(groupby))

export const form = Type.Object({
  column: control(Column, {
    label: 'Column',
    group: 'query',
    as: 'column',
    description: 'Counts the values in this column.',
  }),
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'Bars in one color per value.',
  }),
  adhoc_filters: filters,
  // as many as a query without a limit returns: truncated rows are not counted
  row_limit: rowLimit(50_000),
  bins: control(Type.Integer({ default: 5, minimum: 1, maximum: 10_000 }), {
    label: 'Bins',
    group: 'query',
    description: 'Number of bins to divide the values into.',
    presets: [5, 10, 15, 20, 25, 30, 50, 75, 100].map((count) => [count, String(count)] as const),
  }),
  normalize: control(Type.Boolean({ default: false }), {
    label: 'Normalize',
    group: 'query',
    description: 'Shows shares of all rows instead of counts.',
  }),
  cumulative: control(Type.Boolean({ default: false }), {
    label: 'Cumulative',
    group: 'query',
    description: 'Each bar includes the counts of the bars before it.',
  }),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true, { when: hasGroups }),
  show_value: flag('Show values', false),
  x_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'X-axis title', group: 'look' }),
  x_axis_format: numberFormat('X-axis format'),
  y_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'Y-axis title', group: 'look' }),
  y_axis_format: numberFormat('Y-axis format'),
})

/** Converts the legacy histogram, using the first of its columns as later releases do. */
export function fromLegacyHistogram(form: ChartForm): ChartForm {
  const [column] = [form.all_columns_x].flat()
  const bins = Number(form.link_length)
  return {
    ...form,
    viz_type: 'histogram_v2',
    column,
    groupby: form.groupby ?? [],
    bins: Number.isInteger(bins) && bins > 0 ? bins : 5,
    normalize: form.normalized === true,
    x_axis_title: form.x_axis_title ?? form.x_axis_label,
    y_axis_title: form.y_axis_title ?? form.y_axis_label,
    form_data_bak: form,
  }
}
