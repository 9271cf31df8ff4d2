import { cellAt, numberAt, parseAggregation } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { bigNumberForm, bigNumberSpec, computeChange, rowsWithValue, type BigNumberSpec } from '../shared/big-number.ts'
import { toHex } from '../shared/colors/color.ts'
import { findColumn } from '../shared/column.ts'
import { choice, Column, filters, flag, Metric, nullable, timeGrain, needsXAxis } from '../shared/controls.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { unfinishedPeriod } from '../shared/grain.ts'
import { analytics, markUnfinished } from '../shared/time-series/form.ts'
import { resampleSteps, rollingSteps, xLabel } from '../shared/time-series/query.ts'

const { rolling_type, rolling_periods, min_periods, resample_rule, resample_method } = analytics

/** Aggregates of the trend's values, by the API's names. The API also has the last value, and `raw`: the metric over all rows. */
const aggregates: Record<string, string> = {
  sum: 'Sum',
  mean: 'Average',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
}

const form = Type.Object({
  x_axis: control(Type.Optional(nullable(Column)), {
    label: 'Time column',
    group: 'query',
    as: 'temporal-column',
    required: needsXAxis,
  }),
  time_grain_sqla: timeGrain,
  metric: control(Metric, { label: 'Metric', group: 'query', as: 'metric' }),
  adhoc_filters: filters,
  aggregation: control(choice(['LAST_VALUE', 'raw', ...Object.keys(aggregates)], 'LAST_VALUE'), {
    label: 'Aggregation method',
    group: 'query',
    description: 'How the number is computed. The comparison always uses the last value.',
    options: {
      LAST_VALUE: 'Last value',
      raw: 'Overall value',
      sum: 'Total (Sum)',
      mean: 'Average (Mean)',
      median: 'Median',
      min: 'Minimum',
      max: 'Maximum',
    },
  }),
  compare_lag: control(Type.Optional(nullable(Type.Integer({ minimum: 0 }))), {
    label: 'Comparison period lag',
    group: 'compare',
  }),
  compare_suffix: control(Type.Optional(nullable(Type.String())), {
    label: 'Comparison suffix',
    group: 'compare',
    when: ({ compare_lag }) => Number(compare_lag) > 0,
  }),
  rolling_type,
  rolling_periods,
  min_periods,
  resample_rule,
  resample_method,
  ...bigNumberForm,
  show_timestamp: flag('Show timestamp', false),
  show_trend_line: flag('Show trend line', true),
  start_y_axis_at_zero: flag('Start y-axis at zero', true),
  mark_unfinished: markUnfinished,
  color_picker: control(
    Type.Object(
      { r: Type.Number(), g: Type.Number(), b: Type.Number(), a: Type.Optional(Type.Number()) },
      { default: { r: 0, g: 122, b: 135, a: 1 } },
    ),
    { label: 'Trend color', group: 'look', as: 'color' },
  ),
})

/**
 * The last value of a series, or another aggregate, its change, and its trend. `trend` has one row per period, oldest first; `whole`,
 * for the aggregation `raw`, has one row.
 */
export default defineChart({
  viz_type: 'big_number',
  name: 'Big Number with Trendline',
  category: 'KPI',
  tags: ['Advanced-Analytics', 'ECharts', 'Line', 'Percentages', 'Popular', 'Report', 'Trend'],
  description: 'Shows the latest value of a metric as a large number, with its change and trend.',
  icon: 'number',
  series: [],
  behaviors: ['DRILL_TO_DETAIL'],
  form,
  queries: (settings) => {
    const metrics = settings.metric ? [settings.metric] : []
    const operators = Object.fromEntries(metrics.map((metric) => [labelOfMetric(metric), { operator: 'mean' }]))
    return {
      trend: {
        columns: settings.x_axis ? [settings.x_axis] : [],
        metrics,
        ...(!settings.x_axis && { is_timeseries: true }),
        post_processing: [
          {
            operation: 'pivot',
            options: { index: [xLabel(settings)], columns: [], aggregates: operators, drop_missing_columns: true },
          },
          ...resampleSteps(settings),
          ...rollingSteps({ ...settings, metrics, time_compare: [] }),
          { operation: 'flatten' },
        ],
      },
      ...(settings.aggregation === 'raw' && { whole: { columns: [], metrics, is_timeseries: false } }),
    }
  },
  spec: ({ trend, whole }, settings, context): BigNumberSpec => {
    const label = settings.metric ? labelOfMetric(settings.metric) : ''
    const rows = rowsWithValue(trend, label)
    const last = rows.at(-1) ?? -1
    const [times, values] = [xLabel(settings), label].map((name) => trend && findColumn(trend, name))
    const [from, at] = [rows[0] ?? -1, last].map((row) => (times && row >= 0 ? cellAt(times, row) : null))
    const grain = settings.time_grain_sqla
    const isLast = settings.aggregation === 'LAST_VALUE'
    const aggregate = aggregates[settings.aggregation]
    const isUnfinished =
      isLast &&
      settings.mark_unfinished &&
      unfinishedPeriod(typeof at === 'number' ? at : null, grain, context.until) !== null
    const format = settings.show_timestamp ? settings.time_format : grainFormat(grain)
    return {
      ...(settings.aggregation === 'raw'
        ? bigNumberSpec(whole, whole && whole.rows > 0 ? 0 : -1, settings, context)
        : bigNumberSpec(trend, last, settings, context)),
      ...(values &&
        aggregate &&
        rows.length > 0 && { value: parseAggregation(aggregate).of(rows.map((row) => numberAt(values, row))) }),
      ...(settings.compare_lag &&
        values && {
          change: { ratio: computeChange(values, rows, settings.compare_lag), suffix: settings.compare_suffix ?? '' },
        }),
      ...(typeof from === 'number' &&
        typeof at === 'number' && { at: isLast ? { value: at, format } : { value: from, last: at, format } }),
      ...(isUnfinished && { isUnfinished }),
      ...(settings.show_trend_line &&
        rows.length > 1 && {
          trend: {
            points: { frame: 'trend', x: { column: xLabel(settings) }, y: { column: label } },
            color: toHex(settings.color_picker),
            fromZero: settings.start_y_axis_at_zero,
          },
        }),
    }
  },
})
