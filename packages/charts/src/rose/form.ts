import Type from 'typebox'
import { control, type ChartForm } from '../define.ts'
import {
  colorScheme,
  currency,
  flag,
  legendPosition,
  needsXAxis,
  numberFormat,
  timeFormat,
} from '../shared/controls.ts'
import { analytics, markUnfinished, timeSeriesForm } from '../shared/time-series/form.ts'

const {
  x_axis,
  time_grain_sqla,
  metrics,
  groupby,
  adhoc_filters,
  series_limit,
  timeseries_limit_metric,
  order_desc,
  row_limit,
  show_legend,
} = timeSeriesForm.properties

export const form = Type.Object({
  x_axis: control(x_axis, {
    label: 'X axis',
    group: 'query',
    as: 'x-axis',
    required: needsXAxis,
    description: 'One petal per period, clockwise from the top.',
  }),
  time_grain_sqla,
  metrics,
  groupby,
  adhoc_filters,
  contribution: control(Type.Boolean({ default: false }), {
    label: 'Contribution',
    group: 'query',
    description: 'Shows shares of each period instead of values.',
  }),
  series_limit,
  timeseries_limit_metric,
  order_desc,
  row_limit,
  ...analytics,
  rose_area_proportion: flag('Use area proportions', false, {
    description: 'Shows values as the area of the petals. Otherwise, values are shown as their length.',
  }),
  color_scheme: colorScheme,
  show_legend,
  legendOrientation: control(legendPosition, {
    label: 'Legend position',
    group: 'look',
    options: { top: 'Top', bottom: 'Bottom', left: 'Left', right: 'Right' },
    when: (settings: ChartForm) => settings.show_legend !== false,
  }),
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_time_format: timeFormat('Date format'),
  mark_unfinished: markUnfinished,
  rich_tooltip: flag('Rich tooltip', true, { description: 'Shows all series of a period in one tooltip.' }),
})
