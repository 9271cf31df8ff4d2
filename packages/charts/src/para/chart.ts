import type { Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryMetric } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { buildOrderBy } from '../query/order-by.ts'
import { findColumn } from '../shared/column.ts'
import { finiteAt, buildItems } from '../shared/items.ts'
import { form } from './form.ts'

/** Several metrics of each value of a dimension, drawn as a line across one axis per metric; `lines` has one row per value. */
export default defineChart({
  viz_type: 'para',
  name: 'Parallel Coordinates',
  category: 'Ranking',
  tags: ['Directional', 'Legacy', 'Relational'],
  description:
    'Shows several metrics of many items as lines from axis to axis. Drag along an axis to show only the lines that cross it there.',
  icon: 'M3 2.5v11M8 2.5v11M13 2.5v11M3 5l5 5 5-6M3 11l5-6 5 6',
  series: ['parallel'],
  behaviors: [],
  form,
  queries: (settings) => {
    const { series, metrics, secondary_metric: second, series_limit: most, row_limit } = settings
    return {
      lines: {
        columns: series ? [series] : [],
        metrics: unique([...metrics, ...(second ? [second] : [])], labelOfMetric),
        orderby: buildOrderBy(settings, metrics),
        // each series is one row
        series_limit: 0,
        row_limit: most ? Math.min(most, row_limit || most) : row_limit,
      },
    }
  },
  spec: ({ lines }, settings, context) => {
    const { series, metrics, secondary_metric: second } = settings
    const axisOf = (metric: QueryMetric) => {
      const column = labelOfMetric(metric)
      return { column, name: context.displayName(column), format: context.formatOf(metric) }
    }
    // one axis alone has no lines, so the names are added as a second axis
    const hasNames = series && (settings.include_series || metrics.length === 1)
    const name = series ? labelOfColumn(series) : ''
    return {
      tooltip: { trigger: 'item' },
      series: [
        {
          type: 'parallel',
          name: metrics.map((metric) => context.displayName(labelOfMetric(metric))).join(', '),
          color: context.colorsOf([])(''),
          axes: metrics.map(axisOf),
          ...(hasNames && { names: { id: name, name: context.displayName(name) } }),
          ...(second && { second: { ...axisOf(second), ramp: settings.linear_color_scheme } }),
          data: lines ? buildParallelLines(lines, settings, context) : [],
        },
      ],
    }
  },
})

interface Settings {
  series: Parameters<typeof labelOfColumn>[0]
  metrics: QueryMetric[]
  secondary_metric?: QueryMetric | null
}

function buildParallelLines(
  frame: Frame,
  { series, metrics, secondary_metric: second }: Settings,
  context: SpecContext,
) {
  const [metric] = metrics
  const itemSettings = { groupby: series ? [series] : [], date_format: 'smart_date' }
  const items = metric ? buildItems(frame, { ...itemSettings, metric }, context) : []
  const columns = metrics.map((each) => findColumn(frame, labelOfMetric(each)))
  const colors = second && findColumn(frame, labelOfMetric(second))
  return items.map(({ name, key }, row) => ({
    name,
    key,
    values: columns.map((column) => (column ? finiteAt(column, row) : null)),
    ...(colors && { second: finiteAt(colors, row) }),
  }))
}
