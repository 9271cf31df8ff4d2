import { labelOfColumn, labelOfMetric } from '@parquetry/model'
import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { Column, filters, Metric, nullable, rankMetric, rowLimit, seriesLimit, timeGrain } from '../shared/controls.ts'
import { nullText } from '../shared/formats/format.ts'
import { splitLabel } from '../shared/split-label.ts'
import { xLabel } from '../shared/time-series/query.ts'

/** Spec drawn by the View and the SVG; the values of a group are read from its column of the frame `series`. */
export interface TtestSpec extends Record<string, unknown> {
  /** Headings of the group name columns. */
  dimensions: string[]
  tables: { metric: string; groups: TTestGroup[] }[]
  /** Maximum p-value of a significant difference. */
  level: number
  digits: { p: number; lift: number }
  /** Describes the test and its limitations. */
  note: string
}

export interface TTestGroup {
  /** One value per dimension. */
  names: string[]
  column: string
}

const digits = (label: string, byDefault: number, description: string) =>
  control(Type.Integer({ default: byDefault, minimum: 0, maximum: 20 }), { label, group: 'look', description })

/**
 * Compares groups with a control group over their common periods; `series` has one row per period and one column per group and
 * metric.
 */
export default defineChart({
  viz_type: 'paired_ttest',
  name: 'Paired t-test Table',
  category: 'Correlation',
  tags: ['Legacy', 'Statistical', 'Tabular'],
  description: 'Tests whether groups differ significantly from a control group, period by period.',
  icon: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6 11V8.7h4V11M8 8.7V11',
  series: [],
  exampleGallery: ['sleep'],
  behaviors: [],
  form: Type.Object({
    x_axis: control(Type.Optional(nullable(Column)), { label: 'Time column', group: 'query', as: 'temporal-column' }),
    time_grain_sqla: timeGrain,
    metrics: control(Type.Array(Metric, { minItems: 1 }), {
      label: 'Metrics',
      group: 'query',
      as: 'metrics',
      description: 'One table per metric.',
    }),
    groupby: control(Type.Array(Column, { minItems: 1 }), {
      label: 'Dimensions',
      group: 'query',
      as: 'columns',
      description: 'Their values are the groups to compare.',
    }),
    adhoc_filters: filters,
    series_limit: seriesLimit,
    timeseries_limit_metric: rankMetric,
    row_limit: rowLimit(),
    significance_level: control(Type.Number({ default: 0.05, minimum: 0, maximum: 1 }), {
      label: 'Significance level',
      group: 'look',
      description: 'Threshold alpha level for determining significance.',
    }),
    pvalue_precision: digits('p-value precision', 6, 'Number of decimal places for p-values.'),
    liftvalue_precision: digits('Lift percent precision', 4, 'Number of decimal places for lift values.'),
  }),
  queries: (settings) => {
    const { x_axis, groupby, metrics } = settings
    const aggregates = Object.fromEntries(metrics.map((metric) => [labelOfMetric(metric), { operator: 'mean' }]))
    const columns = groupby.map(labelOfColumn)
    return {
      series: {
        columns: [...(x_axis ? [x_axis] : []), ...groupby],
        series_columns: groupby,
        metrics,
        ...(!x_axis && { is_timeseries: true }),
        // Newest first, so that a row limit cuts the oldest periods of all groups.
        orderby: [[x_axis ?? xLabel(settings), false]],
        post_processing: [
          {
            operation: 'pivot',
            options: { index: [xLabel(settings)], columns, aggregates, drop_missing_columns: true },
          },
          { operation: 'flatten' },
        ],
      },
    }
  },
  spec: ({ series }, settings, context): TtestSpec => {
    const { groupby, metrics, significance_level, pvalue_precision, liftvalue_precision } = settings
    const time = xLabel(settings)
    const columns = (series?.columns ?? []).filter(({ name }) => name !== time)
    return {
      dimensions: groupby.map((column) => context.displayName(labelOfColumn(column))),
      tables: metrics.map((metric) => ({
        metric: context.displayName(labelOfMetric(metric)),
        groups: columns.flatMap((column): TTestGroup[] => {
          const parts = splitLabel(column, groupby.length)
          const hasMetric = parts.length > groupby.length
          if (hasMetric && parts[0] !== labelOfMetric(metric)) return []
          const names = (hasMetric ? parts.slice(1) : parts).map((part) => (part === '<NULL>' ? nullText : part))
          return [{ names, column: column.name }]
        }),
      })),
      level: significance_level,
      digits: { p: pvalue_precision, lift: liftvalue_precision },
      note: createTranslator(context)(
        'picture.ttest.note',
        'Two-sided paired t-test against the control, over the periods both groups have in common. p-values are per comparison and not corrected for multiple comparisons.',
      ),
    }
  },
})
