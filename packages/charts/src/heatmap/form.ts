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
  numberFormat,
  rowLimit,
  timeFormat,
  timeGrain,
} from '../shared/controls.ts'
import { ramps } from '../shared/colors/ramps.ts'

const sort = (label: string) =>
  control(Type.Optional(nullable(choice(['alpha_asc', 'alpha_desc', 'value_asc', 'value_desc']))), {
    label,
    group: 'query',
    options: {
      alpha_asc: 'Axis ascending',
      alpha_desc: 'Axis descending',
      value_asc: 'Metric ascending',
      value_desc: 'Metric descending',
    },
  })
const labelInterval = (label: string) =>
  control(Type.Integer({ default: -1, minimum: -1, maximum: 1000 }), {
    label,
    group: 'look',
    description: 'Shows every nth label.',
    presets: [[-1, 'Auto'], ...[1, 2, 3, 4, 5, 10, 20, 50].map((count) => [count, String(count)] as const)],
  })
const margin = (label: string) =>
  control(Type.Union([Type.Literal('auto'), Type.Number({ minimum: 0, maximum: 1000 })], { default: 'auto' }), {
    label,
    group: 'look',
    description: 'Space for axis labels, in pixels.',
    presets: [['auto', 'Auto'], ...[50, 75, 100, 125, 150, 200].map((pixels) => [pixels, String(pixels)] as const)],
  })
const Color = Type.Object(
  { r: Type.Number(), g: Type.Number(), b: Type.Number(), a: Type.Optional(Type.Number()) },
  { default: { r: 0, g: 0, b: 0, a: 1 } },
)

export const form = Type.Object({
  x_axis: control(Column, { label: 'X axis', group: 'query', as: 'x-axis' }),
  time_grain_sqla: timeGrain,
  groupby: control(Column, { label: 'Y axis', group: 'query', as: 'column' }),
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  row_limit: rowLimit(),
  sort_x_axis: sort('Sort x axis'),
  sort_y_axis: sort('Sort y axis'),
  normalize_across: control(choice(['heatmap', 'x', 'y'], 'heatmap'), {
    label: 'Normalize across',
    group: 'query',
    options: { heatmap: 'Heatmap', x: 'X axis', y: 'Y axis' },
    description: 'What each cell is compared with: all cells, the cells in its column, or the cells in its row.',
  }),
  legend_type: control(choice(['continuous', 'piecewise'], 'continuous'), {
    label: 'Legend type',
    group: 'look',
    options: { continuous: 'Continuous', piecewise: 'Piecewise' },
  }),
  linear_color_scheme: control(Type.String({ default: 'dawn' }), {
    label: 'Linear color scheme',
    group: 'look',
    as: 'linear-scheme',
    options: Object.fromEntries(Object.entries(ramps).map(([name, { label }]) => [name, label])),
  }),
  border_color: control(Color, { label: 'Border color', group: 'look', as: 'color' }),
  border_width: control(Type.Number({ default: 0, minimum: 0, maximum: 2 }), {
    label: 'Border width',
    group: 'look',
    presets: [0, 0.5, 1, 2].map((width) => [width, String(width)] as const),
  }),
  xscale_interval: labelInterval('X scale interval'),
  yscale_interval: labelInterval('Y scale interval'),
  left_margin: margin('Left margin'),
  bottom_margin: margin('Bottom margin'),
  value_bounds: control(Type.Array(nullable(Type.Number()), { default: [null, null] }), {
    label: 'Value bounds',
    group: 'look',
    as: 'bounds',
    description: 'Values for the first and last color. Applies when all cells are compared.',
  }),
  y_axis_format: numberFormat('Value format'),
  currency_format: currency,
  x_axis_time_format: timeFormat('Time format'),
  show_legend: flag('Show legend', true),
  show_percentage: flag('Show percentage', true, {
    description: 'Shows in the tooltip each cell’s share of the cells it is compared with, if the metric is additive.',
  }),
  show_values: flag('Show values', false, { description: 'Shown in cells with enough room.' }),
  normalized: flag('Normalized', false, {
    description: 'Colors cells by rank instead of by value.',
  }),
})

/** Converts the legacy heatmap: the same settings under other names. */
export const fromLegacyHeatmap = (form: ChartForm): ChartForm => ({
  ...form,
  viz_type: 'heatmap_v2',
  x_axis: form.x_axis ?? [form.all_columns_x].flat()[0],
  groupby: [form.all_columns_y].flat()[0] ?? form.groupby,
  value_bounds: form.value_bounds ?? form.y_axis_bounds,
  show_percentage: form.show_percentage ?? form.show_perc,
  sort_x_axis: form.sort_x_axis ?? 'alpha_asc',
  sort_y_axis: form.sort_y_axis ?? 'alpha_asc',
  legend_type: 'continuous',
  form_data_bak: form,
})
