import { textAt, type Column, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { defineChart, type ChartForm, type SpecContext } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { baseAxis } from '../query/build-query-context.ts'
import { findColumn } from '../shared/column.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { commonMetricFormat } from '../shared/formats/metrics.ts'
import { finiteAt, nameRows } from '../shared/items.ts'
import { form } from './form.ts'
import { parseWhiskers } from './whiskers.ts'

const labelRotations = { auto: null, flat: 0, '45°': 45, '90°': 90, staggered: 45 }

/** Distribution of metrics over the values of columns; `boxes` has one row per value of the dimensions. */
export default defineChart({
  viz_type: 'box_plot',
  name: 'Box Plot',
  category: 'Distribution',
  tags: ['ECharts', 'Range', 'Statistical'],
  description: 'Compares how values are distributed: middle half, median, whiskers and outliers of each group.',
  icon: 'M2.5 6h4v5h-4zM2.5 8.5h4M4.5 3v3M4.5 11v2.5M9.5 4h4v5h-4zM9.5 7h4M11.5 2.5V4M11.5 9v4',
  series: ['boxplot'],
  thumbnail: { fixture: 'temperature-by-weather' },
  exampleGallery: ['temperature-by-weather'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: { row_limit: 50_000 },
  queries: (settings) => {
    const { groupby, metrics, row_limit } = settings
    const whiskers = parseWhiskers(settings.whiskerOptions)
    return {
      boxes: {
        columns: unique([...distributionColumns(settings), ...groupby], labelOfColumn),
        metrics,
        series_columns: groupby,
        row_limit,
        post_processing: [
          {
            operation: 'boxplot',
            options: {
              groupby: groupby.map(labelOfColumn),
              metrics: metrics.map(labelOfMetric),
              whisker_type: typeof whiskers === 'string' ? whiskers : 'percentile',
              percentiles: typeof whiskers === 'string' ? null : whiskers,
            },
          },
        ],
      },
    }
  },
  spec: ({ boxes }, settings, context) => {
    const { x_axis_title: x, y_axis_title: y } = settings
    const rotate = labelRotations[settings.x_ticks_layout]
    return {
      tooltip: { trigger: 'item' },
      xAxis: { type: 'category', ...(x && { name: x }), ...(rotate !== null && { axisLabel: { rotate } }) },
      yAxis: {
        type: 'value',
        scale: true,
        format: commonMetricFormat(settings.metrics, context),
        ...(y && { name: y }),
      },
      series: [
        {
          type: 'boxplot',
          name: settings.metrics.map((metric) => context.displayName(labelOfMetric(metric))).join(', '),
          color: context.colorsOf([])(''),
          whiskers: parseWhiskers(settings.whiskerOptions),
          data: boxes ? buildBoxes(boxes, settings, context) : [],
        },
      ],
    }
  },
})

/** Returns the columns of the distribution; legacy forms without columns use their time column. */
function distributionColumns({
  columns,
  granularity_sqla,
  time_grain_sqla,
  temporal_columns_lookup,
}: ChartForm): QueryColumn[] {
  const named = columns as QueryColumn[]
  const across = named.length === 0 && typeof granularity_sqla === 'string' ? [granularity_sqla] : named
  const isTime = (name: string) =>
    name === granularity_sqla || (temporal_columns_lookup as Record<string, boolean> | undefined)?.[name] === true
  return across.map((column) =>
    time_grain_sqla && isTime(nameOfColumn(column) ?? '') ? baseAxis(column, String(time_grain_sqla)) : column,
  )
}

interface Settings {
  groupby: QueryColumn[]
  metrics: QueryMetric[]
  date_format: string
}

const parts = ['min', 'q1', 'median', 'q3', 'max', 'mean', 'count'] as const

/** Returns one box per row and metric; with several metrics, each box has its metric's name and color. */
function buildBoxes(frame: Frame, settings: Settings, context: SpecContext) {
  const { metrics, groupby } = settings
  const named = metrics.map((metric) => ({
    label: labelOfMetric(metric),
    name: context.displayName(labelOfMetric(metric)),
    format: context.formatOf(metric),
  }))
  const isMixed = named.length > 1 && groupby.length > 0
  const colorOf = context.colorsOf(isMixed ? named.map(({ name }) => name) : [])
  return nameRows(frame, settings, context).flatMap(({ name, key }, row) =>
    named.flatMap(({ label, name: metric, format }) => {
      const values = Object.fromEntries(
        parts.map((part) => {
          const column = findColumn(frame, `${label}__${part}`)
          return [part, column ? finiteAt(column, row) : null]
        }),
      ) as Record<(typeof parts)[number], number | null>
      const outliers = findColumn(frame, `${label}__outliers`)
      return {
        name: [name, ...(isMixed || groupby.length === 0 ? [metric] : [])].filter(Boolean).join(', '),
        ...(isMixed && { color: colorOf(metric) }),
        key,
        metric: label,
        format,
        ...values,
        value: values.median,
        outliers: outliers ? readOutliers(outliers, row) : [],
      }
    }),
  )
}

/** Returns the distinct numbers: equal outliers share one point. */
function readOutliers(column: Column, row: number): number[] {
  const list: unknown = JSON.parse(textAt(column, row) ?? '[]')
  const numbers = (Array.isArray(list) ? (list as unknown[]) : []).filter((each) => typeof each === 'number')
  return [...new Set(numbers)]
}
