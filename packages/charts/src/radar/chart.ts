import type { Cell, Frame } from '@parquetry/frame'
import { labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { finiteAt, buildItems } from '../shared/items.ts'
import { form } from './form.ts'

/** Several metrics of each value of a dimension, one axis per metric; `shapes` has one row per value. */
export default defineChart({
  viz_type: 'radar',
  name: 'Radar Chart',
  category: 'Ranking',
  tags: ['Business', 'Comparison', 'Multi-Variables', 'Report', 'Web', 'ECharts'],
  description: 'Compares several metrics of a few items, each on its own axis around a common center.',
  icon: 'M8 2.3l5.4 3.9-2.1 6.4H4.7L2.6 6.2zM8 8V2.3M8 8l5.4-1.8M8 8l3.3 4.6M8 8l-3.3 4.6M8 8L2.6 6.2',
  series: ['radar'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: ({ groupby, metrics, timeseries_limit_metric: rank, row_limit }) => {
    const by = rank ?? metrics[0]
    return { shapes: { columns: groupby, metrics, orderby: by ? [[by, false]] : [], row_limit } }
  },
  spec: ({ shapes }, settings, context) => {
    const { metrics, column_config: ends } = settings
    const data = shapes ? buildShapes(shapes, settings, context) : []
    const hasLegend = settings.show_legend && settings.groupby.length > 0
    return {
      ...(hasLegend && { legend: { position: settings.legendOrientation } }),
      tooltip: { trigger: 'item' },
      series: [
        {
          type: 'radar',
          name: metrics.map((metric) => context.displayName(labelOfMetric(metric))).join(', '),
          shape: settings.is_circle ? 'circle' : 'polygon',
          axes: metrics.map((metric) => {
            const label = labelOfMetric(metric)
            const { radarMetricMinValue: min, radarMetricMaxValue: max } = ends[label] ?? {}
            return {
              column: label,
              name: context.displayName(label),
              format: context.formatOf(metric),
              ...(typeof min === 'number' && { min }),
              ...(typeof max === 'number' && { max }),
            }
          }),
          label: {
            show: settings.show_labels,
            parts: settings.label_type === 'value' ? ['value'] : ['name', 'value'],
            position: settings.label_position,
          },
          data,
        },
      ],
    }
  },
})

interface Settings {
  groupby: QueryColumn[]
  metrics: QueryMetric[]
  date_format: string
}

interface Shape {
  name: string
  color: string
  key: Record<string, Cell>
  /** One per metric. */
  values: (number | null)[]
}

function buildShapes(frame: Frame, settings: Settings, context: SpecContext): Shape[] {
  const [metric] = settings.metrics
  const items = metric ? buildItems(frame, { ...settings, metric }, context) : []
  const columns = settings.metrics.map((each) => findColumn(frame, labelOfMetric(each)))
  const colorOf = context.colorsOf(items.map(({ name }) => name))
  return items.map(({ name, key }, row) => ({
    name,
    color: colorOf(name),
    key,
    values: columns.map((column) => (column ? finiteAt(column, row) : null)),
  }))
}
