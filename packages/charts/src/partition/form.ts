import Type from 'typebox'
import { control, type ChartForm, type Control } from '../define.ts'
import { choice, colorScheme, currency, flag, numberFormat, timeFormat } from '../shared/controls.ts'
import { analytics, timeSeriesForm } from '../shared/time-series/form.ts'

const { x_axis, time_grain_sqla, metrics, groupby, adhoc_filters, series_limit, timeseries_limit_metric } =
  timeSeriesForm.properties
const { order_desc, row_limit } = timeSeriesForm.properties

export const timeOptions = [
  'not_time',
  'time_series',
  'agg_mean',
  'agg_sum',
  'point_diff',
  'point_percent',
  'point_factor',
  'adv_anal',
] as const

export const usesTime = (form: ChartForm): boolean =>
  form.time_series_option !== 'not_time' && (timeOptions as readonly unknown[]).includes(form.time_series_option)
/** Returns true when the first level consists of periods. */
export const hasPeriods = (form: ChartForm): boolean =>
  form.time_series_option === 'time_series' || form.time_series_option === 'adv_anal'
const isAdvanced = (form: ChartForm) => form.time_series_option === 'adv_anal'

/** Returns the control of a time-series setting with a different visibility condition. */
const whenAdvanced = <K extends keyof typeof analytics>(name: K): (typeof analytics)[K] => {
  const schema = analytics[name] as (typeof analytics)[K] & { control: Control }
  const { when } = schema.control
  return control(schema, {
    ...schema.control,
    when: (form, dataset) => isAdvanced(form) && (when?.(form, dataset) ?? true),
  })
}

export const form = Type.Object({
  x_axis: control(x_axis, {
    label: 'Time column',
    group: 'query',
    as: 'temporal-column',
    when: usesTime,
    resetOnHide: false,
  }),
  time_grain_sqla: control(time_grain_sqla, {
    label: 'Time grain',
    group: 'query',
    as: 'time-grain',
    when: usesTime,
    resetOnHide: false,
  }),
  metrics,
  groupby: control(groupby, {
    label: 'Dimensions',
    group: 'query',
    as: 'columns',
    description: 'Each dimension divides the parts of the previous one, from left to right.',
  }),
  adhoc_filters,
  time_series_option: control(choice(timeOptions, 'not_time'), {
    label: 'Options',
    group: 'query',
    options: {
      not_time: 'Ignore time',
      time_series: 'Time series',
      agg_mean: 'Mean over time',
      agg_sum: 'Sum over time',
      point_diff: 'Change from first to last period',
      point_percent: 'Percent change',
      point_factor: 'Change factor',
      adv_anal: 'Advanced analytics',
    },
    description: 'How time is used. Changes are shown on parts sized by the last period.',
  }),
  series_limit,
  timeseries_limit_metric,
  order_desc,
  row_limit,
  rolling_type: whenAdvanced('rolling_type'),
  rolling_periods: whenAdvanced('rolling_periods'),
  min_periods: whenAdvanced('min_periods'),
  resample_rule: whenAdvanced('resample_rule'),
  resample_method: whenAdvanced('resample_method'),
  partition_limit: control(Type.Integer({ default: 5, minimum: 0 }), {
    label: 'Partition limit',
    group: 'look',
    description:
      'Maximum number of parts that each part is divided into. The largest are shown; the rest are grouped. Enter 0 for no limit.',
    presets: [
      [0, 'No limit'],
      [5, '5'],
      [10, '10'],
      [20, '20'],
    ],
  }),
  partition_threshold: control(Type.Number({ default: 0.05, minimum: 0, maximum: 1 }), {
    label: 'Partition threshold',
    group: 'look',
    description: 'Parts smaller than this share of their parent are grouped together.',
  }),
  log_scale: flag('Log scale', false, { description: 'Heights use a logarithmic scale.' }),
  equal_date_size: flag('Equal date sizes', true, {
    description: 'Gives all periods the same height.',
    when: hasPeriods,
  }),
  rich_tooltip: flag('Rich tooltip', true, { description: 'Shows each part together with its parents.' }),
  color_scheme: colorScheme,
  number_format: numberFormat('Number format'),
  currency_format: currency,
  date_time_format: timeFormat('Date format'),
})
