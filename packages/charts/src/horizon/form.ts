import Type from 'typebox'
import { control } from '../define.ts'
import { choice, needsXAxis } from '../shared/controls.ts'
import { analytics, timeSeriesForm } from '../shared/time-series/form.ts'

const {
  x_axis,
  time_grain_sqla,
  metrics,
  groupby,
  adhoc_filters,
  contributionMode,
  series_limit,
  timeseries_limit_metric,
  order_desc,
  row_limit,
  truncate_metric,
  show_empty_columns,
  y_axis_format,
  currency_format,
  tooltipTimeFormat,
} = timeSeriesForm.properties

export const form = Type.Object({
  x_axis: control(x_axis, { label: 'Time column', group: 'query', as: 'temporal-column', required: needsXAxis }),
  time_grain_sqla,
  metrics,
  groupby: control(groupby, {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'One row per value.',
  }),
  adhoc_filters,
  contributionMode,
  series_limit,
  timeseries_limit_metric,
  order_desc,
  row_limit,
  truncate_metric,
  show_empty_columns,
  ...analytics,
  series_height: control(Type.Integer({ default: 25, minimum: 2, maximum: 1000 }), {
    label: 'Series height',
    group: 'look',
    description: 'Height of each row, in pixels. Rows shrink if they don’t all fit.',
    presets: [10, 25, 40, 50, 75, 100, 150, 200].map((height) => [height, String(height)] as const),
  }),
  horizon_color_scale: control(choice(['series', 'overall', 'change'], 'series'), {
    label: 'Value domain',
    group: 'look',
    options: { series: 'Series', overall: 'Overall', change: 'Change' },
    description:
      'What the color scale covers: the largest value in each row, the largest value in all rows, or the change from each row’s first value.',
  }),
  y_axis_format,
  currency_format,
  tooltipTimeFormat,
})
