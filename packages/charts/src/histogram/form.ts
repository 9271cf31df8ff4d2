import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import { colorScheme, Column, filters, flag, nullable, numberFormat, rowLimit } from '../shared/controls.ts'

const hasGroups = ({ groupby }: ChartForm): boolean => (Array.isArray(groupby) ? groupby.length > 0 : Boolean(groupby))

export const form = Type.Object({
  column: control(Column, {
    label: 'Column',
    group: 'query',
    as: 'column',
    description: 'The numbers of this column are counted.',
  }),
  groupby: control(Type.Array(Column, { default: [] }), {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'Bars of a color for each of their values.',
  }),
  adhoc_filters: filters,
  // as many as a query without a limit gives: those that are cut are counted nowhere
  row_limit: rowLimit(50_000),
  bins: control(Type.Integer({ default: 5, minimum: 1, maximum: 10_000 }), {
    label: 'Bins',
    group: 'query',
    description: 'How many bars the numbers are divided into.',
    presets: [5, 10, 15, 20, 25, 30, 50, 75, 100].map((count) => [count, String(count)] as const),
  }),
  normalize: control(Type.Boolean({ default: false }), {
    label: 'Normalize',
    group: 'query',
    description: 'Parts of all rows instead of how many they are.',
  }),
  cumulative: control(Type.Boolean({ default: false }), {
    label: 'Cumulative',
    group: 'query',
    description: 'Each bar counts those before it as well.',
  }),
  color_scheme: colorScheme,
  show_legend: flag('Show legend', true, { when: hasGroups }),
  show_value: flag('Show values', false),
  x_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'X-axis title', group: 'look' }),
  x_axis_format: numberFormat('X-axis format'),
  y_axis_title: control(Type.Optional(nullable(Type.String())), { label: 'Y-axis title', group: 'look' }),
  y_axis_format: numberFormat('Y-axis format'),
})

/** The old histogram: the first of its columns, as later releases turn it over. */
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
